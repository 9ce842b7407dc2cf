"""Casts rays at the solids of a room, on the GPU: colour, depth, thing of every pixel. Pictures are cut in tiles, each
with the list of solids that its pyramid meets, so a ray is tried against tens of solids and not a thousand."""
import math
import random

import numpy as np
import torch
import torch.nn.functional as F

from build import BRICK, CHECKER, CLOTH, CLOUDS, GLASS, KEYS, LEAVES, METAL, PAGE, PLANKS, POSTER, SCREEN, SPECKLE, SPINES, STRIPES, TILES, WOOD, WRITING
from pages import page

W, H = 320, 240
TILE = 80  # pixels; a divisor of both sides at every supersampling
STEP = 32  # solids a pass
TILES_A_PASS = 64
FAR = 1e4
NEAR_M = 0.12
SHADOW_NEAR = 0.004  # of the way to the lamp: a thing touches its own shadow
# Columns after those of build.py: see rooms.Room.put.
RGB, ACCENT, TEXTURE, PERIOD, GLOSS, GLOW, SOFT, THING = slice(19, 22), slice(22, 25), 25, 26, 27, 28, 29, 30


def hit(o, d, rows, near_t=NEAR_M):
    """Ray t, [T, P], and which of the [T, N] solids is hit first. A hollow solid that is entered from above shows its inside."""
    R = rows[..., 7:16].unflatten(-1, (3, 3))  # T N i j: room from own axes
    M = R / rows[..., None, 4:7]
    local, way = [], []
    for j in range(3):
        m = M[:, None, :, :, j]  # T 1 N 3; written out, so that a compiler keeps it in registers
        way.append(d[..., 0:1] * m[..., 0] + d[..., 1:2] * m[..., 1] + d[..., 2:3] * m[..., 2])
        local.append(o[..., 0:1] * m[..., 0] + o[..., 1:2] * m[..., 1] + o[..., 2:3] * m[..., 2] - (rows[..., 1:4] * M[..., j]).sum(-1)[:, None])
    kind, low, high, hollow = (rows[:, None, :, k] for k in (0, 16, 17, 18))
    near, far = [], []
    for p, v in zip(local, way):
        inv = 1 / torch.where(v.abs() < 1e-7, torch.full_like(v, 1e-7), v)
        a, c = (-1 - p) * inv, (1 - p) * inv
        near.append(torch.minimum(a, c))
        far.append(torch.maximum(a, c))
    # x² + y² + k z² = (a + b z)²: an ellipsoid with k = 1, a = 1, b = 0, a tapered pillar with k = 0.
    k = (kind == 2).to(d.dtype)
    b = (high - low) / 2 * (1 - k)
    a = torch.where(kind == 2, torch.ones_like(low), (high + low) / 2)
    (px, py, pz), (vx, vy, vz) = local, way
    edge = a + b * pz
    qa = vx * vx + vy * vy + (k - b * b) * vz * vz
    qb = px * vx + py * vy + k * pz * vz - edge * b * vz
    qc = px * px + py * py + k * pz * pz - edge * edge
    disc = qb * qb - qa * qc
    root = disc.clamp_min(0).sqrt()
    safe = torch.where(qa.abs() < 1e-9, torch.full_like(qa, 1e-9), qa)
    t0, t1 = (-qb - root) / safe, (-qb + root) / safe
    first, last = torch.minimum(t0, t1), torch.maximum(t0, t1)
    steep = qa < 0  # along the taper: inside before the first or behind the last crossing
    widens = b * vz > 0
    side_in = torch.where(steep, torch.where(widens, last, torch.full_like(last, -FAR)), first)
    side_out = torch.where(steep, torch.where(widens, torch.full_like(last, FAR), first), last)
    missed = (disc < 0) & ~steep
    side_in = torch.where(missed, torch.full_like(last, FAR), side_in)
    is_box = kind == 0
    side_in = torch.where(is_box, torch.maximum(near[0], near[1]), side_in)
    side_out = torch.where(is_box, torch.minimum(far[0], far[1]), side_out)
    t_in, t_out = torch.maximum(side_in, near[2]), torch.minimum(side_out, far[2])
    through_top = (hollow > 0) & (near[2] >= side_in) & (vz < 0)
    t = torch.where((t_in < t_out) & (t_in > near_t), torch.where(through_top, t_out, t_in), torch.full_like(t_in, FAR))
    return t.min(2)


