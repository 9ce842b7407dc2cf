"""Bags, cloth, toys, electronics and the rest of small things; and the table of all of them. A maker draws its own size."""
import math

from build import CHECKER, CLOTH, CLOUDS, KEYS, METAL, PLAIN, POSTER, STRIPES, WOOD, WRITING, grey, turn
from furniture import lamp as tall_lamp, microwave as microwave_of, plant as tall_plant, screen
from seating import CLOTHS, WOODS
from tableware import PRINTS, WHITE, book, bottle, bowl, box, can, coffee_machine, glass, kettle, mug, paper, plate, pot, tray, vase


def bag(b):
    r = b.rng
    p, q = b.paint(textures=CLOTHS + (PLAIN, PLAIN), soft=0.015), b.paint(textures=CLOTHS)
    make = r.choice(["backpack", "handbag", "tote", "sack", "paper"])
    if make == "backpack":
        x, y, h = r.uniform(0.15, 0.22), r.uniform(0.27, 0.36), r.uniform(0.38, 0.52)
        b.box(0, 0, 0, x, y, h * 0.8, p)
        b.ball(0, 0, h * 0.5, x * 1.05, y, h * 0.5, p)
        b.box(x / 2 + 0.02, 0, h * 0.06, 0.06, y * 0.75, h * 0.4, q)
        for j in (-1, 1):
            b.rod((-x / 2 - 0.02, j * 0.09, h * 0.85), (-x / 2 - 0.05, j * 0.1, h * 0.2), 0.035, q)
    elif make == "handbag":
        x, y, h = r.uniform(0.1, 0.16), r.uniform(0.24, 0.38), r.uniform(0.18, 0.28)
        b.pillar(0, 0, 0, x * 1.3, h, p, high=0.75, dy=y)
        for i in (-1, 1):
            b.rod((i * 0.02, -y * 0.22, h * 0.9), (i * 0.02, -y * 0.1, h + 0.14), 0.014, q)
            b.rod((i * 0.02, y * 0.22, h * 0.9), (i * 0.02, y * 0.1, h + 0.14), 0.014, q)
            b.rod((i * 0.02, -y * 0.1, h + 0.14), (i * 0.02, y * 0.1, h + 0.14), 0.014, q)
    elif make == "tote":
        x, y, h = r.uniform(0.1, 0.18), r.uniform(0.25, 0.36), r.uniform(0.28, 0.42)
        b.box(0, 0, 0, x, y, h, p, hollow=1)
        for i in (-1, 1):
            for j in (-1, 1):
                b.rod((i * x / 2, j * 0.07, h * 0.9), (i * x / 2, j * 0.04, h + 0.1), 0.012, q)
            b.rod((i * x / 2, -0.04, h + 0.1), (i * x / 2, 0.04, h + 0.1), 0.012, q)
    elif make == "paper":  # of a shop or a baker, open above
        x, y, h = r.uniform(0.08, 0.16), r.uniform(0.16, 0.34), r.uniform(0.2, 0.42)
        p = b.paint(tuple(c * r.uniform(0.85, 1.1) for c in (0.7, 0.52, 0.34)) if r.random() < 0.5 else WHITE if r.random() < 0.4 else None, (PLAIN, PLAIN, CLOUDS, POSTER), soft=r.choice([0, 0.006]))
        b.pillar(0, 0, 0, x, h, p, dy=y, high=r.uniform(0.75, 1)) if r.random() < 0.3 else b.box(0, 0, 0, x, y, h, p, hollow=1)
        for i in (-1, 1) if r.random() < 0.6 else ():
            for j in (-1, 1):
                b.rod((i * x * 0.45, j * 0.06, h * 0.97), (i * x * 0.4, j * 0.04, h + 0.08), 0.008, q)
            b.rod((i * x * 0.4, -0.04, h + 0.08), (i * x * 0.4, 0.04, h + 0.08), 0.008, q)
    else:
        w = r.uniform(0.2, 0.4)
        b.pillar(0, 0, 0, w, w * 0.8, p, high=0.8)
        b.ball(0, 0, w * 0.45, w * 0.95, w * 0.9, w * 0.6, p)
        b.pillar(0, 0, w * 0.95, w * 0.3, w * 0.2, p, low=0.4)


