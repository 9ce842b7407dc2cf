"""Words to compose things from: boxes, round solids that taper, ellipsoids; solid or hollow from above."""
import colorsys
import math

import numpy as np

BOX, ROUND, ELLIPSOID = 0, 1, 2
# Textures, as render.py paints them.
PLAIN, WOOD, PLANKS, TILES, SPECKLE, CLOTH, BRICK, STRIPES, CHECKER, SPINES, METAL, GLASS, POSTER, LEAVES, SCREEN, WRITING, KEYS, CLOUDS, PAGE = range(19)
# Columns of a row of `Build.rows`.
KIND, CENTRE, HALF, TURN, LOW, HIGH, HOLLOW, PAINT = 0, slice(1, 4), slice(4, 7), slice(7, 16), 16, 17, 18, 19
COLUMNS = 20
EYE = (1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0)


def turn(axis: str, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array({"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis], dtype=float)


def colour(rng) -> tuple:
    """Rooms are mostly grey, white, black and brown; the rest is any hue."""
    pick = rng.random()
    if pick < 0.42:
        v = rng.choice([0.05, 0.12, 0.3, 0.5, 0.7, 0.85, 0.93]) + rng.uniform(-0.05, 0.06)
        return tuple(min(1, max(0.01, v + rng.uniform(-0.03, 0.03))) for _ in range(3))
    if pick < 0.58:  # woods, leathers, cardboard
        return colorsys.hsv_to_rgb(rng.uniform(0.05, 0.12), rng.uniform(0.25, 0.75), rng.uniform(0.25, 0.85))
    return colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.2, 1))


def grey(rng, low=0.03, high=0.95) -> tuple:
    v = rng.uniform(low, high)
    return (v, v, min(1, v * rng.uniform(0.95, 1.06)))


def paint(rng, rgb=None, textures=(PLAIN,), accent=None, period=None, gloss=None, glow=0.0, soft=0.0) -> tuple:
    """rgb, accent, texture, period in metres, gloss, glow, softness (how far the surface sways, metres)."""
    rgb = colour(rng) if rgb is None else rgb
    if accent is None:
        k = rng.uniform(0.55, 1.25)
        accent = colour(rng) if rng.random() < 0.3 else tuple(min(1, c * k) for c in rgb)
    period = rng.choice([0.01, 0.02, 0.05, 0.1, 0.2, 0.4]) if period is None else period
    gloss = (rng.random() < 0.3) * rng.uniform(0.1, 0.9) if gloss is None else gloss
    return (*rgb, *accent, rng.choice(textures), period, gloss, glow, soft)


class Build:
    """One thing in its own axes: x to its front, y to its left, z up from its underside. Its rows share a number."""

    def __init__(self, rng):
        self.rng, self.rows, self.paints = rng, [], []

    def paint(self, *args, **kwargs) -> int:
        self.paints.append(paint(self.rng, *args, **kwargs))
        return len(self.paints) - 1

    def add(self, kind, x, y, z, sx, sy, sz, p, R=None, low=1.0, high=1.0, hollow=0):
        R = EYE if R is None else tuple(R.reshape(-1))
        self.rows.append((kind, x, y, z + sz / 2, sx / 2, sy / 2, sz / 2, *R, low, high, hollow, p))

    def box(self, x, y, z, sx, sy, sz, p, R=None, hollow=0):
        self.add(BOX, x, y, z, sx, sy, sz, p, R, hollow=hollow)

    def pillar(self, x, y, z, d, h, p, low=1.0, high=1.0, R=None, hollow=0, dy=None):
        """Upright and round; `low` and `high` are the radii below and above as parts of the widest."""
        self.add(ROUND, x, y, z, d, d if dy is None else dy, h, p, R, low, high, hollow)

    def ball(self, x, y, z, sx, sy, sz, p, R=None):
        self.add(ELLIPSOID, x, y, z, sx, sy, sz, p, R)

    def rod(self, a, b, d, p):
        """A round bar from point to point."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        v = b - a
        length = max(1e-3, float(np.linalg.norm(v)))
        w = v / length
        u = np.cross([0, 0, 1.0] if abs(w[2]) < 0.9 else [1.0, 0, 0], w)
        u /= np.linalg.norm(u)
        m = (a + b) / 2
        self.add(ROUND, m[0], m[1], m[2] - length / 2, d, d, length, p, np.stack([u, np.cross(w, u), w], 1))

    def legs(self, sx, sy, h, thick, p, inset=0.02, style=None):
        rng = self.rng
        style = style or rng.choice(["box", "round", "splayed", "taper"])
        x, y = sx / 2 - inset - thick / 2, sy / 2 - inset - thick / 2
        for i in (-1, 1):
            for j in (-1, 1):
                if style == "box":
                    self.box(i * x, j * y, 0, thick, thick, h, p)
                elif style == "splayed":
                    self.rod((i * (x + 0.03), j * (y + 0.03), 0), (i * x * 0.8, j * y * 0.8, h), thick * 0.8, p)
                else:
                    self.pillar(i * x, j * y, 0, thick, h, p, low=0.6 if style == "taper" else 1)

    def placed(self, x, y, z, yaw, tilt=None) -> np.ndarray:
        """Its rows in the room."""
        rows = np.array(self.rows, dtype=np.float64).reshape(-1, COLUMNS)
        R = turn("z", yaw)
        if tilt is not None:
            R = R @ tilt
        rows[:, CENTRE] = rows[:, CENTRE] @ R.T + (x, y, z)
        rows[:, TURN] = (R @ rows[:, TURN].reshape(-1, 3, 3)).reshape(-1, 9)
        return rows
