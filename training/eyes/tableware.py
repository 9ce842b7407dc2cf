"""What stands on tables and shelves, in several makes each: vessels, books, paper, boxes. A maker draws its own size."""
import math

from build import CLOUDS, GLASS, METAL, PAGE, PLAIN, POSTER, SPECKLE, STRIPES, WOOD, WRITING, grey, turn
from seating import WOODS

PRINTS = (PLAIN, PLAIN, PAGE, PAGE, POSTER, WRITING, STRIPES, CLOUDS)
WHITE = (0.92, 0.92, 0.9)


def mug(b):
    r = b.rng
    p, d, h = b.paint(textures=(PLAIN, PLAIN, PLAIN, POSTER, STRIPES), gloss=r.uniform(0, 0.8)), r.uniform(0.065, 0.1), r.uniform(0.075, 0.12)
    b.pillar(0, 0, 0, d, h, p, low=r.uniform(0.7, 1), hollow=1)
    if r.random() < 0.5:
        b.pillar(0, 0, h * 0.3, d * 0.9, h * r.uniform(0.1, 0.5), b.paint((0.2, 0.1, 0.05), gloss=0.8))
    if r.random() < 0.85:
        y, t = d / 2 + 0.025, 0.012
        b.rod((0, d * 0.42, h * 0.8), (0, y, h * 0.72), t, p)
        b.rod((0, y, h * 0.72), (0, y, h * 0.35), t, p)
        b.rod((0, y, h * 0.35), (0, d * 0.42, h * 0.22), t, p)


def glass(b):
    r = b.rng
    p, d, h = b.paint((0.75, 0.8, 0.82), (GLASS,), gloss=0.9), r.uniform(0.055, 0.08), r.uniform(0.09, 0.15)
    if r.random() < 0.25:
        b.pillar(0, 0, 0, d, 0.006, p)
        b.rod((0, 0, 0), (0, 0, h * 0.5), 0.01, p)
        b.ball(0, 0, h * 0.45, d, d, h * 0.7, p)
    else:
        b.pillar(0, 0, 0, d, h, p, low=r.uniform(0.7, 1), hollow=1)


def bottle(b):
    r = b.rng
    p = b.paint(textures=(PLAIN, GLASS, GLASS, PLAIN), gloss=0.8) if r.random() < 0.8 else b.paint((0.1, 0.25, 0.1), gloss=0.9)
    d, h, q = r.uniform(0.05, 0.1), r.uniform(0.13, 0.26), b.paint()
    make = r.choice(["neck", "neck", "pump", "flat", "sport"])
    if make == "flat":
        b.pillar(0, 0, 0, d * 0.7, h, p, dy=d * 1.2, high=0.9)
        b.pillar(0, 0, h, d * 0.4, 0.03, q)
    elif make == "sport":
        b.pillar(0, 0, 0, d, h, p)
        b.pillar(0, 0, h, d * 0.95, 0.05, q, high=0.6)
    else:
        b.pillar(0, 0, 0, d, h, p)
        s = r.uniform(0.03, 0.07)
        b.pillar(0, 0, h, d, s, p, high=0.35)
        b.pillar(0, 0, h + s, d * 0.35, r.uniform(0.02, 0.09), p)
        b.pillar(0, 0, h + s + 0.02, d * 0.4, 0.02, q)
        if make == "pump":
            b.rod((0, 0, h + s), (0, 0, h + s + 0.06), 0.01, q)
            b.rod((0, 0, h + s + 0.06), (0.05, 0, h + s + 0.05), 0.014, q)
    if r.random() < 0.65:
        b.pillar(0, 0, h * 0.25, d * 1.01, h * 0.45, b.paint(textures=(POSTER, WRITING, PLAIN), period=0.01), dy=None if make != "flat" else d * 1.21)


def can(b):
    r = b.rng
    d, h = r.uniform(0.055, 0.11), r.uniform(0.07, 0.16)
    b.pillar(0, 0, 0, d, h, b.paint(textures=PRINTS, gloss=0.6))
    b.pillar(0, 0, h, d * 0.95, 0.006 if r.random() < 0.6 else 0.02, b.paint(grey(r, 0.4, 0.85) if r.random() < 0.6 else None, (METAL,), gloss=0.7))


def bowl(b):
    r = b.rng
    p, d, h = b.paint(textures=(PLAIN, PLAIN, STRIPES, WOOD), gloss=r.uniform(0, 0.8)), r.uniform(0.11, 0.3), r.uniform(0.045, 0.11)
    b.pillar(0, 0, 0, d * 0.75, h * 0.5, p, low=0.5)
    b.pillar(0, 0, h * 0.4, d, h * 0.6, p, low=0.74, hollow=1)
    if r.random() < 0.35:
        q = b.paint(textures=(PLAIN, SPECKLE))
        for _ in range(r.randint(2, 6)):
            a, k = r.uniform(0, 6.3), r.uniform(0, d * 0.25)
            b.ball(k * math.cos(a), k * math.sin(a), h * 0.5, 0.075, 0.075, 0.07, q)


