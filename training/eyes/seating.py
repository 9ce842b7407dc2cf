"""Seats, tables and cupboards in several makes each. A maker fills (x, y, z) metres: depth, width, height."""
import math

from build import CHECKER, CLOTH, CLOUDS, GLASS, METAL, PLAIN, SPECKLE, STRIPES, TILES, WOOD, grey, turn

WOODS = (WOOD, WOOD, PLAIN, PLAIN, CLOUDS)
CLOTHS = (CLOTH, CLOTH, PLAIN, STRIPES, CLOUDS, CHECKER)


def chair(b, x, y, z):
    r = b.rng
    if r.random() < 0.42:
        return office_chair(b, x, y, z)
    frame = b.paint(textures=WOODS) if r.random() < 0.7 else b.paint(grey(r, 0.05, 0.7), (METAL,), gloss=0.6)
    seat = b.paint(textures=CLOTHS + WOODS) if r.random() < 0.6 else frame
    h, t = min(0.5, z * r.uniform(0.48, 0.54)), r.uniform(0.02, 0.045)
    if r.random() < 0.2:  # sled of bent tube
        for j in (-1, 1):
            b.rod((x / 2 - 0.03, j * y * 0.46, 0.015), (-x / 2 + 0.03, j * y * 0.46, 0.015), 0.025, frame)
            b.rod((x / 2 - 0.03, j * y * 0.46, 0.015), (x / 2 - 0.06, j * y * 0.46, h), 0.025, frame)
    else:
        b.legs(x * 0.94, y * 0.94, h, t, frame)
    if r.random() < 0.2:
        b.pillar(0, 0, h - 0.03, x, 0.05, seat, dy=y)
    else:
        b.box(0, 0, h - 0.03, x, y, r.uniform(0.02, 0.08), seat)
    lean, back = turn("y", -r.uniform(0, 0.25)), r.choice(["panel", "slats", "bars", "low", "oval"])
    bx = -x / 2 + 0.02
    if back == "panel":
        b.box(bx - 0.02, 0, h + 0.03, r.uniform(0.02, 0.06), y * 0.95, z - h - 0.03, seat, lean)
    elif back == "low":
        b.box(bx - 0.03, 0, z - 0.26, 0.03, y * 0.95, 0.24, seat, lean)
    elif back == "oval":
        b.ball(bx - 0.02, 0, h + 0.06, 0.05, y * 0.9, z - h - 0.06, seat, lean)
    if back != "panel":
        for j in (-1, 1):
            b.rod((bx, j * y * 0.44, h), (bx - 0.05, j * y * 0.44, z), t, frame)
    if back in ("slats", "bars"):
        b.rod((bx - 0.05, -y * 0.44, z - 0.02), (bx - 0.05, y * 0.44, z - 0.02), 0.04, frame)
        n = r.randint(2, 5)
        for i in range(n):
            k = (i + 0.5) / n
            if back == "slats":
                b.box(bx - 0.04, 0, h + 0.08 + k * (z - h - 0.15), 0.015, y * 0.85, 0.05, frame)
            else:
                b.rod((bx, (k - 0.5) * y * 0.85, h), (bx - 0.05, (k - 0.5) * y * 0.85, z), 0.018, frame)
    if r.random() < 0.2:
        for j in (-1, 1):
            b.box(0, j * y * 0.48, h + 0.2, x * 0.8, 0.04, 0.03, frame)
            b.rod((x * 0.3, j * y * 0.48, h), (x * 0.3, j * y * 0.48, h + 0.2), 0.03, frame)


def office_chair(b, x, y, z):
    r = b.rng
    dark = b.paint(grey(r, 0.03, 0.3) if r.random() < 0.75 else grey(r, 0.5, 0.8), (PLAIN, METAL))
    cloth = b.paint(grey(r, 0.03, 0.35) if r.random() < 0.55 else None, CLOTHS, soft=0.004)
    h, n, a0 = r.uniform(0.42, 0.52), 5, r.uniform(0, 6)
    for i in range(n):
        a = a0 + i * 2 * math.pi / n
        c, s = math.cos(a), math.sin(a)
        b.rod((0, 0, 0.1), (0.3 * c, 0.3 * s, 0.07), 0.045, dark)
        b.ball(0.3 * c, 0.3 * s, 0, 0.055, 0.055, 0.055, dark)
    b.pillar(0, 0, 0.08, 0.06, h - 0.1, dark)
    thick = r.uniform(0.05, 0.11)
    if r.random() < 0.5:
        b.box(0, 0, h - 0.04, 0.47, 0.48, thick, cloth)
    else:
        b.ball(0, 0, h - 0.05, 0.54, 0.54, thick * 1.5, cloth)
    top = max(z, h + 0.4) + r.uniform(-0.1, 0.25)
    lean = turn("y", -r.uniform(0.02, 0.25))
    if r.random() < 0.6:
        b.box(-0.26, 0, h + 0.12, r.uniform(0.03, 0.09), r.uniform(0.38, 0.5), top - h - 0.12, cloth, lean)
    else:
        b.ball(-0.26, 0, h + 0.1, r.uniform(0.06, 0.14), r.uniform(0.42, 0.55), top - h - 0.08, cloth, lean)
    b.box(-0.27, 0, h - 0.02, 0.03, 0.07, 0.3, dark)
    if r.random() < 0.65:
        for j in (-1, 1):
            b.box(0, j * 0.28, h + 0.2, 0.26, 0.06, 0.03, dark)
            b.rod((0, j * 0.28, h), (0, j * 0.28, h + 0.2), 0.04, dark)


