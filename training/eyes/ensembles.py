"""Things as they stand together: a table with its chairs, a desk with its screen, a row of kitchen units, a wall of shelves."""
import math

from build import CHECKER, PLAIN, TILES, Build, grey, turn
from furniture import FURNITURE, sockets
from small import SMALL_THINGS
from tableware import book, box, leaning_book, magazine, paper, plinth, standing_paper
from walls import notices


def dining(room) -> None:
    rng = room.rng
    x, y, z = rng.uniform(0.7, 1.0), rng.uniform(0.8, 2.0), rng.uniform(0.68, 0.78)
    spot = room.spot((x + 1.0, y + 0.6, z))
    if spot is None:
        return
    cx, cy, yaw = spot
    room.place("table", (x, y, z), cx, cy, yaw)
    for side in (-1, 1):
        for k in range(max(1, int(y / 0.65))):
            if rng.random() < 0.25:
                continue
            along = ((k + 0.5) / max(1, int(y / 0.65)) - 0.5) * y
            # Behind the seat is the outside; some are pushed under the table, some stand away from it.
            out = side * (x / 2 + rng.uniform(-0.05, 0.35))
            p = turn("z", yaw) @ (out, along, 0)
            facing = yaw + (math.pi if side > 0 else 0) + rng.gauss(0, 0.25)
            room.place("chair", (0.45, 0.44, rng.uniform(0.78, 1.0)), cx + p[0], cy + p[1], facing)


def desk(room) -> None:
    rng = room.rng
    x, y, z = rng.uniform(0.6, 0.85), rng.uniform(1.0, 1.9), rng.uniform(0.7, 0.77)
    spot = room.spot((x, y, z), wall=True)
    if spot is None:
        return
    cx, cy, yaw = spot
    room.place("table", (x, y, z), cx, cy, yaw, clutter=0.5)
    R = turn("z", yaw)

    def on(name, ax, ay, turned=0.0, height=z):
        b = Build(rng)
        SMALL_THINGS[name][0](b)
        p = R @ (ax, ay, 0)
        room.small(name, b, cx + p[0], cy + p[1], room.floor + height, yaw + turned)

    middle = rng.uniform(-0.2, 0.2) * y
    for k in range(rng.choice([1, 1, 2])):
        on("monitor", -x * 0.25, middle + k * 0.6, rng.gauss(0, 0.15))
    if rng.random() < 0.85:
        on("keyboard", x * 0.2, middle, rng.gauss(0, 0.08))
        on("computer mouse", x * 0.2, middle - 0.32, rng.gauss(0, 0.3))
    if rng.random() < 0.4:
        on("computer tower", 0, rng.choice([-1, 1]) * (y / 2 - 0.2), 0, 0)
    if rng.random() < 0.85:
        p = R @ (x / 2 + rng.uniform(0.1, 0.5), middle + rng.uniform(-0.3, 0.3), 0)
        room.place("chair", (0.5, 0.5, rng.uniform(0.85, 1.05)), cx + p[0], cy + p[1], yaw + math.pi + rng.gauss(0, 0.7))


def row(room, units, above=None) -> None:
    """Units side by side along a wall, `above` hanging over them."""
    rng = room.rng
    depth, width = 0.6, sum(w for _, w, _ in units)
    spot = room.spot((depth, width, 0.9), wall=True)
    if spot is None:
        return
    cx, cy, yaw = spot
    R, at = turn("z", yaw), -width / 2
    for name, w, h in units:
        deep = depth if name != "shelf" else rng.uniform(0.25, 0.4)
        p = R @ (-(depth - deep) / 2, at + w / 2, 0)
        room.place(name, (deep, w - 0.005, h), cx + p[0], cy + p[1], yaw)
        if above is not None and h < 1.0 and rng.random() < 0.75:
            q = R @ (-(depth - 0.34) / 2, at + w / 2, 0)
            high, base = rng.uniform(0.5, 0.8), rng.uniform(1.35, 1.5)
            room.place(above, (0.34, w - 0.005, high), cx + q[0], cy + q[1], yaw, base=base)
            if above == "cabinet" and rng.random() < 0.2:
                f = R @ (-depth / 2 + 0.34 + 0.012, at + w / 2, 0)
                notices(room, cx + f[0], cy + f[1], room.floor + base + 0.01, yaw, w, high)
        at += w
    if above is not None and rng.random() < 0.7:
        splash(room, cx, cy, yaw, depth, width)


