"""Fittings, appliances, lamps, plants and people in several makes each; and the table of all furniture."""
import math

from build import CLOTH, CLOUDS, GLASS, LEAVES, METAL, PLAIN, POSTER, SCREEN, SPECKLE, WOOD, WRITING, grey, turn
from seating import CLOTHS, WOODS, bed, bench, cabinet, cabinet_at, chair, counter, shelf, sofa, stool, table


def fridge(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.75, 0.96) if r.random() < 0.6 else grey(r, 0.1, 0.7), (PLAIN, METAL), gloss=0.4)
    cut = r.choice([0.35, 0.62, 0.68, 0.7])
    cabinet_at(b, 0, 0, 0.04, x, y, z - 0.04, p, 1, 1)
    b.box(x / 2 + 0.01, 0, z * cut, 0.022, y, 0.008, b.paint(grey(r, 0.02, 0.2)))


def oven(b, x, y, z):
    r = b.rng
    p, dark = b.paint(grey(r, 0.1, 0.95), (PLAIN, METAL), gloss=0.5), b.paint(grey(r, 0.02, 0.08), gloss=0.9)
    b.box(0, 0, 0, x, y, z - 0.02, p)
    b.box(0, 0, z - 0.02, x, y, 0.02, dark if r.random() < 0.6 else p)
    for i in (-1, 1):
        for j in (-1, 1):
            b.pillar(i * x * 0.23, j * y * 0.23, z, r.uniform(0.14, 0.2), r.choice([0.002, 0.015]), b.paint(grey(r, 0.03, 0.3)))
    b.box(x / 2, 0, z * 0.3, 0.02, y * 0.85, z * 0.4, dark)
    b.rod((x / 2 + 0.04, -y * 0.4, z * 0.75), (x / 2 + 0.04, y * 0.4, z * 0.75), 0.02, b.paint((0.7, 0.7, 0.7), (METAL,), gloss=0.8))
    for j in range(5):
        b.pillar(x / 2 + 0.015, (j - 2) * y * 0.17, z * 0.86, 0.04, 0.03, dark, R=turn("y", math.pi / 2))


def microwave(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.03, 0.95), (PLAIN, METAL))
    b.box(0, 0, 0.01, x, y, z, p)
    b.box(x / 2, y * 0.12, z * 0.15, 0.01, y * 0.66, z * 0.75, b.paint(grey(r, 0.01, 0.08), gloss=0.9))
    b.box(x / 2, -y * 0.37, z * 0.15, 0.012, y * 0.18, z * 0.75, b.paint(grey(r, 0.05, 0.5), (WRITING,), period=0.02))
    b.rod((x / 2 + 0.03, -y * 0.24, z * 0.2), (x / 2 + 0.03, -y * 0.24, z * 0.85), 0.015, p)


def washing_machine(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.7, 0.96) if r.random() < 0.75 else grey(r, 0.2, 0.6))
    b.box(0, 0, 0, x, y, z, p)
    b.pillar(x / 2 + 0.02, 0, z * 0.45 - 0.03, y * 0.6, 0.05, b.paint(grey(r, 0.5, 0.9), (METAL,)), R=turn("y", math.pi / 2), high=0.9)
    b.pillar(x / 2 + 0.035, 0, z * 0.45 - 0.03, y * 0.42, 0.05, b.paint(grey(r, 0.02, 0.2), gloss=0.9), R=turn("y", math.pi / 2))
    b.box(x / 2, 0, z * 0.86, 0.012, y * 0.95, z * 0.11, b.paint(grey(r, 0.4, 0.9), (WRITING,), period=0.04))


def sink(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.85, 0.97), gloss=0.7) if r.random() < 0.7 else b.paint(grey(r, 0.5, 0.75), (METAL,), gloss=0.8)
    if z > 0.5:
        b.pillar(-x * 0.2, 0, 0, 0.2, z - 0.14, p, high=0.8)
    top, h = max(z, 0.16), 0.15
    (b.box(0, 0, top - h, x, y, h, p, hollow=1) if r.random() < 0.5 else b.pillar(0, 0, top - h, x, h, p, low=0.6, hollow=1, dy=y))
    chrome = b.paint((0.75, 0.77, 0.8), (METAL,), gloss=0.9)
    b.rod((-x * 0.42, 0, top - 0.02), (-x * 0.42, 0, top + 0.16), 0.03, chrome)
    b.rod((-x * 0.42, 0, top + 0.15), (-x * 0.1, 0, top + r.uniform(0.1, 0.18)), 0.022, chrome)


