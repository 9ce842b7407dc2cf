"""A room to photograph: one room of a simulated house and what is seen through its doors, with things made anew in
other shapes and paints, more furniture, clutter on every surface, paper on walls, people; and cameras in it."""
import gzip
import json
import math
import random

import numpy as np

import build
from build import BOX, CENTRE, CLOTH, CLOUDS, COLUMNS, HALF, KIND, PAINT, PLAIN, PLANKS, POSTER, SPECKLE, TILES, TURN, WOOD, WRITING, Build, grey, turn
from categories import FURNITURE as BIG, INDEX, KIND_INDEX, NAMES, OF_WORLD, ONLY_WORD, SMALL, STATES, STRUCTURE, UNKNOWN, kind_of, surface_of
from ensembles import ENSEMBLES
from furniture import FURNITURE, ceiling_lamp
from small import SMALL_THINGS
from tableware import books_in_row, leaning_book, standing_paper
from walls import hang

REACH_M = 3.5  # what lies farther outside of the room is not cast
WALL_THINGS = {"door", "window", "curtain", "radiator", "television"}  # their thin side is their front
# What is put into rooms by itself, the commoner things more often.
STANDS_ALONE = ["chair"] * 6 + ["table"] * 5 + ["shelf"] * 4 + ["cabinet"] * 4
STANDS_ALONE += ["stool", "armchair", "sofa", "bench", "bed", "counter", "wardrobe", "fridge", "oven", "sink", "plant", "lamp", "lamp", "person", "toilet", "washing machine"]
STANDS = {"book": leaning_book, "paper": standing_paper}  # print on its edge
AS_IT_IS = 0.35  # rooms that are photographed as the simulator made them
SOFT = {"sofa", "bed", "armchair", "chair", "bench", "stool"}


def load(path: str) -> list:
    houses = []
    for house in json.load(gzip.open(path)):
        raw = np.array(house["solids"], dtype=np.float64)
        rows = np.zeros((len(raw), COLUMNS))
        rows[:, KIND], rows[:, CENTRE], rows[:, HALF] = raw[:, 1], raw[:, 2:5], raw[:, 5:8] / 2
        c, s = np.cos(raw[:, 8]), np.sin(raw[:, 8])
        rows[:, TURN] = np.stack([c, -s, 0 * c, s, c, 0 * c, 0 * c, 0 * c, 0 * c + 1], 1)
        rows[:, 16:18] = 1
        paints = np.concatenate([raw[:, 9:15] / 255, raw[:, 15:17], np.isin(raw[:, 15], [10, 11, 14])[:, None] * 0.6, raw[:, 17:18], np.isin(raw[:, 15], [4, 5])[:, None] * 0.004], 1)
        houses.append(dict(thing=raw[:, 0].astype(int), yaw=raw[:, 8], rows=rows, paints=paints, things=house["things"], rooms=house["rooms"]))
    return houses