class Caster:
    """`hit`, compiled where that works: one kernel instead of sixty passes over memory."""

    def __init__(self, device: str):
        self.hit = torch.compile(hit, dynamic=False) if device == "cuda" else hit

    def tried(self, *arguments):
        try:
            return self.hit(*arguments)
        except Exception as error:  # the plain form gives the same numbers, slower
            if self.hit is hit:
                raise
            print("hit is not compiled:", str(error)[:300], flush=True)
            self.hit = hit
            return hit(*arguments)

    def cast(self, o, d, solids, lists, counts, near_t=NEAR_M):
        """o [T,1 or P,3], d [T,P,3], lists [T,N] numbers of solids (padded with the last row, which nothing meets)."""
        T, P = d.shape[:2]
        best = torch.full((T, P), FAR, device=d.device)
        index = torch.full((T, P), -1, dtype=torch.long, device=d.device)
        order = counts.argsort(descending=True)
        sizes = counts[order].tolist()
        for at in range(0, max(sizes, default=0), STEP):
            active = sum(1 for s in sizes if s > at)
            for k in range(0, active, TILES_A_PASS):
                tiles = order[k:k + TILES_A_PASS]
                missing = TILES_A_PASS - len(tiles)
                if missing and self.hit is not hit:
                    tiles = torch.cat([tiles, tiles[:1].expand(missing)])
                numbers = lists[tiles, at:at + STEP]
                t, which = self.tried(o[tiles], d[tiles], solids[numbers], near_t)
                if missing:
                    tiles, t, which, numbers = (x[:TILES_A_PASS - missing] for x in (tiles, t, which, numbers))
                nearer = t < best[tiles]
                best[tiles] = torch.where(nearer, t, best[tiles])
                index[tiles] = torch.where(nearer, numbers.gather(1, which), index[tiles])
        return best, index


def lists_of(keep):
    """[T, N] of solids per tile from a [T, S] mask, padded with the number of the last solid."""
    counts = keep.sum(1)
    width = max(STEP, math.ceil(int(counts.max()) / STEP) * STEP)
    order = keep.to(torch.uint8).argsort(dim=1, descending=True, stable=True)[:, :width]
    if order.shape[1] < width:
        order = F.pad(order, (0, width - order.shape[1]), value=keep.shape[1] - 1)
    return torch.where(torch.arange(width, device=keep.device)[None] < counts[:, None], order, torch.full_like(order, keep.shape[1] - 1)), counts


def hashed(p, seed=0.0):
    v = p[..., 0] * 127.1 + p[..., 1] * 311.7 + p[..., 2] * 74.7 + seed
    return torch.frac(torch.sin(v).abs() * 43758.547)


def noise(p):
    """Smooth value noise of period 1 in three dimensions, 0 to 1."""
    c = torch.floor(p)
    f = p - c
    f = f * f * (3 - 2 * f)
    total = 0
    for i in (0, 1):
        for j in (0, 1):
            for k in (0, 1):
                w = (f[..., 0] if i else 1 - f[..., 0]) * (f[..., 1] if j else 1 - f[..., 1]) * (f[..., 2] if k else 1 - f[..., 2])
                total = total + w * hashed(c + torch.tensor([i, j, k], device=p.device, dtype=p.dtype))
    return total


