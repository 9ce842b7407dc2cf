"""Renders and trains on one GPU, in one command; then calibrates, evaluates and exports.
python3 training/eyes/train.py --out DIR [--seconds 400] …: see README.md."""
import argparse
import json
import math
import multiprocessing
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn

import evaluate
import export
import rooms
import unfold
from categories import KINDS, NAMES, ONLY_WORD
from net import Net, kind_loss, kind_targets, loss, targets
from render import H, W, Renderer
from sensors import CHANNELS, channels, damaged, photographed

HELD_OUT = 14  # houses at the end of the list that no training frame shows
HERE = os.path.dirname(os.path.abspath(__file__))
HOUSES: list = []
FIELDS = {"rgb": (torch.uint8, (3, H, W)), "z": (torch.float32, (H, W)), "thing": (torch.int16, (H, W)), "surface": (torch.uint8, (H, W)), "category": (torch.uint8, (H, W)), "kind": (torch.uint8, (H, W)), "states": (torch.uint8, (H, W)), "albedo": (torch.uint8, (3, H, W)), "shiny": (torch.bool, (H, W)), "R": (torch.float32, (3, 3)), "height": (torch.float32, ()), "f": (torch.float32, ())}


def job(task):
    torch.set_num_threads(1)
    house, seed, cameras = task
    return rooms.make_room(HOUSES[house], seed, cameras)


class Store:
    """Frames on the GPU; when full, the oldest go."""

    def __init__(self, capacity, device):
        self.capacity, self.count, self.made = capacity, 0, 0
        self.data = {k: torch.zeros(capacity, *shape, dtype=dtype, device=device) for k, (dtype, shape) in FIELDS.items()}

    def add(self, frames):
        # A wall before the lens or an empty corner teaches nothing.
        z, surface = frames["z"], frames["surface"]
        good = ((z < 0.3).float().mean((1, 2)) < 0.2) & ((surface > 0).float().mean((1, 2)) > 0.05)
        for k in good.nonzero()[:, 0].tolist():
            at = self.made % self.capacity
            for name, value in frames.items():
                self.data[name][at] = value[k]
            self.made += 1
            self.count = min(self.capacity, self.made)


def batch(data, index, augment, depth=True):
    """Frames → the net's input and labels."""
    d = {k: v[index] for k, v in data.items()}
    B, dev = len(index), index.device
    rgb, z, f, R, height = d["rgb"].float() / 255, d["z"], d["f"], d["R"], d["height"]
    cx, cy = torch.full((B,), W / 2, device=dev), torch.full((B,), H / 2, device=dev)
    maps = [rgb, z, *(d[name] for name in ("shiny", "thing", "surface", "category", "kind", "states", "albedo"))]
    up, known = R[:, 2].clone(), torch.ones(B, device=dev)  # the world's z in the camera's axes
    if augment:
        if random.random() < 0.5:
            zoom = random.uniform(1, 1.7)
            cw, ch = int(W / zoom), int(H / zoom)
            x0, y0 = random.randint(0, W - cw), random.randint(0, H - ch)
            xs, ys = x0 + torch.arange(W, device=dev) * cw // W, y0 + torch.arange(H, device=dev) * ch // H
            maps = [m[..., ys[:, None], xs[None]] for m in maps]
            f, cx, cy = f * W / cw, (cx - x0) * W / cw, (cy - y0) * W / cw
        if random.random() < 0.5:
            maps = [m.flip(-1) for m in maps]
            cx, up = W - cx, up * torch.tensor([-1.0, 1, 1], device=dev)
        up = up + torch.randn(B, 3, device=dev) * 0.03
        up = up / up.norm(dim=1, keepdim=True)
        height = height + torch.randn(B, device=dev) * 0.06
        known = (torch.rand(B, device=dev) > 0.12).float()
    rgb, z, shiny, thing, surface, category, kind, states, albedo = maps
    z = damaged(z, shiny, rgb, f) if augment else z
    if not depth:
        z = torch.zeros_like(z)
    if augment:
        rgb = photographed(rgb)
        f = f * (1 + 0.05 * torch.randn(B, device=dev))
    return channels(rgb, z, f, f, cx, cy, up, height, known), (thing, surface, category), (kind, states, albedo)