def suitcase(b):
    r = b.rng
    p, x, y, h = b.paint(textures=(PLAIN, CLOTH, STRIPES)), r.uniform(0.2, 0.3), r.uniform(0.35, 0.48), r.uniform(0.5, 0.72)
    dark = b.paint(grey(r, 0.03, 0.3))
    b.box(0, 0, 0.03, x, y, h, p)
    b.box(0, 0, 0.03, x * 0.1, y * 1.01, h * 1.005, dark)
    top = h + (r.uniform(0.2, 0.4) if r.random() < 0.5 else 0.06)
    for j in (-1, 1):
        b.rod((-x * 0.35, j * 0.09, h), (-x * 0.35, j * 0.09, top), 0.015, dark)
    b.rod((-x * 0.35, -0.1, top), (-x * 0.35, 0.1, top), 0.025, dark)


def bin_(b):
    r = b.rng
    p, d, h = b.paint(textures=(PLAIN, PLAIN, METAL, CHECKER)), r.uniform(0.2, 0.42), r.uniform(0.25, 0.65)
    if r.random() < 0.6:
        b.pillar(0, 0, 0, d, h, p, low=r.uniform(0.65, 1), hollow=r.random() < 0.7)
    else:
        b.box(0, 0, 0, d * 0.8, d, h, p, hollow=r.random() < 0.6)
    if r.random() < 0.3:
        b.pillar(0, 0, h * 0.97, d * 1.03, 0.04, b.paint(), high=0.7)
    if r.random() < 0.3:  # a liner hangs over the edge
        b.pillar(0, 0, h * 0.85, d * 1.04, h * 0.16, b.paint(grey(r), soft=0.01), hollow=1)


def pillow(b):
    r = b.rng
    p, w, h, t = b.paint(textures=CLOTHS, soft=0.01), r.uniform(0.35, 0.7), r.uniform(0.33, 0.5), r.uniform(0.1, 0.2)
    R = None if r.random() < 0.5 else turn("y", -r.uniform(0.9, 1.3))
    b.ball(0, 0, (0 if R is None else h * 0.35), h * 1.1, w * 1.1, t, p, R)
    b.box(0, 0, (t * 0.32 if R is None else h * 0.35 + t * 0.32), h * 0.85, w * 0.85, t * 0.36, p, R)


def blanket(b):
    r = b.rng
    p, n = b.paint(textures=CLOTHS, soft=0.02), r.randint(1, 4)
    x, y = r.uniform(0.3, 0.6), r.uniform(0.35, 0.9)
    for i in range(n):
        b.box(r.uniform(-0.02, 0.02), r.uniform(-0.02, 0.02), i * 0.03, x, y, 0.04, p, turn("z", r.uniform(-0.1, 0.1)))
    b.ball(0, 0, n * 0.02, x * 1.1, y * 1.1, 0.09, p)


def towel(b):
    r = b.rng
    p = b.paint(textures=(CLOTH, STRIPES, CLOTH), soft=0.01)
    if r.random() < 0.5:
        for i in range(r.randint(1, 4)):
            b.box(0, 0, i * 0.025, r.uniform(0.2, 0.35), r.uniform(0.3, 0.45), 0.025, p)
    else:
        b.ball(0, 0, 0, r.uniform(0.2, 0.4), r.uniform(0.25, 0.45), r.uniform(0.06, 0.14), p)


def clothing(b):
    r = b.rng
    for _ in range(r.randint(1, 5)):
        p = b.paint(textures=CLOTHS, soft=0.025)
        b.ball(r.uniform(-0.12, 0.12), r.uniform(-0.15, 0.15), r.uniform(0, 0.04), r.uniform(0.2, 0.5), r.uniform(0.2, 0.5), r.uniform(0.04, 0.14), p, turn("z", r.uniform(0, 3)))


def shoe(b):
    r = b.rng
    p, sole = b.paint(textures=(PLAIN, PLAIN, CLOTH)), b.paint(grey(r, 0.03, 0.95))
    l, w, h = r.uniform(0.22, 0.31), r.uniform(0.085, 0.11), r.uniform(0.07, 0.13) if r.random() < 0.8 else r.uniform(0.2, 0.35)
    for j in (-1, 1):
        y, a = j * r.uniform(0.06, 0.11), turn("z", r.uniform(-0.25, 0.25))
        b.pillar(0, y, 0, l, 0.02, sole, dy=w, R=a)
        b.ball(0.01, y, -0.01, l * 0.98, w, 0.12, p, a)
        b.pillar(-l * 0.25, y, 0.03, l * 0.42, h, p, dy=w * 0.9, hollow=1, R=a)