def plate(b):
    r = b.rng
    p, d = b.paint(WHITE if r.random() < 0.5 else None, (PLAIN, PLAIN, STRIPES), gloss=0.5), r.uniform(0.15, 0.29)
    for i in range(1 if r.random() < 0.75 else r.randint(2, 6)):
        b.pillar(0, 0, i * 0.012, d, 0.018, p, low=0.6, hollow=1)
    if r.random() < 0.3:
        b.ball(0, 0, 0.005, d * 0.5, d * 0.45, 0.05, b.paint(textures=(SPECKLE, CLOUDS)))


def pot(b):
    r = b.rng
    p, d = b.paint(grey(r, 0.05, 0.8) if r.random() < 0.7 else None, (METAL, PLAIN), gloss=0.7), r.uniform(0.16, 0.3)
    h = r.choice([r.uniform(0.04, 0.06), r.uniform(0.09, 0.2)])
    b.pillar(0, 0, 0, d, h, p, hollow=1, low=0.93)
    if h < 0.07 or r.random() < 0.3:
        b.rod((d * 0.48, 0, h * 0.8), (d * 0.5 + 0.18, 0, h + 0.02), 0.022, b.paint(grey(r, 0.03, 0.2)))
    else:
        for j in (-1, 1):
            b.box(0, j * (d / 2 + 0.015), h * 0.75, 0.07, 0.035, 0.012, p)
        if r.random() < 0.5:
            b.pillar(0, 0, h, d, 0.03, p, high=0.6)
            b.ball(0, 0, h + 0.025, 0.035, 0.035, 0.03, b.paint(grey(r, 0.03, 0.3)))


def vase(b):
    r = b.rng
    p, d, h = b.paint(textures=(PLAIN, PLAIN, STRIPES, GLASS, SPECKLE), gloss=r.uniform(0, 0.9)), r.uniform(0.08, 0.18), r.uniform(0.15, 0.35)
    b.pillar(0, 0, 0, d, h * 0.55, p, low=r.uniform(0.4, 0.9))
    b.pillar(0, 0, h * 0.55, d, h * 0.45, p, high=r.uniform(0.3, 0.9))
    if r.random() < 0.5:
        green, bloom = b.paint((0.2, 0.45, 0.15)), b.paint()
        for _ in range(r.randint(3, 9)):
            a, k, t = r.uniform(0, 6.3), r.uniform(0, 0.14), h + r.uniform(0.08, 0.28)
            b.rod((0, 0, h * 0.8), (k * math.cos(a), k * math.sin(a), t), 0.006, green)
            b.ball(k * math.cos(a), k * math.sin(a), t, 0.05, 0.05, 0.04, bloom)


def kettle(b):
    r = b.rng
    p, q = b.paint(grey(r) if r.random() < 0.7 else None, (METAL, PLAIN), gloss=0.7), b.paint(grey(r, 0.03, 0.25))
    d, h = r.uniform(0.14, 0.19), r.uniform(0.15, 0.23)
    b.pillar(0, 0, 0, d, h, p, high=r.uniform(0.6, 0.85))
    b.pillar(0, 0, h, d * 0.6, 0.02, q)
    b.rod((d * 0.35, 0, h * 0.6), (d * 0.62, 0, h * 0.95), 0.035, p)
    b.rod((-d * 0.35, 0, h * 0.95), (-d * 0.75, 0, h * 0.85), 0.025, q)
    b.rod((-d * 0.75, 0, h * 0.85), (-d * 0.68, 0, h * 0.25), 0.025, q)


def coffee_machine(b):
    r = b.rng
    p, x, y, h = b.paint(grey(r) if r.random() < 0.75 else None, (PLAIN, METAL), gloss=0.5), r.uniform(0.2, 0.38), r.uniform(0.16, 0.3), r.uniform(0.18, 0.4)
    if r.random() < 0.3:  # a toaster
        b.box(0, 0, 0, x * 0.6, y, 0.18, p)
        b.box(0, 0, 0.176, 0.03, y * 0.8, 0.006, b.paint(grey(r, 0.01, 0.05)))
        return
    b.box(-x * 0.3, 0, 0, x * 0.4, y, h, p)
    b.box(0.0, 0, h * 0.7, x, y, h * 0.3, p)
    b.box(0.0, 0, 0, x, y, 0.04, b.paint(grey(r, 0.03, 0.3)))
    if r.random() < 0.6:
        b.pillar(x * 0.15, 0, 0.04, min(0.13, y * 0.7), h * 0.45, b.paint((0.2, 0.17, 0.15), (GLASS,), gloss=0.9), high=0.8)


