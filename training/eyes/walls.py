"""What hangs on walls, cupboards and tiles: notices, pictures, boards, clocks, screens, sockets, boards with things on them."""
import math

import numpy as np

from build import CENTRE, CLOUDS, HALF, PAGE, PLAIN, POSTER, TURN, WOOD, WRITING, Build, grey, turn
from categories import FURNITURE as BIG
from furniture import screen, sockets
from tableware import WHITE


def hang(room, row, is_wall) -> None:
    """Notices, pictures, boards, clocks, switches on both sides of a wall; notices on the front of a cupboard."""
    rng, half, R = room.rng, row[HALF], row[TURN].reshape(3, 3)
    axis = 0 if half[0] < half[1] else 1
    length = 2 * half[1 - axis]
    if is_wall and half[axis] > 0.4:
        return
    for _ in range(min(9, int(rng.random() * length * rng.choice([0.3, 1, 2.2])))):
        pick = rng.random()
        name = "paper" if pick < 0.5 or not is_wall else "picture" if pick < 0.72 else "whiteboard" if pick < 0.78 else "clock" if pick < 0.83 else "shelf" if pick < 0.87 else "mirror" if pick < 0.9 else "television" if pick < 0.95 else "socket" if pick < 0.98 else "other"
        w, h, deep = {"paper": (rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.35), 0.003), "picture": (rng.uniform(0.2, 1.0), rng.uniform(0.2, 0.9), rng.uniform(0.01, 0.04)), "whiteboard": (rng.uniform(0.8, 1.8), rng.uniform(0.6, 1.1), 0.03), "clock": (0.28, 0.28, 0.05), "shelf": (rng.uniform(0.5, 1), 0.03, 0.22), "mirror": (rng.uniform(0.3, 0.8), rng.uniform(0.4, 1), 0.02), "television": (rng.uniform(0.5, 1.3), rng.uniform(0.32, 0.75), rng.uniform(0.03, 0.14)), "socket": (rng.choice([0.08, 0.15, 0.23]), 0.08, 0.012), "other": (rng.uniform(0.06, 0.3), rng.uniform(0.06, 0.3), rng.uniform(0.01, 0.12))}[name]
        if w + 0.1 > length or h + 0.1 > 2 * half[2]:
            continue
        side = rng.choice([-1, 1])
        along = rng.uniform(-length / 2 + w / 2, length / 2 - w / 2)
        level = rng.uniform(0.8, 2.0) if is_wall else rng.uniform(0.3, 1.7)
        z = min(max(row[3] - half[2] + 0.05, room.floor + level - h / 2), row[3] + half[2] - h - 0.05)
        off = side * half[axis]
        q = np.array([off, along, 0.0]) if axis == 0 else np.array([along, off, 0.0])
        p = R @ q + row[CENTRE]
        yaw = math.atan2(R[1, axis] * side, R[0, axis] * side)
        b = Build(rng)
        flat(b, name, w, h, deep)
        if name == "shelf":
            room.put(room.thing(BIG, name), b.placed(p[0], p[1], z, yaw), b.paints)
            room.fill_board(p[0] + math.cos(yaw) * deep / 2, p[1] + math.sin(yaw) * deep / 2, z + h, deep, w, yaw, 0.35)
        elif name == "socket":
            room.building(b, p[0], p[1], z, yaw)
        else:
            room.small(name, b, p[0], p[1], z, yaw)


def notices(room, x, y, z, yaw, length, high) -> None:
    """Leaflets and sheets side by side on the front of a cupboard or on tiles; (x, y, z) is the middle of the lower edge."""
    rng, R = room.rng, turn("z", yaw)
    at, level = -length / 2 + rng.uniform(0.02, 0.4) * length, rng.uniform(0, 0.5)
    while at < length / 2:
        w, h = rng.uniform(0.09, 0.24), rng.uniform(0.12, 0.31)
        if at + w > length / 2 or h > high:
            return
        b = Build(rng)
        flat(b, "paper", w, h, rng.choice([0.003, 0.003, 0.01]))
        p = R @ (0, at + w / 2, 0)
        room.small("paper", b, x + p[0], y + p[1], z + (high - h) * min(1, max(0, level + rng.gauss(0, 0.08))), yaw)
        at += w + rng.choice([0.01, 0.05, 0.15, 0.4]) * rng.uniform(0.5, 1.5)


def flat(b, name, w, h, deep) -> None:
    """What hangs on a wall: its back at x = 0."""
    r = b.rng
    if name == "paper":
        b.box(deep / 2, 0, 0, deep, w, h, b.paint(WHITE if r.random() < 0.7 else None, (WRITING, PAGE, PAGE, PAGE, POSTER, PLAIN), accent=(0.1, 0.1, 0.12) if r.random() < 0.5 else None, period=r.uniform(0.008, 0.03)))
    elif name == "clock":
        b.pillar(deep / 2, 0, h / 2 - deep / 2, w, deep, b.paint(), R=turn("y", math.pi / 2))
        b.pillar(deep / 2 + 0.004, 0, h / 2 - deep / 2, w * 0.88, deep, b.paint(WHITE if r.random() < 0.7 else None), R=turn("y", math.pi / 2))
        for k in (0.2, 0.32):
            a = r.uniform(0, 6.3)
            b.rod((deep + 0.006, 0, h / 2), (deep + 0.006, math.cos(a) * w * k, h / 2 + math.sin(a) * w * k), 0.012, b.paint(grey(r, 0.01, 0.1)))
    elif name == "television":
        screen(b, w, h, r_foot=False, out=deep)
    elif name == "socket":
        sockets(b, w)
    elif name in ("picture", "mirror", "whiteboard"):
        e = r.uniform(0.01, 0.05) * (r.random() < 0.8)
        b.box(deep / 2, 0, 0, deep, w, h, b.paint(grey(r, 0.3, 0.8) if name == "whiteboard" else None, (WOOD, PLAIN)))
        inner = {"picture": lambda: b.paint(None, (POSTER, PAGE, PAGE, CLOUDS, WRITING), period=r.uniform(0.03, 0.3)), "mirror": lambda: b.paint(grey(r, 0.4, 0.8), (CLOUDS,), accent=grey(r, 0.1, 0.9), period=0.6, gloss=0.9), "whiteboard": lambda: b.paint((0.93, 0.94, 0.95), (PLAIN, WRITING), accent=r.choice([(0.1, 0.1, 0.5), (0.1, 0.1, 0.1), (0.6, 0.1, 0.1)]), period=r.uniform(0.05, 0.12), gloss=0.5)}[name]()
        b.box(deep / 2 + 0.002, 0, e, deep, w - 2 * e, h - 2 * e, inner)
    else:
        b.box(deep / 2, 0, 0, deep, w, h, b.paint(grey(r, 0.6, 0.95) if r.random() < 0.5 else None, (PLAIN, WOOD)))