def painted(uv, at, row, own):
    """Colour of a surface: `uv` metres on the face, `at` metres in the solid, `own` a number of the thing."""
    tex, period = row[:, TEXTURE], row[:, PERIOD].clamp_min(0.004)
    s = uv / period[:, None]
    cell = torch.floor(s)
    f = s - cell
    flat = lambda c: torch.stack([c[:, 0], c[:, 1], own], 1)
    tint, coarse = hashed(flat(cell)), noise(at / (period[:, None] * 3) + own[:, None] * 7.3)
    clouds = noise(at * 3 + own[:, None]) * 0.6 + noise(at * 9 + own[:, None]) * 0.4
    grain = noise(torch.stack([uv[:, 0] * 55, uv[:, 1] * 3, own * 9.7], 1))
    fine = noise(at * 260)
    line = ((f < 0.05) | (f > 0.97)).any(1).float()
    word = hashed(flat(torch.stack([torch.floor(s[:, 0] * 0.9), cell[:, 1]], 1)))
    ink = ((f[:, 1] > 0.3) & (f[:, 1] < 0.72) & (word > 0.3) & (hashed(flat(torch.floor(s * torch.tensor([5.0, 1.0], device=s.device)))) > 0.3)).float()
    ink = ink * (hashed(flat(torch.stack([0 * cell[:, 0], cell[:, 1]], 1)), 3.0) > 0.25)
    blob = (noise(torch.stack([s[:, 0], s[:, 1], own * 3.1], 1)) > 0.52).float()
    mix = 0.12 * clouds
    choices = {
        WOOD: 0.75 * grain + 0.2 * clouds, PLANKS: 0.4 * grain + 0.35 * tint + 0.5 * (f[:, 0] < 0.04), TILES: torch.maximum(line, 0.15 * tint), BRICK: torch.maximum(line, 0.3 * tint),
        SPECKLE: fine, CLOTH: 0.35 * fine + 0.35 * clouds + 0.15 * ((s * 3).sum(1).floor() % 2), STRIPES: (cell[:, 0] % 2).abs(), CHECKER: (cell.sum(1) % 2).abs(), SPINES: tint,
        METAL: 0.35 * noise(torch.stack([uv[:, 0] * 3, uv[:, 1] * 160, own], 1)) + 0.3 * clouds, GLASS: clouds, POSTER: (0.5 * tint + 0.7 * blob).clamp(0, 1), LEAVES: (noise(at * 45 + own[:, None]) > 0.5).float(),
        SCREEN: (blob + 0.5 * ink).clamp(0, 1), WRITING: ink, KEYS: ((f < 0.14) | (f > 0.9)).any(1).float(), CLOUDS: coarse,
    }
    for number, value in choices.items():
        mix = torch.where(tex == number, value, mix)
    colour = row[:, RGB] * (1 - mix[:, None]) + row[:, ACCENT] * mix[:, None]
    hue = torch.stack([hashed(flat(torch.floor(s / 3)), k) for k in (1.3, 2.7, 5.1)], 1)
    many = (tex == SPINES) | (((tex == POSTER) | (tex == SCREEN)) & (hashed(flat(torch.floor(s / 3)), 9.0) > 0.55))
    return torch.where(many[:, None], 0.35 * colour + 0.65 * hue, colour)