def tray(b):
    r = b.rng
    b.box(0, 0, 0, r.uniform(0.2, 0.34), r.uniform(0.26, 0.5), r.uniform(0.015, 0.05), b.paint(textures=WOODS), hollow=1)


def one_book(b, x, y, z, d, w, t, R=None):
    r = b.rng
    cover = b.paint(textures=PRINTS, period=r.choice([0.01, 0.02, 0.05]))
    b.box(x, y, z + 0.002, d * 0.97, w * 0.97, max(0.002, t - 0.004), b.paint((0.9, 0.88, 0.82), (STRIPES,), period=0.002), R)
    for k in (0, t - 0.003):
        b.box(x, y, z + k, d, w, 0.003, cover, R)
    b.box(x - d / 2, y, z, 0.004, w, t, cover, R)


def book(b):
    r = b.rng
    d, w, t = r.uniform(0.11, 0.22), r.uniform(0.15, 0.3), r.uniform(0.008, 0.055)
    make = r.choice(["lies", "lies", "stack", "stack", "row", "row", "open"])
    if make == "lies":
        one_book(b, 0, 0, 0, d, w, t)
    elif make == "stack":
        z = 0.0
        for _ in range(r.randint(2, 6)):
            t = r.uniform(0.008, 0.045)
            one_book(b, r.uniform(-0.02, 0.02), r.uniform(-0.02, 0.02), z, r.uniform(0.12, 0.22), r.uniform(0.16, 0.29), t, turn("z", r.uniform(-0.25, 0.25)))
            z += t
    elif make == "row":
        books_in_row(b, r.uniform(0.06, 0.5))
    else:
        for j in (-1, 1):
            b.box(0, j * w * 0.34, 0, w, w * 0.68, 0.012, b.paint(WHITE, (WRITING, PAGE), accent=(0.1, 0.1, 0.1), period=0.012), turn("x", j * 0.12))


def books_in_row(b, length):
    """Spines side by side, upright or a little leaning; binders are the thick ones."""
    r = b.rng
    y, tall, deep = -length / 2, r.uniform(0.17, 0.31), r.uniform(0.13, 0.22)
    same = b.paint(textures=PRINTS) if r.random() < 0.2 else None
    while y < length / 2:
        t = r.uniform(0.012, 0.05) if r.random() < 0.8 else r.uniform(0.05, 0.08)
        h = tall * (1 if same is not None else r.uniform(0.7, 1.05))
        p = same if same is not None else b.paint(textures=PRINTS, period=r.choice([0.008, 0.02, 0.05]))
        b.box(r.uniform(-0.015, 0.01), y + t / 2, 0, deep, t, h, p, turn("x", r.uniform(-0.2, 0.2)) if r.random() < 0.06 else None)
        y += t + 0.001


def leaning_book(b):
    """On its edge against something, or open and upright."""
    r = b.rng
    if r.random() < 0.45:
        return upright(b, r.uniform(0.003, 0.02))
    h = r.uniform(0.15, 0.32)
    b.box(-0.02, 0, 0, r.uniform(0.008, 0.04), r.uniform(0.11, 0.25), h, b.paint(textures=PRINTS), turn("y", -r.uniform(0.05, 0.4)))


def upright(b, thick):
    """Print that stands by itself: two leaves that meet at an upright fold, at a ridge, or one leaf in a foot."""
    r = b.rng
    w, h, lean = r.uniform(0.1, 0.23), r.uniform(0.14, 0.31), r.uniform(0, 0.35)
    leaf = lambda: b.paint(WHITE if r.random() < 0.45 else None, (WRITING, POSTER, PAGE, PAGE, PAGE, PLAIN), accent=(0.1, 0.1, 0.12) if r.random() < 0.3 else None, period=r.choice([0.008, 0.015, 0.04, 0.1]))
    how = r.random()
    if how < 0.45:
        back, open_ = turn("y", -lean), r.uniform(0.1, 1.1)
        for j in (-1, 1):
            R = back @ turn("z", j * open_)
            x, y, z = R @ (0, j * w / 2, 0) + back @ (0, 0, h / 2)
            b.box(x, y, z - h / 2, thick, w, h, leaf(), R)
    elif how < 0.65:
        a = r.uniform(0.2, 0.5)
        for j in (-1, 1):
            b.box(j * math.sin(a) * h / 2, 0, math.cos(a) * h / 2 - h / 2, thick, w, h, leaf(), turn("y", -j * a))
    else:
        b.box(0, 0, 0, r.uniform(0.05, 0.1), w, r.uniform(0.006, 0.02), b.paint(grey(r, 0.5, 0.95), gloss=0.8))
        b.box(-math.sin(lean) * h / 2, 0, 0.01, thick, w, h, leaf(), turn("y", -lean))