class Source:
    """Rooms from worker processes, rendered when asked."""

    def __init__(self, houses, procs, device, supersample):
        global HOUSES
        HOUSES = houses
        self.pool = multiprocessing.get_context("fork").Pool(procs)
        self.renderer = None
        self.device, self.supersample = device, supersample

    def rooms(self, tasks):
        for made in self.pool.imap_unordered(job, tasks, chunksize=1):
            if not made[2]:
                continue
            self.renderer = self.renderer or Renderer(self.device, self.supersample)
            yield self.renderer.frames(*made)


def faster_layout(net, device, size, say):
    """Which order of numbers in memory is faster depends on the machine's convolutions: it is tried."""
    layouts = [torch.contiguous_format, torch.channels_last]
    took = [0.0, 0.0]
    for i, layout in enumerate(layouts):
        if device != "cuda":
            break
        net.to(memory_format=layout)
        x = torch.rand(size, CHANNELS, H, W, device=device).contiguous(memory_format=layout)
        for k in range(8):
            if k == 3:
                torch.cuda.synchronize()
                took[i] = -time.time()
            with torch.autocast(device, dtype=torch.bfloat16):
                y, kinds = net(x)
            (y.float().mean() + kinds.float().mean()).backward()
        torch.cuda.synchronize()
        took[i] += time.time()
    net.zero_grad(set_to_none=True)
    best = layouts[took.index(min(took))]
    net.to(memory_format=best)
    say("five passes, planes and pixels first:", [round(t, 3) for t in took], "s")
    return best


def rare_more(counts):
    """What is rare counts more, within bounds."""
    weight = (counts.float() / counts.sum().clamp_min(1)).clamp_min(5e-4) ** -0.3
    return weight / weight.mean()


def train_tasks(houses, cameras, seed):
    """Without an end; the pool draws ahead only a few, see `feed`. Another seed is other rooms; below 900,000 none is a held-out one."""
    order = random.Random(seed)
    number = 100_000 * (seed - 1)
    while True:
        number += 1
        yield order.randrange(houses), number, cameras


def feed(source, tasks, ahead=64):
    """Like `rooms` for an endless list: never more than `ahead` rooms in the making."""
    waiting = [source.pool.apply_async(job, (next(tasks),)) for _ in range(ahead)]
    while True:
        for i, result in enumerate(waiting):
            if result.ready():
                break
        else:
            i = 0
        made = waiting.pop(i).get()
        waiting.append(source.pool.apply_async(job, (next(tasks),)))
        if made[2]:
            source.renderer = source.renderer or Renderer(source.device, source.supersample)
            yield source.renderer.frames(*made)