class Room:
    """Collects solids; `rows` with the paint's eleven numbers and the thing's number in place of the paint's index."""

    def __init__(self, house, rng):
        self.rng, self.blocks, self.surface, self.category, self.boxes = rng, [], [0], [0], []
        self.kind, self.states = [0], [[UNKNOWN] * len(STATES)]
        self.as_it_is = rng.random() < AS_IT_IS
        # Large rooms hold more to see than corridors and bathrooms.
        self.room = rng.choices(house["rooms"], [min(np.ptp(np.array(r["polygon"]), axis=0)) ** 2 for r in house["rooms"]])[0]
        p = np.array(self.room["polygon"])
        self.low, self.high, self.floor = p.min(0), p.max(0), self.room["floor"]
        self.supports, self.walls, self.targets = [], [], []
        self.furnish(house)

    def thing(self, surface: int, name: str, kind=None, states=None) -> int:
        self.surface.append(surface)
        self.category.append(INDEX[name])
        self.kind.append(kind if kind is not None else KIND_INDEX["other"] if name == "other" else ONLY_WORD)
        self.states.append([UNKNOWN if s < 0 else s for s in states] if states else [UNKNOWN] * len(STATES))
        return len(self.surface) - 1

    def put(self, thing: int, rows: np.ndarray, paints) -> None:
        paints = np.asarray(paints, dtype=np.float64).reshape(-1, 11)
        used = paints[rows[:, PAINT].astype(int)]
        self.blocks.append(np.concatenate([rows[:, :PAINT], used, np.full((len(rows), 1), thing)], 1))

    def inside(self, x: float, y: float, margin=0.0) -> bool:
        return bool(self.low[0] + margin < x < self.high[0] - margin and self.low[1] + margin < y < self.high[1] - margin)

    def furnish(self, house) -> None:
        rng, rows = self.rng, house["rows"]
        radius = np.linalg.norm(rows[:, HALF], axis=1)
        near = (np.abs(rows[:, 1:3] - (self.low + self.high) / 2) < ((self.high - self.low) / 2 + REACH_M + np.minimum(radius, 3)[:, None])).all(1)
        near &= (rows[:, 3] > self.floor - 0.5) & (rows[:, 3] < self.floor + 3.2)
        emptied = rng.random() < 0.4 and not self.as_it_is  # the simulator's furniture leaves, to make room for other
        for number in np.unique(house["thing"][near]):
            if number == 0:
                continue
            at = np.flatnonzero(house["thing"] == number)
            category, kind, *states = house["things"][number - 1]
            if kind in ("furniture", "small") and emptied and category not in ("curtain", "radiator", "ceiling lamp"):
                continue
            name = NAMES[OF_WORLD.get(category, 0)]
            self.adopt(category, kind, name, house["rows"][at], house["paints"][at].copy(), float(house["yaw"][at[0]]), states)
        if self.as_it_is:
            return
        for _ in range(rng.choice([3, 4, 6] if emptied else [0, 1, 2, 4])):
            rng.choice(ENSEMBLES)(self)
        for _ in range(rng.choice([0, 1, 2, 4, 7])):
            self.stand(rng.choice(STANDS_ALONE))
        if rng.random() < 0.25:
            self.pillar()
        for support in self.supports:
            self.fill(*support)
        self.litter()
        for wall in self.walls:
            hang(self, *wall)

    def adopt(self, category, kind, name, rows, paints, yaw, states) -> None:
        """A thing of the house: made anew where there is a maker, else as it is, often in another paint."""
        rng = self.rng
        surface = surface_of(category, kind)
        # What no word means stays as it is, unless there is a maker of its kind.
        maker = category if category in SMALL_THINGS else name
        has_maker = name in FURNITURE or category == "ceiling lamp" or (maker in SMALL_THINGS and maker != "other" and kind == "small")
        is_remade = kind != "structure" and not self.as_it_is and rng.random() < 0.8 and has_maker
        thing = self.thing(surface, name, kind_of(category, name, is_remade), None if is_remade else states)
        R = turn("z", yaw)
        local = rows[:, CENTRE] @ R
        spread = np.abs(np.einsum("ij,njk->nik", R.T, rows[:, TURN].reshape(-1, 3, 3))) @ rows[:, HALF][:, :, None]
        low, high = (local - spread[:, :, 0]).min(0), (local + spread[:, :, 0]).max(0)
        size, middle = high - low, R @ ((low + high) / 2)
        base = middle[2] - size[2] / 2
        if is_remade:
            b = Build(rng)
            if category == "ceiling lamp":
                ceiling_lamp(b, *size)
            elif name in FURNITURE and kind != "small" or name == "television":
                if name in WALL_THINGS and size[0] > size[1]:
                    size, yaw = size[[1, 0, 2]], yaw + math.pi / 2
                extra = FURNITURE[name][0](b, *size)
                if name == "shelf":
                    self.board(extra, size, middle, base, yaw)
            else:
                SMALL_THINGS[maker][0](b)
            rows, paints = b.placed(middle[0], middle[1], base, yaw), b.paints
        else:
            known = paints.copy()
            paints = paints if self.as_it_is else self.repaint(category, kind, paints)
            if (paints != known).any():  # light and drink are known by their colours
                self.states[thing][1:3] = [UNKNOWN, UNKNOWN]
            rows = rows.copy()
            rows[:, PAINT] = np.arange(len(rows))
        self.put(thing, rows, paints)
        self.note(thing, surface, name, category, rows, middle, size, yaw, base)

    def note(self, thing, surface, name, category, rows, middle, size, yaw, base) -> None:
        """Remembers what can be stood on, hung on and looked at."""
        r = np.abs(turn("z", yaw)[:2, :2]) @ size[:2] / 2
        if surface != STRUCTURE:
            self.boxes.append((middle[0] - r[0], middle[1] - r[1], middle[0] + r[0], middle[1] + r[1], base, base + size[2]))
            if self.inside(middle[0], middle[1]):
                self.targets.append((surface, *middle))
        top = base + size[2] - self.floor
        if surface == BIG and name != "shelf" and name not in WALL_THINGS and 0.25 < top < 1.55 and min(size[:2]) > 0.25:
            boxes = rows[rows[:, KIND] == BOX]
            flat = boxes[(boxes[:, 4] * boxes[:, 5] > 0.02)]
            if len(flat):
                best = flat[np.argmax(flat[:, 3] + flat[:, 6])]
                level = best[3] + best[6]
                if name in SOFT:
                    level = base + min(0.5, size[2] * 0.5)
                self.supports.append((best[1], best[2], level, best[4] * 2, best[5] * 2, yaw, "soft" if name in SOFT else "table", 1.2))
        if category == "wall" or (name in ("fridge", "wardrobe", "cabinet") and self.rng.random() < 0.3):
            for row in rows[(rows[:, KIND] == BOX) & (rows[:, 6] > 0.25) & (np.maximum(rows[:, 4], rows[:, 5]) > 0.25)][:4]:
                self.walls.append((row, category == "wall"))

    def board(self, extra, size, middle, base, yaw) -> None:
        """The levels of a shelf, to be filled."""
        levels, thick = extra
        for i, level in enumerate(levels):
            gap = (levels[i + 1] - level - thick) if i + 1 < len(levels) else 0.4
            self.supports.append((middle[0], middle[1], base + level + thick, size[0], size[1], yaw, "shelf", gap))

    def repaint(self, category, kind, paints):
        rng = self.rng
        if category == "wall" and rng.random() < 0.75:
            rgb = [min(1, c * rng.uniform(0.93, 1.05)) for c in grey(rng, 0.55, 0.97)] if rng.random() < 0.75 else build.colour(rng)
            paints[:] = build.paint(rng, rgb, (PLAIN, PLAIN, PLAIN, CLOUDS, SPECKLE, POSTER, TILES), gloss=0)
        elif category == "floor" and rng.random() < 0.75:
            paints[:] = build.paint(rng, None, (WOOD, PLANKS, TILES, SPECKLE, CLOUDS, PLAIN, CLOTH), period=rng.choice([0.08, 0.15, 0.3, 0.6]))
        elif category == "ceiling":
            paints[:] = build.paint(rng, grey(rng, 0.7, 0.97), (PLAIN, PLAIN, TILES), period=0.6, gloss=0)
        elif kind != "structure" and rng.random() < 0.5:
            paints[:] = build.paint(rng, textures=(PLAIN, WOOD, CLOTH, POSTER, CLOUDS, SPECKLE))
        return paints

    def free(self, x0, y0, x1, y1, z0, z1) -> bool:
        return not any(x0 < b[2] and x1 > b[0] and y0 < b[3] and y1 > b[1] and z0 < b[5] and z1 > b[4] for b in self.boxes)

    def spot(self, size, wall=False, free_yaw=False):
        """A free place on the floor for something of this size: x, y, yaw; with its back to a wall if wanted."""
        rng = self.rng
        for _ in range(24):
            yaw = rng.choice([0, 1, 2, 3]) * math.pi / 2 + (rng.gauss(0, 0.5) if free_yaw else 0)
            r = np.abs(turn("z", yaw)[:2, :2]) @ np.array(size[:2]) / 2
            if ((self.high - self.low) < 2 * r + 0.1).any():
                continue
            x, y = (rng.uniform(self.low[i] + r[i] + 0.02, self.high[i] - r[i] - 0.02) for i in (0, 1))
            if wall:
                back = round(yaw / (math.pi / 2)) % 4  # the front looks away from the wall behind
                x = self.low[0] + r[0] + 0.02 if back == 0 else self.high[0] - r[0] - 0.02 if back == 2 else x
                y = self.low[1] + r[1] + 0.02 if back == 1 else self.high[1] - r[1] - 0.02 if back == 3 else y
            if self.free(x - r[0], y - r[1], x + r[0], y + r[1], self.floor, self.floor + size[2]):
                return x, y, yaw
        return None

    def place(self, name, size, x, y, yaw, base=0.0, clutter=1.0) -> None:
        """A piece of furniture of a size at a place, `base` above the floor."""
        b, size = Build(self.rng), np.array(size, dtype=float)
        extra = FURNITURE[name][0](b, *size)
        thing, z = self.thing(BIG, name), self.floor + base
        rows = b.placed(x, y, z, yaw)
        self.put(thing, rows, b.paints)
        middle = np.array([x, y, z + size[2] / 2])
        if name == "shelf":
            self.board(extra, size, middle, z, yaw)
        known = len(self.supports)
        self.note(thing, BIG, name, name, rows, middle, size, yaw, z)
        if self.rng.random() > clutter:
            del self.supports[known:]

    def stand(self, name: str) -> None:
        """One more piece of furniture, mostly with its back to a wall."""
        size = [self.rng.uniform(*r) for r in FURNITURE[name][1:]]
        loose = name in ("chair", "stool", "person", "plant")
        found = self.spot(size, wall=not loose and (name != "table" or self.rng.random() < 0.4), free_yaw=loose)
        if found is not None:
            self.place(name, size, *found)

    def small(self, name, b, x, y, z, yaw) -> None:
        thing = self.thing(SMALL, name) if name in INDEX else self.thing(SMALL, "other", KIND_INDEX[name])
        self.put(thing, b.placed(x, y, z, yaw), b.paints)
        if self.inside(x, y):
            self.targets.append((SMALL, x, y, z))

    def building(self, b, x, y, z, yaw) -> None:
        """What belongs to the house: tiles, sockets, pillars."""
        self.put(self.thing(STRUCTURE, "other"), b.placed(x, y, z, yaw), b.paints)

    def pillar(self) -> None:
        """Of a wall's height, before a wall: the end of a partition, a shaft, a chimney."""
        rng = self.rng
        size = (rng.uniform(0.12, 0.5), rng.uniform(0.12, 0.6), 2.4)
        found = self.spot(size, wall=True)
        if found is not None:
            b = Build(rng)
            b.box(0, 0, 0, size[0], size[1], rng.choice([2.4, 2.4, 1.6, 1.2]), b.paint(grey(rng, 0.55, 0.97) if rng.random() < 0.8 else None, (PLAIN, PLAIN, CLOUDS), gloss=0))
            x, y, yaw = found
            self.building(b, x, y, self.floor, yaw)
            self.boxes.append((x - size[0] / 2, y - size[0] / 2, x + size[0] / 2, y + size[0] / 2, self.floor, self.floor + size[2]))

    def draw(self, place: str, clearance: float):
        """A small thing for a place, not higher than the clearance."""
        rng, column = self.rng, {"table": 1, "shelf": 2, "floor": 3, "soft": 4}[place]
        names = list(SMALL_THINGS)
        for _ in range(4):
            name = rng.choices(names, [SMALL_THINGS[n][column] for n in names])[0]
            b = Build(rng)
            maker = SMALL_THINGS[name][0]
            if name in STANDS and place in ("table", "shelf") and rng.random() < 0.2:
                maker = STANDS[name]
            maker(b)
            top = max(row[3] + row[6] for row in b.rows)
            if top < clearance:
                across = max(abs(row[1]) + row[4] for row in b.rows), max(abs(row[2]) + row[5] for row in b.rows)
                return name, b, across
        return None

    def fill(self, x, y, z, sx, sy, yaw, place, clearance) -> None:
        rng = self.rng
        if place == "shelf":
            return self.fill_board(x, y, z, sx, sy, yaw, clearance)
        density = rng.choice([0.3, 1, 2, 3.5]) if place == "table" else 0.8
        count = min(18, int(sx * sy * 6 * density * rng.random() + rng.random() * (1.6 if place == "table" else 0.5)))
        taken, R = [], turn("z", yaw)
        for _ in range(count * 3):
            if len(taken) >= count:
                break
            drawn = self.draw(place, clearance)
            if drawn is None:
                continue
            name, b, (ax, ay) = drawn
            reach = max(ax, ay)
            if sx < 2 * ax or sy < 2 * ay:
                continue
            lx, ly = rng.uniform(-sx / 2 + ax, sx / 2 - ax), rng.uniform(-sy / 2 + ay, sy / 2 - ay)
            if any(math.hypot(lx - a, ly - c) < 0.8 * (reach + d) for a, c, d in taken):
                continue
            taken.append((lx, ly, reach))
            p = R @ (lx, ly, 0)
            self.small(name, b, x + p[0], y + p[1], z, yaw + (rng.gauss(0, 0.25) if rng.random() < 0.7 else rng.uniform(0, 6.3)))
            if name == "tray" and rng.random() < 0.7:
                b = Build(rng)
                inner = rng.choice(["mug", "glass", "plate", "bowl", "bottle"])
                SMALL_THINGS[inner][0](b)
                self.small(inner, b, x + p[0], y + p[1], z + 0.008, rng.uniform(0, 6.3))

    def fill_board(self, x, y, z, sx, sy, yaw, clearance) -> None:
        """From one end to the other: rows of books, things, gaps."""
        rng, R = self.rng, turn("z", yaw)
        at, habit = -sy / 2 + 0.03, rng.random()
        while at < sy / 2 - 0.06 and clearance > 0.1:
            pick, left = rng.random(), sy / 2 - 0.03 - at
            if pick < 0.2:
                at += rng.uniform(0.05, 0.4)
                continue
            b = Build(rng)
            if pick < 0.2 + 0.6 * habit and clearance > 0.2:
                length = min(left, rng.uniform(0.08, 0.6))
                books_in_row(b, length - 0.06)
                name, ay = "book", length / 2
            else:
                drawn = self.draw("shelf", clearance)
                if drawn is None:
                    return
                name, b, (_, ay) = drawn
            if 2 * ay > left:
                return
            p = R @ (rng.uniform(-0.05, 0.05) * sx, at + ay, 0)
            self.small(name, b, x + p[0], y + p[1], z, yaw + (0 if name == "book" else rng.gauss(0, 0.15)))
            at += 2 * ay + 0.01

    def litter(self) -> None:
        rng = self.rng
        area = float(np.prod(self.high - self.low))
        for _ in range(int(rng.random() * min(area, 25) * rng.choice([0.1, 0.3, 0.7]))):
            drawn = self.draw("floor", 1.0)
            x, y = rng.uniform(self.low[0] + 0.2, self.high[0] - 0.2), rng.uniform(self.low[1] + 0.2, self.high[1] - 0.2)
            if drawn is not None and self.free(x - 0.15, y - 0.15, x + 0.15, y + 0.15, self.floor, self.floor + 0.3):
                self.small(drawn[0], drawn[1], x, y, self.floor, rng.uniform(0, 6.3))

    def cameras(self, count: int) -> list:
        """Rotation (columns right, down, forward), position, half the field of view as a tangent."""
        rng, out = self.rng, []
        for _ in range(count * 40):
            if len(out) == count:
                break
            pool = [t for t in self.targets if (t[0] == SMALL) == (rng.random() < 0.65)] or self.targets
            aim = np.array(rng.choice(pool)[1:]) if pool and rng.random() < 0.93 else None
            x, y = (rng.uniform(low + 0.1, high - 0.1) for low, high in zip(self.low, self.high))
            if aim is not None and rng.random() < 0.4:  # people go near to what they film
                away, a = rng.uniform(0.4, 1.6), rng.uniform(0, 6.3)
                x, y = aim[0] + away * math.cos(a), aim[1] + away * math.sin(a)
            height = rng.choice([rng.uniform(0.5, 1.0), rng.uniform(0.9, 1.6), rng.uniform(1.2, 1.9)])
            z = self.floor + height
            if not (self.inside(x, y, 0.1) and self.free(x - 0.1, y - 0.1, x + 0.1, y + 0.1, z - 0.1, z + 0.1)):
                continue
            if aim is None:
                a = rng.uniform(0, 6.3)
                aim = np.array([x + 2 * math.cos(a), y + 2 * math.sin(a), z + rng.uniform(-1, 0.3)])
            v = aim - (x, y, z) + [rng.gauss(0, 0.3), rng.gauss(0, 0.3), rng.gauss(0, 0.2)]
            distance = np.linalg.norm(v)
            if not 0.45 < distance < 5:
                continue
            f = v / distance
            right = np.cross(f, [0, 0, 1.0])
            if np.linalg.norm(right) < 0.2 or f[2] > 0.35:  # people seldom film the ceiling
                continue
            right /= np.linalg.norm(right)
            R = np.stack([right, np.cross(f, right), f], 1) @ turn("z", rng.gauss(0, 0.1) if rng.random() < 0.9 else rng.gauss(0, 0.4))
            fov = math.radians(rng.choice([rng.uniform(55, 64), rng.uniform(55, 64), rng.uniform(62, 72), rng.uniform(70, 92)]))
            out.append((R.astype(np.float32), np.array([x, y, z], dtype=np.float32), math.tan(fov / 2), height))
        return out


def make_room(house, seed: int, cameras: int):
    """Everything that render.py needs of one room, as arrays."""
    rng = random.Random(seed)
    room = Room(house, rng)
    solids = np.concatenate(room.blocks).astype(np.float32)
    labels = (np.array(of, dtype=np.int64) for of in (room.surface, room.category, room.kind, room.states))
    return solids, tuple(labels), room.cameras(cameras), seed
