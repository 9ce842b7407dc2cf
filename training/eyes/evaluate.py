"""Figures on held-out simulated houses, and pictures of what the net makes of real frames."""
import random

import numpy as np
import torch
import torch.nn.functional as F

import picture
from categories import KINDS, NAMES, ONLY_WORD, STATES, UNKNOWN
from net import HEADS, OFFSET_SCALE, kind_targets, targets
from sensors import channels

LEAST_PIXELS = 20  # of the half-resolution grid; smaller instances are not counted
LEAST_HEAT = 0.12


def instances(y):
    """[HEADS, h, w] → instance of every pixel, 0 none: peaks of the centre's heat, and each pixel to the peak that its offset points to."""
    surface, heat = y[:3].argmax(0), torch.sigmoid(y[4])
    peak = (heat == F.max_pool2d(heat[None, None], 5, 1, 2)[0, 0]) & (heat > LEAST_HEAT) & (surface > 0)
    at = peak.nonzero().float()
    out = torch.zeros_like(surface)
    if len(at) == 0:
        return out
    h, w = surface.shape
    yy, xx = torch.meshgrid(torch.arange(h, device=y.device).float(), torch.arange(w, device=y.device).float(), indexing="ij")
    to = torch.stack([yy + y[6] * OFFSET_SCALE, xx + y[5] * OFFSET_SCALE], -1)[surface > 0]
    out[surface > 0] = torch.cdist(to, at).argmin(1) + 1
    return out


def _seeded():
    random.seed(1)
    torch.manual_seed(1)


@torch.no_grad()
def evaluate(net, data, count, batch, depth, temperature):
    """Noisy frames: IoU of surfaces, F1 of instances at IoU .5, right category of true instances by the mean probability over their pixels."""
    _seeded()
    net.eval()
    device = data["z"].device
    confusion = torch.zeros(3, 3, dtype=torch.long, device=device)
    found = true = proposed = 0
    outlines = {"where things meet": [], "inside small things": []}
    right, sure = {}, []
    for at in range(0, count, 16):
        x, labels, _ = batch(data, torch.arange(at, min(count, at + 16), device=device), True, depth)
        y = net(x)[0].float()
        t = targets(*labels)
        confusion += torch.bincount((t["surface"] * 3 + y[:, :3].argmax(1)).flatten(), minlength=9).view(3, 3)
        drawn, small = torch.sigmoid(y[:, 3]), t["surface"] == 2
        for name, where in (("where things meet", small & (t["meets"] > 0)), ("inside small things", small & (t["boundary"] == 0))):
            outlines[name] += (drawn[where] > 0.5).float().tolist()
        probability = torch.softmax(y[:, HEADS:] / temperature, 1)
        for k in range(len(y)):
            guess, truth = instances(y[k]), t["key"][k] % 40000
            ids, truth = torch.unique(truth, return_inverse=True)
            n, m = len(ids), int(guess.max()) + 1
            both = torch.bincount(truth.flatten() * m + guess.flatten(), minlength=n * m).view(n, m).float()
            size, of_guess = both.sum(1), both.sum(0)
            iou = both / (size[:, None] + of_guess[None] - both).clamp_min(1)
            big = (size >= LEAST_PIXELS) & (ids > 0)
            found += int((iou[:, 1:].amax(1) > 0.5)[big].sum()) if m > 1 else 0
            true += int(big.sum())
            proposed += int((of_guess[1:] >= LEAST_PIXELS).sum())
            total = torch.zeros(n, probability.shape[1], device=device).index_add_(0, truth.flatten(), probability[k].flatten(1).T) / size[:, None]
            of = torch.zeros(n, dtype=torch.long, device=device).scatter_(0, truth.flatten(), t["category"][k].flatten())
            best, which = total[:, 1:].max(1)
            for i in (big & (of > 0)).nonzero()[:, 0].tolist():
                hit = int(which[i]) + 1 == int(of[i])
                right.setdefault(NAMES[int(of[i])], []).append(hit)
                sure.append((float(best[i]), hit))
    recall, precision = found / max(1, true), found / max(1, proposed)
    iou = [float(confusion[k, k] / (confusion[k].sum() + confusion[:, k].sum() - confusion[k, k]).clamp_min(1)) for k in range(3)]
    bands = {f"{low:.1f}": [h for p, h in sure if low <= p < low + 0.2] for low in (0, 0.2, 0.4, 0.6, 0.8)}
    mean = lambda v: round(sum(v) / max(1, len(v)), 3)
    return {
        "frames": count, "surface IoU": [round(v, 3) for v in iou], "instance recall": round(recall, 3), "instance precision": round(precision, 3), "instance F1": round(2 * recall * precision / max(1e-9, recall + precision), 3),
        "outlines drawn": {k: mean(v) for k, v in outlines.items()},
        "category accuracy": mean([h for _, h in sure]), "instances": len(sure), "right by confidence": {k: [mean(v), len(v)] for k, v in bands.items()},
        "by category": {k: [mean(v), len(v)] for k, v in sorted(right.items())},
    }