def toilet(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.85, 0.97), gloss=0.7)
    b.pillar(0.02, 0, 0, x * 0.55, 0.34, p, low=0.6, dy=y * 0.8)
    b.pillar(x * 0.1, 0, 0.3, x * 0.72, 0.1, p, low=0.85, dy=y * 0.95, hollow=r.random() < 0.5)
    if r.random() < 0.6:
        b.pillar(x * 0.1, 0, 0.4, x * 0.74, 0.03, p, dy=y)
    else:
        b.ball(-x * 0.25, 0, 0.4, 0.04, y, 0.4, p)
    if r.random() < 0.7:
        b.box(-x / 2 + 0.09, 0, 0.38, 0.18, y, z - 0.38, p)
        b.box(-x / 2 + 0.09, 0, z, 0.2, y * 1.05, 0.025, p)


def bathtub(b, x, y, z):
    b.box(0, 0, 0, x, y, z, b.paint(grey(b.rng, 0.85, 0.97), gloss=0.6), hollow=1)


def television(b, x, y, z):
    screen(b, y, z, r_foot=b.rng.random() < 0.7)


def sockets(b, w):
    """A plate with a socket or a switch every 8 cm; its back at x = 0."""
    r = b.rng
    b.box(0.005, 0, 0, 0.01, w, 0.08, b.paint(grey(r, 0.75, 0.97) if r.random() < 0.8 else None))
    for k in range(max(1, round(w / 0.08))):
        p, y = b.paint(grey(r, 0.02, 0.97)), (k + 0.5) * 0.077 - w / 2
        (b.box(0.008, y, 0.02, 0.012, 0.04, 0.04, p) if r.random() < 0.5 else b.pillar(0.008, y, 0.035, 0.04, 0.012, p, R=turn("y", math.pi / 2)))
        if r.random() < 0.2:  # a plug with its cable
            dark = b.paint(grey(r, 0.02, 0.2))
            b.box(0.03, y, 0.02, 0.04, 0.04, 0.04, dark)
            b.rod((0.05, y, 0.03), (0.06, y + r.uniform(-0.1, 0.1), -0.25), 0.008, dark)


def screen(b, w, h, r_foot=True, out=None):
    """`out`: how far from a wall at x = 0 it hangs, instead of standing."""
    r = b.rng
    bezel = b.paint(grey(r, 0.02, 0.12) if r.random() < 0.8 else grey(r, 0.5, 0.95))
    glass = b.paint(grey(r, 0.02, 0.07), gloss=0.9) if r.random() < 0.55 else b.paint(textures=(SCREEN,), gloss=0.9, glow=r.uniform(0.3, 0.9), period=r.uniform(0.02, 0.1))
    lift = r.uniform(0.05, 0.16) if r_foot else 0
    lean, e, x = turn("y", -r.uniform(-0.03, 0.2)), r.uniform(0.006, 0.025), 0
    if out is not None:
        lean, e, x = turn("y", r.choice([0, 0, r.uniform(0, 0.15)])), r.uniform(0.006, 0.05), out
        b.box(x / 2, 0, h * 0.35, x, 0.1, h * 0.3, bezel)
    b.box(x, 0, lift, r.uniform(0.02, 0.06), w, h - lift, bezel, lean)
    b.box(x + 0.02, 0, lift + e, 0.03, w - 2 * e, h - lift - 2 * e, glass, lean)
    if r_foot:
        b.box(-0.03, 0, 0, 0.03, r.uniform(0.05, 0.12), lift + h * 0.4, bezel)
        (b.box(0, 0, 0, 0.2, w * r.uniform(0.35, 0.6), 0.015, bezel) if r.random() < 0.6 else b.pillar(0, 0, 0, 0.22, 0.015, bezel, dy=w * 0.5))