def toy(b):
    r = b.rng
    p, q = b.paint(textures=(PLAIN, CLOTH)), b.paint()
    make = r.choice(["bear", "bear", "car", "blocks", "figure"])
    if make in ("bear", "figure"):
        k = r.uniform(0.6, 1.5)
        b.ball(0, 0, 0, 0.13 * k, 0.15 * k, 0.17 * k, p)
        b.ball(0.01, 0, 0.14 * k, 0.12 * k, 0.13 * k, 0.12 * k, p)
        for j in (-1, 1):
            b.ball(0, j * 0.05 * k, 0.23 * k, 0.03 * k, 0.05 * k, 0.05 * k, p)
            b.ball(0.05 * k, j * 0.09 * k, 0.07 * k, 0.11 * k, 0.05 * k, 0.06 * k, p)
            b.ball(0.09 * k, j * 0.06 * k, 0, 0.12 * k, 0.06 * k, 0.06 * k, p)
        b.ball(0.05 * k, 0, 0.16 * k, 0.06 * k, 0.06 * k, 0.05 * k, q)
    elif make == "car":
        l = r.uniform(0.1, 0.35)
        b.box(0, 0, l * 0.08, l, l * 0.45, l * 0.18, p)
        b.box(-l * 0.05, 0, l * 0.26, l * 0.5, l * 0.4, l * 0.16, q)
        for i in (-1, 1):
            for j in (-1, 1):
                b.pillar(i * l * 0.3, j * l * 0.22, 0.0, l * 0.2, l * 0.06, b.paint(grey(r, 0.02, 0.2)), R=turn("x", math.pi / 2))
    else:
        for _ in range(r.randint(3, 9)):
            s = r.uniform(0.03, 0.07)
            b.box(r.uniform(-0.12, 0.12), r.uniform(-0.12, 0.12), r.choice([0, 0, s]), s, s * r.choice([1, 2]), s, b.paint(), turn("z", r.uniform(0, 3)))


def ball(b):
    r = b.rng
    d = r.choice([r.uniform(0.06, 0.09), r.uniform(0.12, 0.24)])
    b.ball(0, 0, 0, d, d, d, b.paint(textures=(PLAIN, PLAIN, CHECKER, STRIPES, CLOUDS), period=d / 3))


def monitor(b):
    r = b.rng
    screen(b, r.uniform(0.36, 0.75), r.uniform(0.34, 0.52))


def laptop(b):
    r = b.rng
    p, w, d = b.paint(grey(r, 0.05, 0.8)), r.uniform(0.28, 0.4), r.uniform(0.2, 0.27)
    b.box(0, 0, 0, d, w, 0.018, p)
    if r.random() < 0.15:
        return
    b.box(0.0, 0, 0.018, d * 0.5, w * 0.88, 0.002, b.paint(grey(r, 0.02, 0.15), (KEYS,), period=0.018))
    a = r.uniform(0.15, 0.6)
    R, x, z = turn("y", -a), -d / 2 - math.sin(a) * d / 2, 0.01 - d / 2 + math.cos(a) * d / 2
    b.box(x, 0, z, 0.008, w, d, p, R)
    glow = r.random() < 0.5
    b.box(x + 0.005, 0, z + d * 0.05, 0.006, w * 0.94, d * 0.88, b.paint(textures=(POSTER, WRITING, PLAIN), glow=r.uniform(0.3, 0.9), period=0.03) if glow else b.paint(grey(r, 0.02, 0.06), gloss=0.9), R)


def keyboard(b):
    r = b.rng
    dark = grey(r, 0.03, 0.15) if r.random() < 0.7 else grey(r, 0.6, 0.95)
    w, d = r.uniform(0.28, 0.46), r.uniform(0.11, 0.17)
    b.box(0, 0, 0, d, w, 0.018, b.paint(dark))
    b.box(0, 0, 0.018, d * 0.88, w * 0.95, 0.006, b.paint(dark, (KEYS,), accent=tuple(c * 0.5 for c in dark), period=0.019))


def computer_mouse(b):
    b.ball(0, 0, -0.018, 0.11, 0.065, 0.055, b.paint(grey(b.rng, 0.02, 0.9)))


def computer_tower(b):
    r = b.rng
    p, x, y, h = b.paint(grey(r, 0.03, 0.85)), r.uniform(0.38, 0.5), r.uniform(0.16, 0.22), r.uniform(0.35, 0.48)
    b.box(0, 0, 0, x, y, h, p)
    q = b.paint(grey(r, 0.03, 0.6), (PLAIN, STRIPES), period=0.02)
    b.box(x / 2, 0, h * 0.05, 0.015, y * 0.95, h * 0.9, q)
    for k in (0.75, 0.87):
        b.box(x / 2 + 0.008, 0, h * k, 0.006, y * 0.8, 0.04, p)