def stool(b, x, y, z):
    r = b.rng
    p, q = b.paint(textures=WOODS), b.paint(textures=WOODS + CLOTHS)
    if r.random() < 0.35:
        b.pillar(0, 0, 0, x, 0.03, p, high=0.8)
        b.pillar(0, 0, 0, 0.06, z, p)
    else:
        b.legs(x * 0.9, y * 0.9, z - 0.03, 0.03, p)
    (b.pillar(0, 0, z - 0.05, x, 0.05, q) if r.random() < 0.6 else b.box(0, 0, z - 0.05, x, y, 0.05, q))


def sofa(b, x, y, z):
    r = b.rng
    cloth, foot = b.paint(textures=CLOTHS, soft=0.012), b.paint(textures=WOODS)
    arm, h, back = r.uniform(0.1, 0.26), r.uniform(0.38, 0.46), r.uniform(0.15, 0.28)
    b.legs(x * 0.95, y * 0.95, 0.12, 0.05, foot)
    b.box(0, 0, 0.08, x, y, h - 0.22, cloth)
    n = max(1, round(y / 0.75))
    w = (y - 2 * arm) / n
    for i in range(n):
        yy = -y / 2 + arm + (i + 0.5) * w
        b.box(back / 2, yy, h - 0.15, x - back, w * 0.98, 0.15, cloth)
        b.ball(back / 2, yy, h - 0.08, (x - back) * 1.02, w, 0.12, cloth)
        b.box(-x / 2 + back / 2, yy, h - 0.1, back, w * 0.98, z - h, cloth, turn("y", -r.uniform(0, 0.2)))
    for j in (-1, 1):
        b.box(0, j * (y / 2 - arm / 2), 0.08, x, arm, r.uniform(0.48, 0.6), cloth)
        if r.random() < 0.5:
            b.rod((-x / 2, j * (y / 2 - arm / 2), 0.56), (x / 2, j * (y / 2 - arm / 2), 0.56), arm * 1.1, cloth)


def bed(b, x, y, z):
    r = b.rng
    frame, sheet = b.paint(textures=WOODS + CLOTHS), b.paint(textures=CLOTHS, soft=0.02)
    h = r.uniform(0.35, 0.55)
    b.box(0, 0, 0.1, x, y, h - 0.25, frame)
    b.box(0, 0, h - 0.2, x * 0.98, y * 0.97, 0.2, sheet)
    b.box(-x / 2 + 0.03, 0, 0, 0.06, y, r.uniform(h, h + 0.6), frame)
    b.ball(0.1, 0, h - 0.1, x * 0.85, y * 1.05, 0.22, b.paint(textures=CLOTHS, soft=0.03))


def bench(b, x, y, z):
    p = b.paint(textures=WOODS + CLOTHS)
    b.legs(x, y, z - 0.04, 0.05, p, style="box")
    b.box(0, 0, z - 0.05, x, y, 0.05, p)


def table(b, x, y, z):
    r = b.rng
    top = b.paint(textures=WOODS)
    leg = top if r.random() < 0.4 else b.paint(grey(r), (METAL, PLAIN))
    t = r.uniform(0.015, 0.06)
    make = r.choice(["legs", "legs", "column", "panels", "drawers", "t-feet", "glass"])
    if make == "glass":
        top = b.paint((0.6, 0.72, 0.72), (GLASS,), gloss=0.9)
    if make == "column" and max(x, y) < 1.4:
        b.pillar(0, 0, 0, min(x, y) * 0.6, 0.03, leg, high=0.7)
        b.pillar(0, 0, 0, 0.08, z - t, leg)
    elif make == "panels":
        for j in (-1, 1):
            b.box(0, j * (y / 2 - 0.03), 0, x * 0.94, 0.03, z - t, leg)
        b.box(-x / 2 + 0.1, 0, z * 0.35, 0.02, y * 0.95, z * 0.5, leg)
    elif make == "drawers":
        side = r.choice([-1, 1])
        cabinet_at(b, 0, side * (y / 2 - 0.24), 0, x * 0.94, 0.42, z - t, leg, rows=r.randint(2, 4), columns=1)
        b.legs(x, y, z - t, 0.045, leg, style="box")
    elif make == "t-feet":
        for j in (-1, 1):
            b.box(0, j * y * 0.4, 0, x * 0.9, 0.06, 0.04, leg)
            b.box(0, j * y * 0.4, 0, 0.08, 0.05, z - t, leg)
    else:
        b.legs(x, y, z - t, r.uniform(0.03, 0.08), leg)
    if r.random() < (0.6 if make == "column" else 0.12):
        b.pillar(0, 0, z - t, x, t, top, dy=y)
    else:
        b.box(0, 0, z - t, x, y, t, top)