def main():
    arguments = argparse.ArgumentParser()
    for name, kind, default in (("out", str, "out"), ("houses", str, HERE + "/.cache/houses.json.gz"), ("real", str, HERE + "/.cache/real.npz"), ("seconds", float, 400), ("first", float, 40), ("share", float, 0.35), ("capacity", int, 24000), ("batch", int, 48), ("width", float, 1.0), ("cameras", int, 12), ("validation", int, 320), ("procs", int, 15), ("supersample", int, 2), ("rate", float, 3e-3), ("start", str, ""), ("seed", int, 1)):
        arguments.add_argument("--" + name, type=kind, default=default)
    a = arguments.parse_args()
    began = time.time()
    os.makedirs(a.out, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    houses = rooms.load(a.houses)
    source = Source(houses, a.procs, device, a.supersample)  # forks before the GPU is touched
    say = lambda *w: print(f"[{time.time() - began:5.0f} s]", *w, flush=True)
    held = range(len(houses) - HELD_OUT, len(houses)) if len(houses) > 3 * HELD_OUT else [len(houses) - 1]
    check = Store(a.validation, device)
    for frames in source.rooms([(h, 900000 + 97 * h + k, 4) for k in range(40) for h in held][:a.validation // 3 + 1]):
        check.add(frames)
    say("held-out frames", check.count)
    store, supply = Store(a.capacity, device), feed(source, train_tasks(held[0] or 1, a.cameras, a.seed), 8 * a.procs)
    while time.time() - began < a.first or store.count < a.batch:
        store.add(next(supply))
    say("first frames", store.count)
    evaluate.sheet(store.data, a.out + "/rendered.png", batch)

    net = Net(a.width).to(device)
    say("parameters", sum(p.numel() for p in net.parameters()))
    if a.start:
        if a.start.endswith(".bin"):
            unfold.start(net, a.start, batch(store.data, torch.arange(min(96, store.count), device=device), True)[0])
        else:
            lacks = net.load_state_dict(torch.load(a.start, map_location=device), strict=False)
            assert not lacks.unexpected_keys, lacks.unexpected_keys
            say("new in it:", sorted({key.split(".")[1] for key in lacks.missing_keys}))
        before = evaluate.evaluate(net, check.data, check.count, batch, True, 1.0)
        say("starts from", a.start, {k: before[k] for k in ("surface IoU", "instance F1", "outlines drawn", "category accuracy")})
    known = {k: v.clone() for k, v in net.state_dict().items()}
    layout = faster_layout(net, device, a.batch, say)
    net.load_state_dict(known)  # trying moved the running means
    mean = Net(a.width).to(device).to(memory_format=layout)
    mean.load_state_dict(known)
    optimiser = torch.optim.AdamW(net.parameters(), lr=a.rate, weight_decay=1e-2)
    shown = store.data["category"][:store.count, 1::2, 1::2].flatten().long()
    of_things = store.data["surface"][:store.count, 1::2, 1::2].flatten() > 0
    class_weight = rare_more(torch.bincount(shown[of_things], minlength=len(NAMES)))
    shown = store.data["kind"][:store.count, 1::2, 1::2].flatten().long()
    kind_weight = rare_more(torch.bincount(shown[of_things & (shown != ONLY_WORD)], minlength=len(KINDS)))
    averaged, current = ([v for v in n.state_dict().values() if v.dtype.is_floating_point] for n in (mean, net))
    start, it, rendering = time.time(), 0, 0.0
    left = a.seconds - (start - began)
    while time.time() - start < left:
        done = (time.time() - start) / left
        for group in optimiser.param_groups:
            group["lr"] = a.rate * min(1, (it + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-5
        if rendering < a.share * (time.time() - start) and done < 0.9:
            t = time.time()
            store.add(next(supply))
            rendering += time.time() - t
        net.train()
        x, labels, more = batch(store.data, torch.randint(0, store.count, (a.batch,), device=device), True)
        x = x.contiguous(memory_format=layout)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            y, kinds = net(x)
        t = targets(*labels)
        total, parts = loss(y.float(), t, class_weight)
        also, others = kind_loss(kinds.float(), kind_targets(t, *more), kind_weight, class_weight)
        total, parts = total + also, torch.cat([parts, others])
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        it += 1
        keep = min(0.998, it / (it + 10))
        with torch.no_grad():
            torch._foreach_mul_(averaged, keep)
            torch._foreach_add_(averaged, current, alpha=1 - keep)
        if it % 250 == 0 or it < 3:
            say(it, "frames", store.made, "loss", round(total.item(), 3), [round(p, 3) for p in parts.tolist()])
    source.pool.terminate()
    say("trained", it, "steps on", store.made, "frames")

    mean.eval()
    torch.save(mean.state_dict(), a.out + "/net.pt")
    temperature, kind_temperature = (evaluate.calibrate(mean, check.data, check.count, batch, head) for head in (0, 1))
    figures = {"steps": it, "frames": store.made, "temperature": temperature, "kind temperature": kind_temperature, "parameters": sum(p.numel() for p in mean.parameters())}
    export.write(mean, temperature, kind_temperature, a.out + "/eyes-v1.bin", a.width)
    export.fixture(mean, a.out + "/eyes-fixture.bin")
    for key, depth in (("depth", True), ("no depth", False)):
        figures[key] = evaluate.evaluate(mean, check.data, check.count, batch, depth, temperature)
        figures[key]["kinds"] = evaluate.kinds(mean, check.data, check.count, batch, depth, kind_temperature)
        say(key, json.dumps(figures[key]))
    with open(a.out + "/figures.json", "w") as file:
        json.dump(figures, file, indent=1)
    if os.path.exists(a.real):
        evaluate.real(mean, np.load(a.real), a.out, temperature)
    say("done")


if __name__ == "__main__":
    main()