class Renderer:
    def __init__(self, device: str, supersample: int = 2):
        self.device, self.ss, self.caster = device, supersample, Caster(device)

    @torch.no_grad()
    def frames(self, solids, labels, cameras, seed):
        """All cameras of a room at once: a dictionary of [K, …] tensors. `labels`: of every thing surface, category, kind, states."""
        dev, ss, rng = self.device, self.ss, random.Random(seed + 7)
        self.chance = torch.Generator(device=dev).manual_seed(seed)
        w, h, K = W * ss, H * ss, len(cameras)
        solids = torch.as_tensor(solids, device=dev)
        solids[:, 4:7] = solids[:, 4:7].clamp_min(5e-4)
        nothing = torch.zeros(1, 31, device=dev)
        nothing[0, 1:4], nothing[0, 4:7], nothing[0, 7:16] = 1e3, 1e-3, torch.eye(3, device=dev).flatten()
        solids = torch.cat([solids, nothing])
        R = torch.tensor(np.stack([c[0] for c in cameras]), device=dev)
        o = torch.tensor(np.stack([c[1] for c in cameras]), device=dev)
        tan, height = (torch.tensor([c[k] for c in cameras], device=dev, dtype=torch.float32) for k in (2, 3))
        f = w / 2 / tan
        v, u = torch.meshgrid(torch.arange(h, device=dev) + 0.5, torch.arange(w, device=dev) + 0.5, indexing="ij")
        rays = torch.stack([(u - w / 2)[None] / f[:, None, None], (v - h / 2)[None] / f[:, None, None], torch.ones(K, h, w, device=dev)], -1)
        d = torch.einsum("kij,khwj->khwi", R, rays)
        tiles = d.reshape(K, h // TILE, TILE, w // TILE, TILE, 3).permute(0, 1, 3, 2, 4, 5).reshape(-1, TILE * TILE, 3)
        T = len(tiles) // K
        keep = self.in_tiles(solids, o, tiles, T)
        lists, counts = lists_of(keep)
        t, index = self.caster.cast(o.repeat_interleave(T, 0)[:, None], tiles, solids, lists, counts)
        back = lambda x: x.reshape(K, h // TILE, w // TILE, TILE, TILE).permute(0, 1, 3, 2, 4).reshape(K, h, w)
        t, index = back(t), back(index)
        rgb, shiny, albedo = self.shade(solids, o, d, t, index, keep.view(K, T, -1).any(1), rng, height)
        pick = lambda x: x[:, ss // 2::ss, ss // 2::ss]
        row = solids[pick(index).clamp_min(0)]
        seen = pick(index) >= 0
        thing = torch.where(seen, row[..., THING].long(), torch.zeros_like(pick(index)))
        sway = (noise(((o[:, None, None] + pick(t)[..., None] * pick(d)) * 9).reshape(-1, 3)).view_as(thing) - 0.5) * 2 * row[..., SOFT]
        z = torch.where(seen, pick(t) + sway, torch.zeros_like(pick(t)))
        rgb = rgb.permute(0, 3, 1, 2)
        rgb = F.avg_pool2d(rgb, ss) if ss > 1 else rgb
        surface, category, kind, states = (torch.as_tensor(x, device=dev) for x in labels)
        states = (states * 4 ** torch.arange(states.shape[1], device=dev)).sum(1)  # two bits each
        albedo = (pick(albedo).permute(0, 3, 1, 2).clamp(0, 1) * 255).byte()
        return dict(rgb=(rgb.clamp(0, 1) * 255).byte(), z=z, thing=thing.short(), surface=surface[thing].byte(), category=category[thing].byte(), kind=kind[thing].byte(), states=states[thing].byte(), albedo=albedo, shiny=pick(shiny), R=R, height=height, f=f / ss)

    def in_tiles(self, solids, o, tiles, T):
        """[tiles, solids]: whose ball reaches into the tile's pyramid. Planes go through the corners of the tile."""
        q = tiles.view(-1, TILE, TILE, 3)
        corners = torch.stack([q[:, 0, 0], q[:, 0, -1], q[:, -1, -1], q[:, -1, 0]], 1)
        normals = F.normalize(torch.cross(corners, corners.roll(-1, 1), dim=-1), dim=-1)
        middle = F.normalize(q[:, TILE // 2, TILE // 2], dim=-1)
        normals = normals * torch.sign((normals * middle[:, None]).sum(-1, keepdim=True))
        rel = solids[None, :, 1:4] - o.repeat_interleave(T, 0)[:, None]
        radius = solids[:, 4:7].norm(dim=1)
        inside = torch.einsum("tsi,tki->tsk", rel, normals) > -(radius[None, :, None] + 0.02)
        ahead = ((rel * middle[:, None]).sum(-1) > -radius) & (rel.norm(dim=-1) - radius < 9)
        return inside.all(-1) & ahead

    def shade(self, solids, o, d, t, index, visible, rng, height):
        K, h, w = t.shape
        n = K * h * w
        seen = (index >= 0).reshape(n)
        row = solids[index.clamp_min(0).reshape(n)]
        d1 = F.normalize(d, dim=-1).reshape(n, 3)
        at = (o[:, None, None] + t.clamp_max(50)[..., None] * d).reshape(n, 3)
        R = row[:, 7:16].unflatten(-1, (3, 3))
        local = torch.einsum("nij,ni->nj", R, at - row[:, 1:4])
        half, kind = row[:, 4:7], row[:, 0]
        q = local / half
        axis = q.abs().argmax(1)
        box_normal = F.one_hot(axis, 3).float() * q.sign()
        taper = (row[:, 17] - row[:, 16]) / 2
        side = torch.stack([q[:, 0] / half[:, 0], q[:, 1] / half[:, 1], -taper * (row[:, 16] + row[:, 17] + 2 * taper * q[:, 2]) / 2 / half[:, 2]], 1)
        cap = (q[:, 2].abs() > 0.997) & ((q[:, :2].norm(dim=1) < (row[:, 16] + row[:, 17]) / 2 + taper * q[:, 2].sign() - 0.003) | (side.norm(dim=1) < 1e-6))
        round_normal = torch.where(cap[:, None], F.one_hot(torch.full_like(axis, 2), 3).float() * q.sign(), F.normalize(side, dim=1))
        normal = torch.where((kind == 0)[:, None], box_normal, torch.where((kind == 1)[:, None], round_normal, F.normalize(q / half, dim=1)))
        normal = torch.einsum("nij,nj->ni", R, normal)
        normal = torch.where(((normal * d1).sum(1) > 0)[:, None], -normal, normal)
        soft = row[:, SOFT]
        bump = torch.stack([noise(at * 14 + k) for k in (0.0, 31.0, 57.0)], 1) - 0.5
        normal = F.normalize(normal + bump * (soft[:, None] * 45).clamp_max(0.9), dim=1)
        round_uv = torch.stack([torch.atan2(q[:, 1], q[:, 0]) * half[:, 0], local[:, 2]], 1)
        box_uv = torch.stack([torch.where(axis == 0, local[:, 1], torch.where(axis == 1, local[:, 0], local[:, 1])), torch.where(axis == 2, local[:, 0], local[:, 2])], 1)
        own = torch.frac(row[:, THING] * 0.137) * 40
        colour = painted(torch.where((kind == 0)[:, None], box_uv, round_uv), local, row, own)
        pages = ((row[:, TEXTURE] == PAGE) & (kind == 0)).nonzero()[:, 0]
        if len(pages):
            colour[pages] = self.pages(q[pages], half[pages], axis[pages], row[pages], own[pages])
        light = torch.zeros(n, 3, device=t.device)
        per = lambda low, high: torch.tensor([rng.uniform(low, high) for _ in range(K)], device=t.device).repeat_interleave(h * w)[:, None]
        light = light + per(0.18, 0.6) * (0.75 + 0.25 * normal[:, 2:])
        gloss = row[:, GLOSS:GLOSS + 1]
        for number in range(3):
            on = per(-0.5 if number else 0.5, 1).gt(0).float()
            place = torch.stack([torch.tensor([rng.uniform(-2.5, 2.5), rng.uniform(-2.5, 2.5), 0], device=t.device) + o[k] for k in range(K)])
            place[:, 2] = o[:, 2] - height + torch.tensor([rng.uniform(1.5, 2.5) for _ in range(K)], device=t.device)
            to = place.repeat_interleave(h * w, 0) - at
            far = to.norm(dim=1, keepdim=True)
            to = to / far
            strength = on * per(0.3, 1.1) / (1 + 0.15 * far * far)
            if number == 0:
                strength = strength * self.shadow(solids, place, at.view(K, h, w, 3), normal.view(K, h, w, 3), visible).view(n, 1)
            warm = torch.stack([torch.tensor([1, rng.uniform(0.82, 1), rng.uniform(0.6, 1.05)], device=t.device) for _ in range(K)]).repeat_interleave(h * w, 0)
            light = light + strength * warm * (normal * to).sum(1, keepdim=True).clamp_min(0)
            shine = (normal * F.normalize(to - d1, dim=1)).sum(1, keepdim=True).clamp_min(0)
            light = light + strength * gloss * (1.5 * shine ** 60 + 0.3 * shine ** 8)
        glow = row[:, GLOW:GLOW + 1]
        out = colour * (light * (1 - 0.6 * glow) + glow * 0.9) * per(0.75, 1.5)
        out = torch.where(seen[:, None], out, torch.full_like(out, 0.85)).clamp(0, 1) ** per(0.75, 1.2)
        grazing = (normal * d1).sum(1).abs() < 0.12
        shiny = seen & ((gloss[:, 0] > 0.55) | (row[:, TEXTURE] == GLASS) | (out.mean(1) < 0.07) | grazing)
        return out.view(K, h, w, 3), shiny.view(K, h, w), colour.view(K, h, w, 3)

    @staticmethod
    def pages(q, half, axis, row, own):
        """Both faces of a leaf, and its edges, which are too narrow to tell."""
        a, b = torch.where(axis == 0, 1, 0), torch.where(axis == 2, 1, 2)
        of = lambda x: torch.stack([x.gather(1, a[:, None])[:, 0], x.gather(1, b[:, None])[:, 0]], 1)
        side = q.gather(1, axis[:, None])[:, 0].sign() + 2 * axis
        chance = lambda k: hashed(torch.stack([own, side, torch.full_like(own, k)], 1), 1.7)
        return page((of(q).clamp(-1, 1) + 1) / 2, 2 * of(half), row[:, RGB], row[:, ACCENT], chance, noise)

    def shadow(self, solids, place, at, normal, visible):
        """How much of a lamp's disc is seen from each pixel: one ray a pixel of a coarse grid to a random point of the disc, then smoothed."""
        step = 2 * self.ss
        K, h, w = at.shape[:3]
        p = (at + 0.01 * normal)[:, ::step, ::step]
        aim = place[:, None, None] + 0.22 * torch.randn(p.shape, generator=self.chance, device=p.device)
        lists, counts = lists_of(visible & (solids[:, 4:7].amax(1) < 2.0)[None])
        hh, ww = p.shape[1:3]
        parts = hh * ww // (TILE * TILE)
        pieces = lambda x: x.reshape(-1, TILE * TILE, 3)
        t, _ = self.caster.cast(pieces(p), pieces(aim - p), solids, lists.repeat_interleave(parts, 0), counts.repeat_interleave(parts), SHADOW_NEAR)
        lit = (t > 1).float()
        lit = F.avg_pool2d(F.pad(lit.view(K, 1, hh, ww), (2, 2, 2, 2), mode="replicate"), 5, 1)
        return F.interpolate(lit, size=(h, w), mode="bilinear", align_corners=False)[:, 0]