def door(b, x, y, z):
    r = b.rng
    p = b.paint(grey(r, 0.7, 0.95), WOODS) if r.random() < 0.5 else b.paint(textures=WOODS)
    b.box(0, 0, 0, x, y, z, p)
    q = b.paint(tuple(c * 0.9 for c in b.paints[p][:3]), WOODS) if r.random() < 0.7 else b.paint((0.55, 0.62, 0.65), (GLASS,), gloss=0.8)
    if r.random() < 0.65:
        n = r.randint(1, 3)
        for i in range(n):
            b.box(0, 0, 0.15 + i * (z - 0.2) / n, x + 0.006, y * 0.72, (z - 0.2) / n - 0.1, q)
    metal = b.paint(grey(r, 0.3, 0.8), (METAL,), gloss=0.8)
    for i in (-1, 1):
        b.rod((i * (x / 2 + 0.05), y * 0.42, z * 0.5), (i * (x / 2 + 0.05), y * 0.3, z * 0.5), 0.02, metal)
        b.pillar(i * (x / 2 + 0.02), y * 0.42, z * 0.5 - 0.03, 0.045, 0.06, metal, R=turn("y", math.pi / 2))


def window(b, x, y, z):
    r = b.rng
    frame = b.paint(grey(r, 0.7, 0.97)) if r.random() < 0.7 else b.paint(textures=WOODS)
    day = r.random() < 0.75
    view = b.paint((0.8, 0.87, 0.95) if day else grey(r, 0.01, 0.08), (CLOUDS, LEAVES, PLAIN, POSTER), accent=(0.35, 0.5, 0.3) if day else None, period=r.uniform(0.2, 0.8), glow=0.9 if day else 0.1, gloss=0.5)
    b.box(0, 0, 0, min(x, 0.03), y, z, view)
    t, k = r.uniform(0.04, 0.08), x + 0.02
    for j in (-1, 1):
        b.box(0, j * (y / 2 - t / 2), 0, k, t, z, frame)
        b.box(0, 0, 0 if j < 0 else z - t, k, y, t, frame)
    for i in range(r.choice([0, 1, 1, 2])):
        b.box(0, ((i + 1) / 2 - 0.5) * y * 0.66, 0, k, t, z, frame)
    if r.random() < 0.3:
        b.box(0, 0, z * 0.6, k, y, t * 0.7, frame)
    if r.random() < 0.25:  # a blind of slats
        slat = b.paint(grey(r, 0.6, 0.95))
        top = r.uniform(0.1, 0.7) * z
        for i in range(int(top / 0.06)):
            b.box(k / 2, 0, z - 0.05 - i * 0.06, 0.04, y * 0.95, 0.004, slat, turn("y", r.uniform(0.2, 0.9)))


def curtain(b, x, y, z):
    p, n = b.paint(textures=CLOTHS, soft=0.01), max(3, int(y / b.rng.uniform(0.07, 0.14)))
    for i in range(n):
        b.pillar((i % 2) * 0.03 - 0.015, (i + 0.5) * y / n - y / 2, 0, 0.06, z, p, dy=1.35 * y / n)


def radiator(b, x, y, z):
    r = b.rng
    p, n = b.paint(grey(r, 0.75, 0.97)), max(4, int(y / r.uniform(0.05, 0.09)))
    if r.random() < 0.35:
        b.box(0, 0, 0, x * 0.6, y, z, p)
        return
    for i in range(n):
        b.box(0, (i + 0.5) * y / n - y / 2, 0, x, 0.7 * y / n, z, p)
    b.box(0, 0, z * 0.1, x * 0.5, y, z * 0.8, p)