@torch.no_grad()
def kinds(net, data, count, batch, depth, temperature):
    """Of true instances whose kind or state is known: how often the likeliest kind is right, and the likelier state, all and when sure."""
    _seeded()
    device = data["z"].device
    right, states = {}, {state: [] for state in STATES}
    for at in range(0, count, 16):
        x, labels, more = batch(data, torch.arange(at, min(count, at + 16), device=device), True, depth)
        t = kind_targets(targets(*labels), *more)
        y = net(x)[1].float()
        probability, state = torch.softmax(y[:, :len(KINDS)] / temperature, 1), torch.sigmoid(y[:, len(KINDS):len(KINDS) + len(STATES)])
        ids, of = torch.unique(t["key"], return_inverse=True)
        for i in range(len(ids)):
            b, v, u = (of == i).nonzero(as_tuple=True)
            if int(ids[i]) % 40000 == 0 or len(b) < LEAST_PIXELS // 4:
                continue
            kind = int(t["kind"][b[0], v[0], u[0]])
            if kind not in (0, ONLY_WORD):
                right.setdefault(KINDS[kind], []).append(int(probability[b, :, v, u].mean(0)[1:].argmax()) + 1 == kind)
            for k, name in enumerate(STATES):
                truth = int(t["states"][b[0], k, v[0], u[0]])
                if truth != UNKNOWN:
                    p = float(state[b, k, v, u].mean())
                    states[name].append((max(p, 1 - p), (p > 0.5) == (truth == 1)))
    mean = lambda v: [round(sum(v) / max(1, len(v)), 3), len(v)]
    return {
        "right": mean([h for hits in right.values() for h in hits]), "by kind": {k: mean(v) for k, v in sorted(right.items())},
        "states": {name: {"all": mean([h for _, h in seen]), "sure": mean([h for p, h in seen if p > 0.75])} for name, seen in states.items()},
    }


@torch.no_grad()
def calibrate(net, data, count, batch, head=0):
    """The temperature at which the mean probability of an instance's category or kind is most likely, on every second held-out frame."""
    _seeded()
    device = data["z"].device
    best = (1e9, 1.0)
    logits, labels = [], []
    for at in range(0, count, 32):
        x, (thing, surface, category), more = batch(data, torch.arange(at, min(count, at + 32), 2, device=device), True, True)
        t = targets(thing, surface, category)
        if head == 0:
            y, label, is_known = net(x)[0].float()[:, HEADS:], t["category"], (t["big"] > 0) & (t["category"] > 0)
        else:
            t = kind_targets(t, *more)
            y, label = net(x)[1].float()[:, :len(KINDS)], t["kind"]
            is_known = (label > 0) & (label != ONLY_WORD) & (t["surface"] > 0)
        weight = (t["weight"] ** 2 * is_known).flatten()
        if float(weight.sum()) == 0:
            continue
        pick = torch.multinomial(weight, 4000, replacement=True)
        logits.append(y.permute(0, 2, 3, 1).flatten(0, 2)[pick])
        labels.append(label.flatten()[pick])
    logits, labels = torch.cat(logits), torch.cat(labels)
    for step in range(10, 61):
        cost = float(F.cross_entropy(logits / (step / 20), labels))
        best = min(best, (cost, step / 20))
    return best[1]