def printer(b):
    r = b.rng
    p, x, y, h = b.paint(grey(r, 0.03, 0.95)), r.uniform(0.3, 0.45), r.uniform(0.36, 0.5), r.uniform(0.15, 0.35)
    dark = b.paint(grey(r, 0.02, 0.2))
    b.box(0, 0, 0, x, y, h * 0.75, p)
    b.box(-0.02, 0, h * 0.75, x * 0.9, y * 0.95, h * 0.25, p if r.random() < 0.5 else dark)
    b.box(x / 2, 0, h * 0.3, 0.02, y * 0.7, h * 0.2, dark)
    b.box(x / 2 + 0.06, 0, h * 0.28, 0.16, y * 0.6, 0.01, p)
    if r.random() < 0.6:
        b.box(x / 2 + 0.06, 0, h * 0.31, 0.2, y * 0.45, 0.004, b.paint(WHITE))


def phone(b):
    r = b.rng
    if r.random() < 0.35:  # a desk telephone
        p = b.paint(grey(r, 0.03, 0.85))
        b.box(0, 0, 0, 0.2, 0.18, 0.05, p, turn("y", 0.2))
        b.box(0, 0.055, 0.055, 0.2, 0.05, 0.04, p)
        b.box(0, -0.035, 0.06, 0.12, 0.08, 0.012, b.paint(grey(r, 0.1, 0.9), (KEYS,), period=0.02))
        return
    k = r.choice([1, 1, 1, 1.6])
    b.box(0, 0, 0, 0.15 * k, 0.072 * k, 0.009, b.paint(grey(r, 0.02, 0.2)))
    b.box(0, 0, 0.008, 0.14 * k, 0.066 * k, 0.002, b.paint(grey(r, 0.01, 0.05), gloss=0.9))


def remote_control(b):
    r = b.rng
    p = b.paint(grey(r, 0.03, 0.3) if r.random() < 0.7 else None)
    b.box(0, 0, 0, r.uniform(0.12, 0.2), 0.045, 0.02, p)
    b.box(0, 0, 0.019, 0.11, 0.038, 0.003, b.paint(grey(r, 0.1, 0.6), (KEYS,), period=0.012))


def game_controller(b):
    r = b.rng
    p, dark = b.paint(grey(r, 0.03, 0.95) if r.random() < 0.6 else None), b.paint(grey(r, 0.02, 0.2))
    b.ball(0, 0, 0.005, 0.09, 0.13, 0.045, p)
    for j in (-1, 1):
        b.ball(-0.03, j * 0.055, 0, 0.11, 0.05, 0.045, p, turn("z", j * 0.35))
        b.pillar(0.005, j * 0.03, 0.035, 0.02, 0.02, dark)


def speaker(b):
    r = b.rng
    p, x, y, h = b.paint(grey(r, 0.03, 0.3) if r.random() < 0.6 else None, WOODS), r.uniform(0.1, 0.25), r.uniform(0.1, 0.22), r.uniform(0.15, 0.4)
    b.box(0, 0, 0, x, y, h, p)
    dark = b.paint(grey(r, 0.02, 0.15))
    for k, s in ((0.3, 0.75), (0.75, 0.4)):
        b.pillar(x / 2 - 0.005, 0, h * k - 0.01, y * s, 0.02, dark, high=0.7, R=turn("y", math.pi / 2))


def desk_lamp(b):
    r = b.rng
    w = r.uniform(0.16, 0.32)
    tall_lamp(b, w, w, r.uniform(0.28, 0.55))


def potted_plant(b):
    r = b.rng
    w = r.uniform(0.14, 0.35)
    tall_plant(b, w, w, r.uniform(0.18, 0.5))


def clock(b):
    r = b.rng
    w = r.uniform(0.08, 0.15)
    b.pillar(0, 0, w / 2 - 0.02, w, 0.04, b.paint(), R=turn("y", math.pi / 2))
    b.pillar(0.021, 0, w / 2 - 0.02, w * 0.88, 0.04, b.paint(WHITE if r.random() < 0.7 else None, (WRITING,), period=0.02), R=turn("y", math.pi / 2))