def splash(room, cx, cy, yaw, depth, width) -> None:
    """Tiles or a panel on the wall above the units, with sockets and notices."""
    rng, R = room.rng, turn("z", yaw)
    b, out = Build(rng), -depth / 2 + 0.003
    tile = b.paint(grey(rng, 0.35, 0.95) if rng.random() < 0.7 else None, (TILES, TILES, TILES, CHECKER, PLAIN), period=rng.choice([0.05, 0.1, 0.15, 0.2]), gloss=rng.choice([0.2, 0.5, 0.9]))
    high = rng.choice([0.3, 0.5, 0.6, 1.2])
    b.box(out, 0, 0, 0.01, width + rng.uniform(0, 0.6), high, tile)
    room.building(b, cx, cy, room.floor + 0.9, yaw)
    for _ in range(rng.randint(0, 3)):
        b = Build(rng)
        sockets(b, rng.choice([0.08, 0.15, 0.15, 0.23]))
        p = R @ (out + 0.005, rng.uniform(-0.45, 0.45) * width, 0)
        room.building(b, cx + p[0], cy + p[1], room.floor + rng.uniform(1.02, 1.3), yaw)
    if rng.random() < 0.45:
        p = R @ (out + 0.006, 0, 0)
        notices(room, cx + p[0], cy + p[1], room.floor + 0.92, yaw, width, min(high, 0.6) - 0.03)


def kitchen(room) -> None:
    rng = room.rng
    units = []
    for _ in range(rng.randint(2, 6)):
        name = rng.choice(["counter", "counter", "counter", "cabinet", "oven", "washing machine", "fridge"])
        width = {"counter": rng.uniform(0.6, 1.6), "cabinet": rng.uniform(0.5, 1.0)}.get(name, 0.6)
        units.append((name, width, rng.choice([0.9, 1.8]) if name == "fridge" else 0.9))
    row(room, units, "cabinet" if rng.random() < 0.75 else "shelf")


def shelves(room) -> None:
    rng = room.rng
    high = rng.uniform(1.2, 2.1)
    row(room, [(rng.choice(["shelf", "shelf", "cabinet"]), rng.uniform(0.6, 1.2), high) for _ in range(rng.randint(1, 3))])


def lounge(room) -> None:
    rng = room.rng
    size = [rng.uniform(*r) for r in FURNITURE["sofa"][1:]]
    spot = room.spot(size, wall=rng.random() < 0.7)
    if spot is None:
        return
    cx, cy, yaw = spot
    room.place("sofa", size, cx, cy, yaw)
    p = turn("z", yaw) @ (size[0] / 2 + rng.uniform(0.6, 0.9), 0, 0)
    room.place("table", (rng.uniform(0.45, 0.7), rng.uniform(0.7, 1.2), rng.uniform(0.35, 0.5)), cx + p[0], cy + p[1], yaw)


def claimed(room, may):
    """A long surface to put a row of things on; half of the time nothing else is put there."""
    wide = [support for support in room.supports if support[4] > 0.5 and may(support[6], support[7])]
    if not wide:
        return None
    support = room.rng.choice(wide)
    if room.rng.random() < 0.5:
        room.supports.remove(support)
    return support


def prints(room) -> None:
    """Brochures, leaflets and pictures that stand along the back of a counter, a table or a board."""
    rng = room.rng
    support = claimed(room, lambda place, clearance: place in ("table", "shelf") and clearance > 0.34)
    if support is None:
        return
    x, y, z, deep, length, yaw, *_ = support
    R, at = turn("z", yaw), -length / 2 + 0.15
    while at < length / 2 - 0.15:
        name, make = rng.choice([("book", leaning_book), ("book", leaning_book), ("paper", standing_paper), ("picture", SMALL_THINGS["picture"][0])])
        b = Build(rng)
        make(b)
        p = R @ (-deep / 2 + rng.uniform(0.05, 0.12), at, 0)
        room.small(name, b, x + p[0], y + p[1], z, yaw + rng.gauss(0, 0.2))
        at += rng.uniform(0.2, 0.5)