def standing_paper(b):
    upright(b, b.rng.choice([0.001, 0.002]))


def paper(b):
    """One sheet, or a few nearly on each other: sheets that only overlap are things of their own (`ensembles.spread`)."""
    r = b.rng
    size, turned = r.uniform(0.7, 1.1), r.uniform(-0.5, 0.5)
    for i in range(r.choice([1, 1, 1, 2, 3])):
        p = b.paint(WHITE if r.random() < 0.65 else None, (WRITING, PAGE, PAGE, PLAIN, POSTER), accent=(0.08, 0.08, 0.1) if r.random() < 0.5 else None, period=r.choice([r.uniform(0.008, 0.02), r.uniform(0.02, 0.1)]))
        b.box(r.uniform(-0.008, 0.008), r.uniform(-0.008, 0.008), i * 0.001, 0.297 * size, 0.21 * size, r.choice([0.001, 0.002, 0.006]), p, turn("z", turned + r.uniform(-0.08, 0.08)))


def magazine(b):
    """Thin, bound, printed all over."""
    r = b.rng
    cover = b.paint(grey(r, 0.03, 0.95) if r.random() < 0.3 else None, (PAGE, PAGE, PAGE, PAGE, POSTER, WRITING, PLAIN), period=r.choice([0.015, 0.04, 0.1]), gloss=r.choice([0, 0, 0.5]))
    k = r.uniform(0.75, 1.05)
    b.box(0, 0, 0, 0.28 * k, 0.21 * k, r.uniform(0.003, 0.01), cover)


def plinth(b):
    """A flat closed box that carries a model."""
    r = b.rng
    p = b.paint(grey(r, 0.6, 0.97) if r.random() < 0.6 else None, (PLAIN, PLAIN, WOOD))
    x, y, h = r.uniform(0.14, 0.34), r.uniform(0.16, 0.5), r.uniform(0.03, 0.12)
    b.box(0, 0, 0, x, y, h, p)
    if r.random() < 0.4:
        b.box(0, 0, h - 0.01, x * 1.01, y * 1.01, 0.012, b.paint(grey(r, 0.5, 0.97), WOODS))
    return x, y, h


def box(b):
    r = b.rng
    if r.random() < 0.28:
        return tub(b)
    x, y, z = (r.uniform(0.05, 0.4) * k for k in (r.uniform(0.6, 1), r.uniform(0.7, 1.2), r.uniform(0.4, 1)))
    card = (0.72, 0.55, 0.36)
    p = b.paint(tuple(c * r.uniform(0.8, 1.1) for c in card), (PLAIN, CLOUDS)) if r.random() < 0.4 else b.paint(textures=PRINTS)
    open_ = r.random() < 0.22
    b.box(0, 0, 0, x, y, z, p, hollow=open_)
    if open_ and r.random() < 0.7:
        for j in (-1, 1):
            b.box(0, j * (y / 2 + y * 0.15), z - 0.02, x, y * 0.36, 0.004, p, turn("x", -j * r.uniform(0.1, 1.0)))
    elif r.random() < 0.4:
        b.box(0, 0, 0.001, x * 1.005, min(0.05, y * 0.3), z * 1.003, b.paint((0.8, 0.7, 0.5), gloss=0.7))
    elif r.random() < 0.3:
        b.box(0, 0, z - min(0.05, z * 0.3), x * 1.02, y * 1.02, min(0.05, z * 0.3) + 0.003, b.paint(textures=PRINTS))


def tub(b):
    """A plastic box for food, mostly with its lid."""
    r = b.rng
    x, y, z = r.uniform(0.1, 0.3), r.uniform(0.12, 0.36), r.uniform(0.04, 0.16)
    p = b.paint(grey(r, 0.6, 0.95) if r.random() < 0.7 else None, (PLAIN, CLOUDS), gloss=r.uniform(0.2, 0.9))
    lidded = r.random() < 0.75
    b.box(0, 0, 0, x * r.uniform(0.85, 1), y * r.uniform(0.85, 1), z, p, hollow=not lidded)
    if lidded:
        b.box(0, 0, z - 0.012, x, y, 0.014, p if r.random() < 0.5 else b.paint(gloss=r.uniform(0, 0.7)))
