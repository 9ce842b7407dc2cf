"""Train one encoder on one or two cores and keep the checkpoint that is best on validation.

    python train.py --cache FILE.npz --out FILE.npz --log runs/runs.jsonl --name NAME [--set key=value …]

Validation: STS-B dev, retrieval on sources that are not trained on (questions among them),
held-out groups, a made-up drive, held-out near misses.  STS-B test, SICK, the household
probes and NaVQA are never read here.
"""

import argparse
import json
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

import sources
from model import Adam, Encoder, contrast, encode
from model import rows as make_rows
from validation import near_miss, pools, validate

# The run that ships.
DEFAULT = dict(dim=128, tau=0.085, batch=512, steps=2500, seed=1, every=500, power=0.5, sources="", schema=0.5, ask_captions=1.5, ask_glosses=0.7,
               lr_proj=0.004, lr_residual=0.012, lr_weight=0.02, decay=0.0, residual_start=0.01, norm_power=0.0, sif=1e-3, own_counts=0.5,
               antonyms=4.0, captions_near=0.0, antonym_margin=0.2, drop=0.0, anchor=0.0)


def shares(z: dict, cfg: dict) -> dict[str, float]:
    """How often each source is drawn: share × pairs ** power; "name:share,…" in cfg["sources"] changes shares."""
    share = {k: v[1] for k, v in sources.USED.items()} | {k: cfg[k] for k in ("schema", "ask_captions", "ask_glosses")}
    share |= {k: float(v) for k, v in (item.split(":") for item in cfg["sources"].split(",") if item)}
    size = {k: len(z["triples"] if k == "schema" else z["pairs_" + k]) for k, v in share.items() if v > 0}
    weight = {k: share[k] * n ** cfg["power"] for k, n in size.items()}
    return {k: w / sum(weight.values()) for k, w in weight.items()}


