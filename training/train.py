"""Train encoders on a GPU (seconds a run) or a CPU core (minutes) and keep what is best on validation.

    python train.py --cache FILE.npz --plan PLAN.json --log runs/runs.jsonl --out DIR

A plan is a list of {"name": …, "set": {key: value, …}, "seeds": [1, 2, …], "keep": true}.  Runs
of one entry differ in their seed only and start alike, so that their weights can be
averaged: the average is validated as a run of its own.  With "keep", it (or the only run)
is written to DIR/name.npz.

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
from model import Encoder, encode_tokens, pad
from validation import Validation

DEFAULT = dict(dim=128, tau=0.085, batch=512, steps=2500, every=500, longest=32, power=0.5, sources="", schema=0.5, ask_captions=1.5, ask_glosses=0.7,
               lr_proj=0.004, lr_residual=0.012, lr_weight=0.02, decay=0.0, residual_start=0.11, own_dims=0, norm_power=0.0, components=0, sif=1e-3, own_counts=0.5,
               stop_start=0.0, antonyms=4.0, antonym_margin=0.2, relations=0.0, captions_near=0.0, hard=0.0, drop=0.0, crops=0.0, crop_drop=0.5, hidden=0, lr_net=0.002, anchor=0.0, average=0.0, init=0, needs=0.0, needs_all=0.0, contrast=1.0, distil=0.0, distil_tau=0.05, gram=0.0)


SPREAD = 8192


class Bags(torch.autograd.Function):
    """Sums of table rows; the way back is one scatter, so that a whole step can be replayed as a CUDA graph."""

    @staticmethod
    def forward(ctx, table: torch.Tensor, tokens: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(tokens, keep)
        ctx.size = len(table)
        return F.embedding_bag(tokens, torch.cat([table, table.new_zeros(1, table.shape[1])]), per_sample_weights=keep, mode="sum")

    @staticmethod
    def backward(ctx, grad: torch.Tensor):
        tokens, keep = ctx.saved_tensors
        # Empty places are spread over many rows that nobody reads: on one row they would queue up.
        spread = ctx.size + torch.arange(tokens.numel(), device=tokens.device, dtype=tokens.dtype).view_as(tokens) % SPREAD
        out = grad.new_zeros(ctx.size + SPREAD, grad.shape[1])
        out.index_add_(0, torch.where(tokens == ctx.size, spread, tokens).reshape(-1), (grad[:, None, :] * keep[:, :, None]).reshape(-1, grad.shape[1]))
        return out[: ctx.size], None, None


def shares(z: dict, cfg: dict) -> dict[str, float]:
    """How often each source is drawn: share × pairs ** power; "name:share,…" in cfg["sources"] changes shares."""
    share = {k: v[1] for k, v in sources.USED.items()} | {k: cfg[k] for k in ("schema", "crops", "ask_captions", "ask_glosses", "needs", "needs_all")}
    share |= {k: float(v) for k, v in (item.split(":") for item in cfg["sources"].split(",") if item)}
    size = {k: len(z[{"schema": "triples", "crops": "crops"}.get(k, "pairs_" + k)]) for k, v in share.items() if v > 0}
    weight = {k: share[k] * n ** cfg["power"] for k, n in size.items()}
    return {k: w / sum(weight.values()) for k, w in weight.items()}


class Trainer:
    """The corpus on one device; every run shares it."""

    def __init__(self, z: dict, device: str):
        self.z, self.device = z, device
        for name in ("mrpc", "wikiqa"):  # for weights that no longer have to be chosen: with what was held out to choose by
            z[f"pairs_{name}_all"] = np.concatenate([z["pairs_" + name], z["held_" + name]])
        antonym = z["families"].tolist().index("antonym")
        near = z["near_train"]
        misses: dict[int, int] = {}
        for family, a, _, n in near.tolist():
            if family != antonym:
                misses[a] = n
        blocks, self.place, at = [], {}, 0
        for name in [k[6:] for k in z if k.startswith("pairs_")] + ["schema", "crops"]:
            if name == "crops":
                t = z["crops"]
                block = np.stack([t, t, -1 - np.arange(len(t)), np.full(len(t), -1)], 1)
            elif name == "schema":
                t = z["triples"]
                block = np.stack([t[:, 0], t[:, 1], -1 - np.arange(len(t)), t[:, 2]], 1)
            else:
                p = z["pairs_" + name]
                block = np.concatenate([p, np.array([misses.get(a, -1) for a in p[:, 0].tolist()])[:, None]], 1)
            self.place[name] = (at, len(block))
            at += len(block)
            blocks.append(block)
        self.pairs = torch.tensor(np.concatenate(blocks), device=device).long()
        tell = lambda m: torch.tensor(near[m][:, 1:], device=device).long()
        self.words_near = tell(near[:, 0] == antonym)
        vsr = z["families"].tolist().index("vsr")
        self.relations_near = tell((near[:, 0] == vsr) & (near[:, 2] >= 0))
        self.captions_near = tell((near[:, 0] != antonym) & (near[:, 0] != vsr) & (near[:, 2] >= 0))
        self.teacher: torch.Tensor | None = None  # rows that a student's similarities should be like
        self.padded: dict[tuple, torch.Tensor] = {}
        self.validations: dict[tuple, Validation] = {}

    def texts(self, cfg: dict) -> tuple[torch.Tensor, Validation]:
        key = (cfg["longest"], cfg["stop_start"] > 0)
        if key not in self.padded:
            self.padded[key] = torch.tensor(pad(self.z, *key), device=self.device)
            self.validations[key] = Validation(self.z, self.padded[key])
        return self.padded[key], self.validations[key]

    def timetable(self, cfg: dict, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Which source each step draws from, and how large the step is."""
        chance = shares(self.z, cfg)
        names = list(chance)
        order = np.random.RandomState(seed).choice(len(names), cfg["steps"] + 8, p=list(chance.values()))
        wide = np.arange(1, cfg["steps"] + 9)
        scales = torch.tensor(np.minimum(1, wide / 50) * np.maximum(0.02, 1 - wide / cfg["steps"]), device=self.device).float()
        return torch.tensor([self.place[names[i]] for i in order], device=self.device), scales

    def run(self, cfg: dict, seed: int, start: torch.Tensor | None = None) -> tuple[list[torch.Tensor], dict, list]:
        padded, validation = self.texts(cfg)
        model = Encoder(self.z, cfg, self.device, start)
        torch.manual_seed(seed)
        schedule, scales = self.timetable(cfg, seed)
        step_of = Step(self, cfg, model, padded, schedule, scales)
        best, history, started = None, [], time.time()
        advance = step_of.captured() if self.device == "cuda" else step_of
        for step in range(1, cfg["steps"] + 1):
            advance()
            if step % cfg["every"] == 0 or step == cfg["steps"]:
                state = [p.clone() for p in step_of.averages or model.state()]
                v = validation(model.rows(*state))
                history.append({"step": step, "loss": round(step_of.loss.item(), 4), **{k: round(x, 4) for k, x in v.items()}})
                if best is None or v["mix"] > best[0]["mix"]:
                    best = (v, state, step)
        return best[1], {"step": best[2], "seconds": round(time.time() - started, 1), **{k: round(x, 4) for k, x in best[0].items()}}, history


