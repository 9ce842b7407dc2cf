"""A few frames of real rooms → .cache/real.npz, to look at what the net makes of them (never to train on).
python3 training/eyes/real.py SEVEN_SCENES_FOLDER SAMPLES_FOLDER"""
import os
import sys

import numpy as np
from PIL import Image

W, H = 320, 240
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".cache/real.npz")


def points(depth, f, cx, cy):
    v, u = np.mgrid[:H, :W] + 0.5
    return np.stack([(u - cx) / f * depth, (v - cy) / f * depth, depth], -1)


def level(depth, f, cx, cy):
    """Up in the camera's axes and the camera's height: the direction near the picture's top that most normals share, the lowest level."""
    p = points(depth, f, cx, cy)
    n = np.cross(p[4:, 2:-2] - p[:-4, 2:-2], p[2:-2, 4:] - p[2:-2, :-4])
    ok = (depth[2:-2, 2:-2] > 0) & (depth[4:, 2:-2] > 0) & (depth[:-4, 2:-2] > 0) & (depth[2:-2, 4:] > 0) & (depth[2:-2, :-4] > 0)
    n = n[ok] / np.linalg.norm(n[ok], axis=1, keepdims=True).clip(1e-9)
    n = n[::7] * np.sign(-n[::7, 1:2])
    start = n[n[:, 1] < -0.7]
    if len(start) < 50:
        return np.array([0, -1.0, 0])
    score = [(np.abs(n @ c) > 0.97).sum() for c in start[:: max(1, len(start) // 200)]]
    up = start[:: max(1, len(start) // 200)][int(np.argmax(score))]
    for _ in range(5):
        near = n[n @ up > 0.95]
        up = near.mean(0) / np.linalg.norm(near.mean(0))
    return up


def shrink(depth):
    return depth[depth.shape[0] // H // 2:: depth.shape[0] // H, depth.shape[1] // W // 2:: depth.shape[1] // W][:H, :W]


def seven(folder, frames):
    """Colour and depth of this camera do not lie on each other: u_colour = cx + .90 (u_depth − cx) − 12 / z."""
    world_up = None
    for n in frames:
        name = f"{folder}/frame-{n:06d}"
        rgb = np.asarray(Image.open(name + ".color.jpg").convert("RGB").resize((W, H), Image.BOX))
        raw = np.asarray(Image.open(name + ".depth.png")).astype(np.float32)
        raw = np.where((raw == 65535) | (raw == 0), 0, raw / 1000)
        depth = np.zeros((480, 640), np.float32)
        v, u = np.nonzero(raw)
        z = raw[v, u]
        order = np.argsort(-z)
        v, u, z = v[order], u[order], z[order]
        uu = np.round(320 + 0.9 * (u - 320) - 12 / z).astype(int)
        vv = np.round(240 + 0.9 * (v - 240)).astype(int)
        ok = (uu >= 0) & (uu < 640)
        depth[vv[ok], uu[ok]] = z[ok]
        hole = (depth == 0)[1:-1, 1:-1]
        depth[1:-1, 1:-1][hole] = np.maximum(depth[1:-1, :-2], depth[:-2, 1:-1])[hole]
        pose = np.loadtxt(name + ".pose.txt")
        small = shrink(depth)
        f = 585 * 0.9 / 2
        if world_up is None:
            world_up = pose[:3, :3] @ level(small, f, 160, 120)
        yield rgb, small, f, 160.0, 120.0, pose[:3, :3].T @ world_up, np.nan


def main(scenes, samples):
    rows = list(seven(scenes, [0, 64, 128, 216, 304, 400, 496, 592, 688, 784, 880, 976]))
    for colour, depth, scale, f in ((samples + "/TUM_color.png", samples + "/TUM_depth.png", 5000, 525), (samples + "/color/00000.jpg", samples + "/depth/00000.png", 1000, 525), (samples + "/color/00004.jpg", samples + "/depth/00004.png", 1000, 525)):
        rgb = np.asarray(Image.open(colour).convert("RGB").resize((W, H), Image.BOX))
        small = shrink(np.asarray(Image.open(depth)).astype(np.float32) / scale)
        rows.append((rgb, small, f / 2, 160.0, 120.0, level(small, f / 2, 160, 120), np.nan))
    for row in rows:
        up, p = row[5], points(row[1], row[2], 160, 120)[row[1] > 0]
        print(np.round(up, 2), "lowest", round(float(np.percentile(p @ up, 1)), 2))
    names = ("rgb", "depth", "f", "cx", "cy", "up", "height")
    packed = {k: np.stack([row[i] for row in rows]) for i, k in enumerate(names)}
    # The lowest percentile of the points is taken for the floor where it is lower than any table would be.
    for k, row in enumerate(rows):
        low = -np.percentile(points(row[1], row[2], 160, 120)[row[1] > 0] @ row[5], 1)
        packed["height"][k] = low if low > 1.1 else np.nan
    packed["depth"] = packed["depth"].astype(np.float16)
    np.savez_compressed(OUT, **packed)
    print(OUT, os.path.getsize(OUT), "bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