def lamp(b, x, y, z):
    """Stands: on a desk or on the floor."""
    r = b.rng
    p, on = b.paint(textures=(PLAIN, METAL, WOOD)), r.random() < 0.45
    shade = b.paint((0.95, 0.88, 0.7) if on else None, (PLAIN, CLOTH), glow=0.8 if on else 0)
    w = max(x, y)
    b.pillar(0, 0, 0, w * 0.65, 0.025, p, high=0.9)
    if r.random() < 0.4 and z < 1:
        b.rod((0, 0, 0.02), (-w * 0.3, 0, z * 0.6), 0.02, p)
        b.rod((-w * 0.3, 0, z * 0.6), (w * 0.3, 0, z * 0.92), 0.02, p)
        b.pillar(w * 0.35, 0, z * 0.8, 0.16, 0.12, shade, high=0.35, R=turn("y", 0.5))
        return
    body = r.choice(["rod", "ball", "taper"])
    b.rod((0, 0, 0), (0, 0, z * 0.75), 0.022, p)
    if z < 1 and body == "ball":
        b.ball(0, 0, 0.02, w * 0.6, w * 0.6, z * 0.5, p)
    elif z < 1 and body == "taper":
        b.pillar(0, 0, 0, w * 0.55, z * 0.55, p, high=0.3)
    h = min(0.35, z * 0.42)
    (b.pillar(0, 0, z - h, w, h, shade, high=r.uniform(0.4, 1)) if r.random() < 0.75 else b.ball(0, 0, z - h, w * 0.9, w * 0.9, h, shade))


def ceiling_lamp(b, x, y, z):
    r = b.rng
    p = b.paint((0.97, 0.95, 0.88), (PLAIN,), glow=r.choice([0, 0.9]))
    w = max(0.2, min(x, y, 0.6))
    make = r.choice(["disc", "tube", "ball", "panel", "cone"])
    if make == "disc":
        b.pillar(0, 0, 0, w, z, p, low=0.7)
    elif make == "panel":
        b.box(0, 0, z - 0.05, 0.3, 1.2, 0.05, p)
    elif make == "tube":
        b.rod((0, -0.6, z - 0.06), (0, 0.6, z - 0.06), 0.05, p)
    elif make == "ball":
        b.ball(0, 0, 0, w * 0.7, w * 0.7, min(z, w * 0.7), p)
    else:
        b.pillar(0, 0, 0, w, min(z, 0.3), p, high=0.2)
    b.rod((0, 0, 0.02), (0, 0, z), 0.012, p)


def plant(b, x, y, z):
    r = b.rng
    pot, leaf = b.paint(textures=(PLAIN, SPECKLE, CLOUDS)), b.paint((r.uniform(0.1, 0.35), r.uniform(0.3, 0.6), r.uniform(0.08, 0.25)), (LEAVES,), period=r.uniform(0.02, 0.08))
    w, h = max(x, y), z * r.uniform(0.2, 0.35)
    (b.pillar(0, 0, 0, w * 0.6, h, pot, low=r.uniform(0.6, 1)) if r.random() < 0.8 else b.box(0, 0, 0, w * 0.5, w * 0.5, h, pot))
    if r.random() < 0.4:
        b.ball(0, 0, h * 0.7, w, w, z - h * 0.7, leaf)
    for _ in range(r.randint(6, 22)):
        a, e, l = r.uniform(0, 6.3), r.uniform(0.2, 1.45), r.uniform(0.3, 1) * (z - h)
        d = (math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e))
        k = min(1, w * 0.8 / max(1e-3, l * math.cos(e)))
        m = (d[0] * l * 0.5 * k, d[1] * l * 0.5 * k, h + d[2] * l * 0.5)
        R = turn("z", a) @ turn("y", math.pi / 2 - e)
        b.ball(m[0], m[1], m[2] - l / 2, 0.012, r.uniform(0.03, 0.1), l, leaf, R)