def cabinet_at(b, x, y, z, sx, sy, sz, body, rows, columns, front=None):
    """A body with a front of doors or drawers with gaps and handles; a door may stand open."""
    r = b.rng
    front = body if front is None else front
    handle = b.paint(grey(r, 0.05, 0.8), (METAL,), gloss=0.7)
    style, gap = r.choice(["bar", "knob", "none", "bar-up"]), r.uniform(0.003, 0.008)
    b.box(x - 0.01, y, z, sx - 0.02, sy, sz, body)
    dark = b.paint(grey(r, 0.02, 0.1))
    b.box(x + sx / 2 - 0.012, y, z + 0.02, 0.012, sy * 0.98, sz - 0.03, dark)
    h, w = (sz - 0.04) / rows, (sy - 0.01) / columns
    for i in range(rows):
        for j in range(columns):
            yy, zz = y - sy / 2 + 0.005 + (j + 0.5) * w, z + 0.03 + i * h
            if r.random() < 0.05 and w > 0.25 and h > 0.3:  # open
                b.box(x + sx / 2 + w / 2, yy - w / 2 + 0.01, zz, w, 0.018, h - gap, front)
                continue
            b.box(x + sx / 2 + 0.008, yy, zz, 0.018, w - gap, h - gap, front)
            if style == "knob":
                b.ball(x + sx / 2 + 0.02, yy + w * 0.38, zz + h / 2, 0.03, 0.03, 0.03, handle)
            elif style == "bar":
                b.box(x + sx / 2 + 0.03, yy, zz + h * 0.8, 0.012, min(0.18, w * 0.4), 0.012, handle)
            elif style == "bar-up":
                b.box(x + sx / 2 + 0.03, yy + w * 0.4, zz + h * 0.4, 0.012, 0.012, min(0.2, h * 0.3), handle)


def cabinet(b, x, y, z):
    r = b.rng
    body = b.paint(textures=WOODS)
    front = body if r.random() < 0.7 else b.paint(textures=WOODS)
    tall, foot = z > 1.1, r.choice([0, 0, 0.06, 0.12])
    columns = max(1, round(y / r.uniform(0.4, 0.65)))
    rows = r.choice([1, 2]) if tall else r.choice([1, 1, 2, 3, 4]) if z > 0.45 else r.choice([1, 2])
    if foot:
        b.legs(x, y, foot, 0.05, body)
    cabinet_at(b, 0, 0, foot, x, y, z - foot, body, rows, columns, front)


def counter(b, x, y, z):
    r = b.rng
    body, top = b.paint(textures=WOODS), b.paint(textures=(PLAIN, SPECKLE, WOOD, CLOUDS, TILES))
    b.box(-0.03, 0, 0, x - 0.1, y, 0.1, b.paint(grey(r, 0.03, 0.4)))
    cabinet_at(b, 0, 0, 0.1, x - 0.03, y, z - 0.14, body, r.choice([1, 1, 2]), max(1, round(y / 0.55)))
    b.box(0, 0, z - 0.04, x, y, 0.04, top)


def shelf(b, x, y, z):
    """Boards between sides; what stands on them is put there as things of their own by rooms.py."""
    r = b.rng
    p, t = b.paint(textures=WOODS) if r.random() < 0.8 else b.paint(grey(r), (METAL,)), r.uniform(0.015, 0.035)
    n, open_back = max(2, round(z / r.uniform(0.28, 0.42)) + 1), r.random() < 0.35
    levels = [i * (z - t) / (n - 1) for i in range(n)]
    for level in levels:
        b.box(0, 0, level, x, y, t, p)
    if open_back and r.random() < 0.6:
        for i in (-1, 1):
            for j in (-1, 1):
                b.box(i * (x / 2 - 0.015), j * (y / 2 - 0.015), 0, 0.03, 0.03, z, p)
    else:
        for j in [-1, 1] + ([0] if y > 1.3 else []):
            b.box(0, j * (y / 2 - t / 2), 0, x, t, z, p)
    if not open_back:
        b.box(-x / 2 + 0.005, 0, 0, 0.01, y, z, p)
    return levels, t