class Step:
    """One step of training, all on the device; calling it moves the model."""

    def __init__(self, trainer: Trainer, cfg: dict, model: Encoder, padded: torch.Tensor, schedule: torch.Tensor, scales: torch.Tensor):
        self.t, self.cfg, self.model, self.padded, self.schedule, self.scales = trainer, cfg, model, padded, schedule, scales
        device = trainer.device
        self.now = torch.zeros(1, dtype=torch.long, device=device)
        self.loss = torch.zeros((), device=device)
        self.params = model.state()
        self.rates = [cfg["lr_proj"], cfg["lr_residual"], cfg["lr_weight"], cfg["lr_net"], cfg["lr_net"]]
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.count = [torch.zeros(p.shape[0], device=device) for p in self.params]
        self.averages = [p.clone() for p in self.params] if cfg["average"] else None
        self.target = torch.arange(cfg["batch"], device=device)

    def draw(self, of: torch.Tensor, n: int) -> torch.Tensor:
        return of[(torch.rand(n, device=self.t.device) * len(of)).long()]

    def __call__(self) -> None:
        cfg, t = self.cfg, self.t
        place = self.schedule.index_select(0, self.now)[0]
        scale = self.scales.index_select(0, self.now)
        self.now += 1
        pick = place[0] + (torch.rand(cfg["batch"], device=t.device, dtype=torch.float64) * place[1]).long()
        batch = t.pairs[pick]
        a, b, group, miss = batch.unbind(1)
        parts = [a, b, miss.clamp(min=0)]
        extra = [(w, pool) for w, pool in ((cfg["antonyms"], t.words_near), (cfg["relations"], t.relations_near), (cfg["captions_near"], t.captions_near)) if w]
        drawn = [(w, self.draw(pool, 256)) for w, pool in extra]
        for _, r in drawn:
            parts += [r[:, 0], r[:, 1].clamp(min=0), r[:, 2]]
        tokens = self.padded[torch.cat(parts)]
        keep = torch.ones(tokens.shape, device=t.device)
        if cfg["drop"]:
            keep = (torch.rand(tokens.shape, device=t.device) >= cfg["drop"]).float()
        if cfg["crops"]:  # both sides of a crop are the same text: each loses its own words
            alone = torch.cat([a == b, a == b, torch.zeros(len(tokens) - 2 * len(a), dtype=torch.bool, device=t.device)])
            keep = torch.where(alone[:, None] & (torch.rand(tokens.shape, device=t.device) < cfg["crop_drop"]), 0.0, keep)
        leaves = [p.detach().requires_grad_() for p in self.params]
        table = self.model.rows(*leaves)
        pieces = F.normalize(Bags.apply(table, tokens, keep), dim=1, eps=1e-6).split([len(p) for p in parts])
        same = (a[:, None] == a) | (b[:, None] == b) | (a[:, None] == b) | (b[:, None] == a) | (group[:, None] == group)
        same = same & (self.target[:, None] != self.target)
        logits = (pieces[0] @ pieces[1].T / cfg["tau"]).masked_fill(same, -1e4)
        # A written triple always meets its near miss; a corpus pair meets one where "hard" says so.
        weight = torch.where(group < 0, 0.0, float(np.log(cfg["hard"])) if cfg["hard"] else -1e4)
        against = (pieces[0] * pieces[2]).sum(1) / cfg["tau"] + weight
        against = torch.where(miss >= 0, against, torch.full_like(against, -1e4))
        loss = (F.cross_entropy(torch.cat([logits, against[:, None]], 1), self.target) + F.cross_entropy(logits.T, self.target)) / 2
        self.loss.copy_(loss.detach())
        loss = cfg["contrast"] * loss
        if cfg["distil"] or cfg["gram"]:
            loss = loss + self.unlike(pieces[0], pieces[1], tokens[: 2 * cfg["batch"]])
        at = 3
        for w, r in drawn:
            x, p, n = pieces[at : at + 3]
            far = (x * n).sum(1)
            loss = loss + w * (F.relu(far - cfg["antonym_margin"]).square().mean() if r is drawn[0][1] and cfg["antonyms"] else F.softplus((far - (x * p).sum(1)) / 0.1).mean())
            at += 3
        grads = torch.autograd.grad(loss, leaves)
        self.move(grads, scale)

    def unlike(self, a: torch.Tensor, b: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """How far the similarities within the batch are from the teacher's."""
        cfg = self.cfg
        with torch.no_grad():
            x, y = encode_tokens(self.t.teacher, tokens).split(cfg["batch"])
            wanted, within = x @ y.T, x @ x.T
        got, loss = a @ b.T, 0.0
        if cfg["distil"]:
            for g, w in ((got, wanted), (got.T, wanted.T)):
                loss = loss + cfg["distil"] * F.cross_entropy(g / cfg["distil_tau"], F.softmax(w / cfg["distil_tau"], dim=1)) / 2
        if cfg["gram"]:
            loss = loss + cfg["gram"] * ((got - wanted).square().mean() + (a @ a.T - within).square().mean()) / 2
        return loss

    @torch.no_grad()
    def move(self, grads: tuple[torch.Tensor, ...], scale: torch.Tensor, b1: float = 0.9, b2: float = 0.99) -> None:
        """Adam; of the two big tables only the rows that the batch touched move."""
        for n, grad in enumerate(grads):
            p, flat = self.params[n], grad if grad.dim() == 2 else grad[:, None]
            touched = (flat != 0).any(1) if n in (1, 2) else torch.ones(len(grad), dtype=torch.bool, device=grad.device)
            self.count[n] += touched
            on = touched if grad.dim() == 1 else touched[:, None]
            age = self.count[n].clamp(min=1) if grad.dim() == 1 else self.count[n].clamp(min=1)[:, None]
            m = torch.where(on, self.m[n] * b1 + grad * (1 - b1), self.m[n])
            v = torch.where(on, self.v[n] * b2 + grad * grad * (1 - b2), self.v[n])
            self.m[n].copy_(m)
            self.v[n].copy_(v)
            change = self.rates[n] * scale * (m / (1 - b1**age)) / ((v / (1 - b2**age)).sqrt() + 1e-8)
            if n == 1 and self.cfg["decay"]:
                change = change + self.cfg["decay"] * scale * p
            if n == 2 and self.cfg["anchor"]:
                change = change + self.cfg["anchor"] * scale * (p - self.model.log_weight_start)
            p.sub_(torch.where(on, change, torch.zeros_like(change)))
            if self.averages:
                self.averages[n].lerp_(p, 1 - self.cfg["average"])

    def captured(self):
        """The same step as a CUDA graph: warmed up on a side stream, then everything put back and replayed."""
        kept = [x.clone() for x in (*self.params, *self.m, *self.v, *self.count, *(self.averages or []), self.now)]
        state = torch.cuda.get_rng_state()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self()
        for x, y in zip((*self.params, *self.m, *self.v, *self.count, *(self.averages or []), self.now), kept):
            x.copy_(y)
        torch.cuda.set_rng_state(state)
        return graph.replay


def write_rows(path: pathlib.Path, z: dict, table: torch.Tensor, stops: int) -> None:
    """What export.py reads: words and rows, without the last `stops` of them."""
    n = len(z["vocab"]) - stops
    vocab = np.frombuffer("\n".join(z["vocab"][:n].tolist()).encode(), np.uint8)
    np.savez_compressed(path, table=table[:n].cpu().numpy().astype(np.float16), vocab=vocab)


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--plan", type=pathlib.Path, required=True)
    ap.add_argument("--log", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--until", type=float, default=1e9, help="start no further run after this many seconds")
    args = ap.parse_args()
    torch.set_num_threads(args.threads)
    started = time.time()
    with np.load(args.cache) as f:
        z = {k: f[k] for k in f.files}
    trainer = Trainer(z, "cuda" if torch.cuda.is_available() else "cpu")
    for entry in json.loads(args.plan.read_text()):
        if time.time() - started > args.until:
            print("stopped before", entry["name"], flush=True)
            break
        cfg = DEFAULT | entry.get("set", {})
        unknown = set(cfg) - set(DEFAULT)
        if unknown:
            raise SystemExit(f"{entry['name']}: unknown settings {sorted(unknown)}")
        runs = [trainer.run(cfg, seed) for seed in entry.get("seeds", [1])]
        _, validation = trainer.texts(cfg)
        model = Encoder(z, cfg, trainer.device)
        record = {"name": entry["name"], "changed": entry.get("set", {}), "config": cfg, "seeds": entry.get("seeds", [1]), "runs": [r[1] for r in runs], "history": runs[0][2]}
        state = [torch.stack(parts).mean(0) for parts in zip(*[r[0] for r in runs])]
        table = model.rows(*state)
        if len(runs) > 1:
            record["average"] = {k: round(v, 4) for k, v in validation(table).items()}
        best = record.get("average", record["runs"][0])
        if entry.get("keep"):
            record["report"] = {k: round(v, 4) for k, v in validation.near_miss(table, ["near_test", "near_unseen"]).items()}
            stops = int(z["stops"]) if cfg["stop_start"] == 0 else 0
            write_rows(args.out / f"{entry['name']}.npz", z, table, stops)
        with open(args.log, "a") as f:
            f.write(json.dumps(record) + "\n")
        spread = [round(r["mix"], 4) for r in record["runs"]]
        print(entry["name"], json.dumps(entry.get("set", {})), f"{record['runs'][0]['seconds']} s, step {record['runs'][0]['step']}, mix of seeds {spread};",
              {k.replace("mrr_", ""): round(v, 3) for k, v in best.items() if k not in ("step", "seconds")}, flush=True)


if __name__ == "__main__":
    main()