def train(z: dict, cfg: dict) -> tuple[Encoder, torch.Tensor, dict, list]:
    rng = np.random.RandomState(cfg["seed"])
    model = Encoder(z, cfg)
    adam = Adam(model.state(), [cfg["lr_proj"], cfg["lr_residual"], cfg["lr_weight"]], [0.0, cfg["decay"], 0.0])
    chance = shares(z, cfg)
    names, odds = list(chance), list(chance.values())
    near = z["near_train"]
    antonym = z["families"].tolist().index("antonym")
    words_near, texts_near = near[near[:, 0] == antonym], near[(near[:, 0] != antonym) & (near[:, 2] >= 0)]
    held = pools(z)
    best, history, started = None, [], time.time()

    for step in range(1, cfg["steps"] + 1):
        scale = min(1.0, step / 50) * max(0.02, 1 - step / cfg["steps"])
        source = names[rng.choice(len(names), p=odds)]
        rows = z["triples"] if source == "schema" else z["pairs_" + source]
        rows = rows[rng.choice(len(rows), min(cfg["batch"], len(rows)), replace=False)] if len(rows) < 20 * cfg["batch"] else rows[rng.randint(len(rows), size=cfg["batch"])]
        parts = [rows[:, 0], rows[:, 1]]
        if source == "schema":
            parts.append(rows[:, 2])
        first_near = len(parts)
        if cfg["antonyms"]:
            r = words_near[rng.randint(len(words_near), size=256)]
            parts += [r[:, 1], r[:, 3]]
        if cfg["captions_near"]:
            r = texts_near[rng.randint(len(texts_near), size=256)]
            parts += [r[:, 1], r[:, 2], r[:, 3]]
        flat, begin = model.gather(np.concatenate(parts).astype(np.int64))
        used, inverse = np.unique(flat, return_inverse=True)
        used = torch.tensor(used).long()
        proj = model.proj.clone().requires_grad_()
        residual = model.residual[used].requires_grad_()
        log_weight = model.log_weight[used].requires_grad_()
        table = make_rows(model.glove[used], proj, residual, log_weight)
        if cfg["drop"]:
            keep = torch.tensor(rng.rand(len(inverse)) >= cfg["drop"]).float()
            out = F.embedding_bag(torch.tensor(inverse), table, torch.tensor(begin), mode="sum", per_sample_weights=keep)
        else:
            out = F.embedding_bag(torch.tensor(inverse), table, torch.tensor(begin), mode="sum")
        pieces = F.normalize(out, dim=1, eps=1e-6).split([len(p) for p in parts])
        ta, tb = torch.tensor(rows[:, 0]), torch.tensor(rows[:, 1])
        same = (ta[:, None] == ta) | (tb[:, None] == tb) | (ta[:, None] == tb) | (tb[:, None] == ta)
        if source != "schema":
            g = torch.tensor(rows[:, 2])
            same |= g[:, None] == g
        same.fill_diagonal_(False)
        loss = contrast(pieces[0], pieces[1], same, cfg["tau"], pieces[2] if source == "schema" else None)
        shown = loss.item()
        at = first_near
        if cfg["antonyms"]:
            loss = loss + cfg["antonyms"] * F.relu((pieces[at] * pieces[at + 1]).sum(1) - cfg["antonym_margin"]).square().mean()
            at += 2
        if cfg["captions_near"]:
            a, p, n = pieces[at : at + 3]
            loss = loss + cfg["captions_near"] * F.softplus(((a * n).sum(1) - (a * p).sum(1)) / 0.1).mean()
        grads = torch.autograd.grad(loss, [proj, residual, log_weight])
        if cfg["anchor"]:
            model.log_weight[used] += cfg["anchor"] * scale * (model.log_weight_start[used] - model.log_weight[used])
        for n, (grad, touched) in enumerate(zip(grads, (slice(None), used, used))):
            adam.step(n, grad, touched, scale)
        if step % cfg["every"] == 0 or step == cfg["steps"]:
            table = model.table()
            v = validate(table, model, z, held)
            history.append({"step": step, "loss": round(shown, 4), **{k: round(x, 4) for k, x in v.items()}})
            if step % (2 * cfg["every"]) == 0:
                print(step, round(time.time() - started), {k.replace("mrr_", ""): round(x, 3) for k, x in v.items()}, flush=True)
            if best is None or v["mix"] > best[0]["mix"]:
                best = (v, table.clone(), step)
    return model, best[1], {"step": best[2], "seconds": round(time.time() - started, 1), **{k: round(x, 4) for k, x in best[0].items()}}, history


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, help="where to write the weights")
    ap.add_argument("--log", type=pathlib.Path, required=True)
    ap.add_argument("--name", default="run")
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--set", nargs="*", default=[])
    args = ap.parse_args()
    torch.set_num_threads(args.threads)
    with np.load(args.cache) as f:
        z = {k: f[k] for k in f.files}
    cfg = dict(DEFAULT)
    for item in args.set:
        key, value = item.split("=", 1)
        cfg[key] = value if isinstance(cfg[key], str) else type(cfg[key])(float(value))
    model, table, result, history = train(z, cfg)
    record = {"name": args.name, "changed": {k: v for k, v in cfg.items() if v != DEFAULT[k]}, "config": cfg, "best": result, "history": history}
    with torch.no_grad():
        enc = lambda i: encode(table, model, i.astype(np.int64)).numpy()
        record["report"] = {k: round(v, 4) for k, v in near_miss(z, ["near_test", "near_unseen"], enc).items()}
    if args.out:
        np.savez(args.out, table=table.numpy(), vocab=z["vocab"])
    with open(args.log, "a") as f:
        f.write(json.dumps(record) + "\n")
    print(args.name, record["changed"], {k.replace("mrr_", ""): round(v, 3) for k, v in result.items()}, record["report"], flush=True)


if __name__ == "__main__":
    main()