def _palette(n):
    rng = np.random.RandomState(5)
    colours = rng.randint(40, 255, (n, 3))
    colours[0] = 0
    return colours


def _maps(y, rgb, temperature):
    """Picture | surfaces | categories where sure | instances, side by side."""
    probability = torch.softmax(y[HEADS:] / temperature, 0)
    best, which = probability[1:].max(0)
    surface, which = y[:3].argmax(0), which + 1
    which = torch.where((best > 0.35) & ((surface > 0) | (which == NAMES.index("rug"))), which, torch.zeros_like(which))
    up = lambda m: np.repeat(np.repeat(m, 2, 0), 2, 1)
    three = np.array([[30, 30, 30], [60, 110, 220], [240, 140, 40]])[surface.cpu().numpy()]
    named = _palette(len(NAMES))[which.cpu().numpy()]
    inst = _palette(500)[instances(y).cpu().numpy() % 500]
    edge = (torch.sigmoid(y[3]) > 0.5).cpu().numpy()
    three[edge] = 255
    return np.concatenate([rgb, up(three), up(named), up(inst)], 1), which


@torch.no_grad()
def real(net, frames, out, temperature):
    """Frames of real rooms (rgb, depth, f, up, height): their maps as pictures, and the names with their share of pixels."""
    device = next(net.parameters()).device
    rows, lines = [], []
    for k in range(len(frames["rgb"])):
        rgb = torch.tensor(frames["rgb"][k], device=device).permute(2, 0, 1)[None].float() / 255
        number = lambda name: torch.tensor(np.asarray(frames[name][k], dtype=np.float32), device=device).view(1)
        up = torch.tensor(frames["up"][k], device=device).float()[None]
        z = torch.tensor(frames["depth"][k].astype(np.float32), device=device)[None]
        for depth in ((z, z * 0) if k % 6 == 0 else (z,)):
            height = number("height")
            known = torch.isfinite(height).float()
            x = channels(rgb, depth, number("f"), number("f"), number("cx"), number("cy"), up, torch.nan_to_num(height, 1.4), known)
            row, which = _maps(net(x)[0][0].float(), frames["rgb"][k], temperature)
            rows.append(row)
            names, counts = np.unique(which.cpu().numpy(), return_counts=True)
            lines.append(f"{k} {'depth' if float(depth.sum()) else 'no depth'}: " + ", ".join(f"{NAMES[n]} {c * 100 // which.numel()}%" for n, c in sorted(zip(names, counts), key=lambda p: -p[1]) if n and c > 60))
    for at in range(0, len(rows), 24):
        picture.save(f"{out}/real-{at // 24}.png", np.concatenate(rows[at:at + 24], 0))
    with open(out + "/real.txt", "w") as file:
        colours = _palette(len(NAMES))
        file.write("\n".join(lines) + "\n" + "\n".join(f"{n} {colours[i].tolist()}" for i, n in enumerate(NAMES)) + "\n")


def sheet(data, path, batch, count=6):
    """A look at what is rendered: picture, as photographed, damaged depth, normals, things."""
    count = min(count, len(data["z"]))
    index = torch.arange(count, device=data["z"].device)
    x, (thing, surface, _), _ = batch(data, index, True)
    rows = []
    for k in range(count):
        show = lambda t: (t.permute(1, 2, 0).clamp(0, 1) * 255).byte().cpu().numpy()
        things = _palette(997)[(thing[k].long() * (surface[k] > 0)).cpu().numpy() % 997]
        rows.append(np.concatenate([data["rgb"][k].permute(1, 2, 0).cpu().numpy(), show(x[k, :3] + 0.5), show(x[k, 3:4].expand(3, -1, -1)), show(x[k, 6:9] * 0.5 + 0.5), things], 1))
    picture.save(path, np.concatenate(rows, 0))