def photo_frame(b):
    r = b.rng
    w, h, R = r.uniform(0.1, 0.25), r.uniform(0.1, 0.28), turn("y", -r.uniform(0.1, 0.3))
    b.box(0, 0, 0, 0.018, w, h, b.paint(textures=WOODS), R)
    b.box(0.008, 0, h * 0.1, 0.012, w * 0.8, h * 0.8, b.paint(textures=(POSTER,), period=r.uniform(0.03, 0.1)), R)


def microwave(b):
    r = b.rng
    microwave_of(b, r.uniform(0.32, 0.42), r.uniform(0.44, 0.56), r.uniform(0.25, 0.32))


def odd(b):
    """A thing without a name: solids on, beside and through each other. One alone would be a box, a can or a ball."""
    r = b.rng
    s = r.uniform(0.05, 0.35)
    for _ in range(r.randint(2, 6)):
        p, a = b.paint(textures=PRINTS + (METAL, WOOD, CLOTH), soft=r.choice([0, 0, 0.01])), [r.uniform(0.15, 1) * s for _ in range(3)]
        x, y, z = r.uniform(-s, s) / 3, r.uniform(-s, s) / 3, r.choice([0, 0, s / 3, s / 2])
        R = turn("z", r.uniform(0, 3)) @ turn(r.choice("xy"), r.choice([0, 0, r.uniform(-0.6, 0.6)]))
        kind = r.random()
        if kind < 0.45:
            b.box(x, y, z, *a, p, R, hollow=r.random() < 0.2)
        elif kind < 0.7:
            b.pillar(x, y, z, a[0], a[2], p, low=r.uniform(0.2, 1), high=r.uniform(0.2, 1), R=R, hollow=r.random() < 0.3)
        elif kind < 0.85:
            b.ball(x, y, z, *a, p, R)
        else:
            b.rod((x, y, z), (x + r.uniform(-s, s), y + r.uniform(-s, s), z + r.uniform(0, s)), r.uniform(0.008, 0.03), p)


# Name, or a kind that no name means → maker and how often it is drawn for a table, a shelf, the floor and a soft seat.
SMALL_THINGS = {
    "mug": (mug, 6, 2, 0, 0), "glass": (glass, 2, 1, 0, 0), "bottle": (bottle, 4, 3, 1, 0), "can": (can, 2, 2, 0, 0), "bowl": (bowl, 3, 2, 0, 0), "plate": (plate, 2, 1, 0, 0),
    "pot": (pot, 1, 1, 0, 0), "vase": (vase, 1, 2, 0.3, 0), "kettle": (kettle, 1, 0.5, 0, 0), "coffee machine": (coffee_machine, 1, 0.3, 0, 0), "tray": (tray, 1, 0.3, 0, 0),
    "book": (book, 5, 9, 0.5, 1), "paper": (paper, 6, 1, 0.6, 0.5), "box": (box, 4, 5, 5, 0.5), "bag": (bag, 1.5, 1, 4, 2), "suitcase": (suitcase, 0, 0, 1, 0),
    "bin": (bin_, 0, 0, 4, 0), "pillow": (pillow, 0, 0, 0.5, 8), "blanket": (blanket, 0, 0.5, 0.3, 3), "towel": (towel, 0.5, 0.6, 0.3, 1), "clothing": (clothing, 0.5, 0.5, 1, 4),
    "shoe": (shoe, 0, 0.5, 3, 0), "toy": (toy, 1, 2, 2, 1.5), "ball": (ball, 1, 1, 1.5, 0.5), "monitor": (monitor, 4, 0, 0, 0), "laptop": (laptop, 3, 0, 0, 1),
    "keyboard": (keyboard, 4, 0.2, 0, 0), "computer mouse": (computer_mouse, 2, 0, 0, 0), "computer tower": (computer_tower, 0.5, 0.2, 2, 0), "printer": (printer, 1, 0.3, 0.3, 0),
    "phone": (phone, 2, 0.3, 0, 0.5), "remote control": (remote_control, 1, 0.2, 0, 1), "speaker": (speaker, 1, 1, 0.4, 0), "game controller": (game_controller, 0.7, 0.3, 0.1, 0.3), "lamp": (desk_lamp, 2, 1, 0, 0), "plant": (potted_plant, 2, 2, 0.5, 0),
    "clock": (clock, 0.7, 1, 0, 0), "picture": (photo_frame, 1, 2, 0.2, 0), "microwave": (microwave, 0.8, 0.2, 0, 0), "other": (odd, 9, 7, 4, 2),
}