def spread(room) -> None:
    """Magazines, sheets and books that lie over each other on a table: each is a thing of its own."""
    rng = room.rng
    tables = [support for support in room.supports if support[6] == "table" and min(support[3], support[4]) > 0.4]
    if not tables:
        return
    x, y, z, deep, length, yaw, *_ = rng.choice(tables)
    R, lx, ly = turn("z", yaw), rng.uniform(-0.3, 0.3) * deep, rng.uniform(-0.3, 0.3) * length
    # Strewn, or a pile that has slipped: nearly one way, each a few centimetres beside the one below.
    slipped, way = rng.random() < 0.5, rng.uniform(0, 6.3)
    reach = 0.12 if slipped else 0.25
    for k in range(rng.randint(2, 6)):
        name, make = rng.choice([("book", magazine), ("book", magazine), ("paper", paper), ("paper", paper), ("book", book)])
        b = Build(rng)
        make(b)
        if max(row[3] + row[6] for row in b.rows) > 0.06:
            continue
        lx, ly = (max(-0.5 * s + 0.1, min(0.5 * s - 0.1, v + rng.uniform(-reach, reach))) for v, s in ((lx, deep), (ly, length)))
        p = R @ (lx, ly, 0)
        room.small(name, b, x + p[0], y + p[1], z + 0.003 * k, way + rng.gauss(0, 0.2) if slipped else rng.uniform(0, 6.3))


def models(room) -> None:
    """Flat boxes side by side on a counter or a table, with a thing on most of them."""
    rng = room.rng
    support = claimed(room, lambda place, _: place == "table")
    if support is None:
        return
    x, y, z, deep, length, yaw, *_ = support
    R, at, front = turn("z", yaw), rng.uniform(-0.5, 0.1) * length, rng.uniform(-0.15, 0.1) * deep
    for _ in range(rng.randint(1, 5)):
        b = Build(rng)
        px, py, high = plinth(b)
        if at + py > length / 2:
            return
        p, turned = R @ (front, at + py / 2, 0), yaw + rng.gauss(0, 0.12)
        room.small("box", b, x + p[0], y + p[1], z, turned)
        if rng.random() < 0.75:
            b = Build(rng)
            name = rng.choice(["box", "other", "other", "picture", "phone", "speaker", "toy", "mug", "clock"])
            SMALL_THINGS[name][0](b)
            if max(abs(row[1]) + row[4] for row in b.rows) < 0.6 * px and max(abs(row[2]) + row[5] for row in b.rows) < 0.6 * py:
                room.small(name, b, x + p[0], y + p[1], z + high, turned + rng.gauss(0, 0.2))
        at += py + rng.choice([0.0, 0.01, 0.05, 0.2])


def stack(room) -> None:
    """Boxes on and beside each other, on the floor or on a table: each is a thing of its own."""
    rng = room.rng
    table = claimed(room, lambda place, _: place == "table") if rng.random() < 0.5 else None
    found = room.spot((0.5, 0.9, 0.6), wall=True)
    if table is not None:
        x, y, z, _, _, yaw, *_ = table
    elif found is not None:
        x, y, yaw = found
        z = room.floor
    else:
        return
    R, at = turn("z", yaw), -0.4
    while at < 0.3:
        level, wide = 0.0, 0.0
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            b = Build(rng)
            box(b)
            high, across = (max(row[3] + row[6] for row in b.rows), max(abs(row[2]) + row[5] for row in b.rows))
            if level > 0 and across > 0.75 * wide:  # what is larger than what carries it would hang over
                continue
            wide = max(wide, across * 2)
            p = R @ (rng.uniform(-0.03, 0.03), at + wide / 2, 0)
            room.small("box", b, x + p[0], y + p[1], z + level, yaw + rng.gauss(0, 0.15))
            level += high
        at += wide + rng.choice([0.0, 0.02, 0.1])


ENSEMBLES = [dining, dining, desk, desk, kitchen, kitchen, kitchen, shelves, lounge, prints, prints, spread, spread, models, stack]