def person(b, x, y, z):
    r = b.rng
    h, sits = r.uniform(1.5, 1.9), r.random() < 0.3
    shirt, legs = b.paint(textures=CLOTHS, soft=0.015), b.paint(grey(r, 0.03, 0.4) if r.random() < 0.6 else None, CLOTHS, soft=0.01)
    tone = r.uniform(0.25, 1)
    skin, hair = b.paint((0.9 * tone, 0.68 * tone, 0.55 * tone)), b.paint(grey(r, 0.02, 0.4) if r.random() < 0.7 else (0.5, 0.33, 0.15))
    hip = 0.48 if sits else h * 0.5
    for j in (-1, 1):
        if sits:
            b.rod((0, j * 0.1, hip), (0.42, j * 0.12, hip), 0.16, legs)
            b.rod((0.42, j * 0.12, hip), (0.42, j * 0.12, 0.05), 0.12, legs)
        else:
            b.rod((r.uniform(-0.15, 0.15), j * 0.1, 0.04), (0, j * 0.09, hip), 0.15, legs)
        b.ball((0.46 if sits else 0.04), j * 0.12, 0, 0.27, 0.1, 0.09, b.paint(grey(r, 0.02, 0.9)))
        elbow = (r.uniform(-0.05, 0.25), j * r.uniform(0.22, 0.34), hip + h * 0.15)
        b.rod((0, j * 0.2, hip + h * 0.29), elbow, 0.1, shirt)
        b.rod(elbow, (elbow[0] + r.uniform(0, 0.25), elbow[1] * 0.8, elbow[2] + r.uniform(-0.2, 0.15)), 0.075, skin)
    b.pillar(0, 0, hip - 0.04, 0.25, h * 0.34, shirt, low=0.8, dy=0.42)
    b.ball(0, 0, hip + h * 0.22, 0.25, 0.44, h * 0.13, shirt)
    b.rod((0, 0, hip + h * 0.3), (0, 0, hip + h * 0.38), 0.11, skin)
    b.ball(0.02, 0, hip + h * 0.35, 0.21, 0.17, 0.24, skin)
    b.ball(-0.02, 0, hip + h * 0.38, 0.22, 0.19, 0.22 if r.random() < 0.7 else 0.35, hair)


# Name → maker and the range of sizes it comes in: depth, width, height.
FURNITURE = {
    "chair": (chair, (0.42, 0.58), (0.4, 0.55), (0.75, 1.02)), "stool": (stool, (0.28, 0.42), (0.28, 0.42), (0.4, 0.78)),
    "armchair": (sofa, (0.7, 0.95), (0.65, 0.9), (0.75, 1.0)), "sofa": (sofa, (0.75, 1.0), (1.3, 2.4), (0.7, 0.95)),
    "bench": (bench, (0.3, 0.45), (0.8, 1.6), (0.4, 0.5)), "bed": (bed, (1.9, 2.1), (0.9, 1.8), (0.5, 1.0)),
    "table": (table, (0.45, 1.0), (0.5, 2.0), (0.4, 0.78)), "counter": (counter, (0.55, 0.7), (0.8, 2.6), (0.85, 0.95)),
    "cabinet": (cabinet, (0.3, 0.6), (0.35, 1.6), (0.45, 1.3)), "wardrobe": (cabinet, (0.5, 0.65), (0.8, 2.0), (1.8, 2.3)),
    "shelf": (shelf, (0.22, 0.45), (0.5, 1.6), (0.7, 2.2)), "fridge": (fridge, (0.55, 0.7), (0.55, 0.8), (0.85, 1.9)),
    "oven": (oven, (0.55, 0.65), (0.5, 0.65), (0.85, 0.95)), "washing machine": (washing_machine, (0.5, 0.62), (0.55, 0.62), (0.82, 0.9)),
    "sink": (sink, (0.35, 0.5), (0.4, 0.65), (0.8, 0.9)), "toilet": (toilet, (0.6, 0.72), (0.35, 0.42), (0.7, 0.85)),
    "bathtub": (bathtub, (0.7, 0.8), (1.5, 1.8), (0.5, 0.6)), "radiator": (radiator, (0.06, 0.14), (0.5, 1.6), (0.4, 0.8)),
    "lamp": (lamp, (0.3, 0.5), (0.3, 0.5), (1.2, 1.8)), "plant": (plant, (0.3, 0.7), (0.3, 0.7), (0.5, 1.7)),
    "person": (person, (0.3, 0.4), (0.5, 0.6), (1.5, 1.9)), "door": (door, (0.04, 0.05), (0.7, 1.0), (1.9, 2.1)),
    "window": (window, (0.05, 0.1), (0.6, 1.8), (0.6, 1.5)), "curtain": (curtain, (0.06, 0.1), (0.4, 1.2), (1.2, 2.3)),
    "television": (television, (0.06, 0.2), (0.7, 1.4), (0.42, 0.85)),
}
