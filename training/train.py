"""Train one encoder and keep the checkpoint that is best on validation.

    python train.py --cache FILE.npz --out FILE.npz --log runs/log.jsonl --name NAME [--set key=value …]

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
from model import Encoder, contrast, fit_ngrams
from validation import held_out_report, validate

DEFAULT = dict(dim=128, phrases=12000, roles=1, sif=1e-3, tau=0.08, batch=2048, steps=1500, lr=0.002, lr_residual=0.0005, lr_weight=0.006, phrase_start=-1.0, ema=0.995,
               drop=0.0, decay=0.0, triple_weight=0.5, near_weight=0.5, triple_batch=1024, antonym_margin=0.1, ngrams=8192,
               ask_captions=3.0, ask_glosses=0.7, power=1.0, seed=1, every=300, matryoshka=0, sources="strict")


class Data:
    def __init__(self, path: pathlib.Path, device: str):
        z = np.load(path)
        self.z = {k: z[k] for k in z.files}
        self.device = device
        self._pools: dict[str, torch.Tensor] | None = None
        self.ids = torch.tensor(self.z["ids"], device=device)
        self.after = torch.tensor(self.z["after"], device=device)

    def tensor(self, name: str) -> torch.Tensor:
        return torch.tensor(self.z[name], device=self.device)


    def pools(self) -> dict[str, torch.Tensor]:
        """Retrieval pools of up to 2,000 held-out pairs, one of a group."""
        if self._pools is None:
            self._pools = {}
            for name in [k for k in self.z if k.startswith("held_") and k != "held_triples" and len(self.z[k]) >= 150]:
                rows = self.z[name]
                keep, seen = [], set()
                for a, b, g in rows[np.random.RandomState(0).permutation(len(rows))[:20000]].tolist():
                    if not {a, b, -g - 1} & seen:
                        seen |= {a, b, -g - 1}
                        keep.append((a, b))
                    if len(keep) == 2000:
                        break
                self._pools[name[5:]] = torch.tensor(keep, device=self.device)
        return self._pools


@torch.no_grad()
def load(params: list, values: list) -> None:
    for p, v in zip(params, values):
        p.copy_(v)


def source_weights(names: list[str], cfg: dict) -> dict[str, float]:
    """cfg["sources"]: "strict" or "all", plus "+name" to add and "name:weight" to change, comma separated."""
    wanted, *changes = cfg["sources"].split(",")
    out = {}
    for k in names:
        if k.startswith("ask_"):
            out[k] = cfg[k]
        elif k in sources.USED:
            out[k] = sources.USED[k][1] ** cfg["power"]
        else:
            out[k] = sources.TRIAL_WEIGHTS.get(k, 0.3) ** cfg["power"] if wanted == "all" else 0.0
    for change in changes:
        name, _, value = change.partition(":")
        out[name] = float(value)
    return out


def train(data: Data, cfg: dict, say=print) -> tuple[Encoder, dict, list]:
    torch.manual_seed(cfg["seed"])
    device = data.device
    gen = np.random.RandomState(cfg["seed"])
    model = Encoder(data.tensor("glove").float(), data.tensor("counts"), cfg["phrases"], cfg["dim"], bool(cfg["roles"]), cfg["sif"], cfg["phrase_start"]).to(device)
    optimiser = torch.optim.Adam([
        {"params": [model.proj], "lr": cfg["lr"] * 0.5},
        {"params": [model.residual], "lr": cfg["lr_residual"]},
        {"params": [model.log_weight], "lr": cfg["lr_weight"]},
        {"params": [model.after], "lr": cfg["lr"]},
    ], betas=(0.9, 0.99))
    base = [g["lr"] for g in optimiser.param_groups]
    pairs = {k[6:]: data.tensor(k) for k in data.z if k.startswith("pairs_")}
    weight = source_weights(list(pairs), cfg)
    names = [k for k in pairs if weight[k] > 0]
    chance = np.array([weight[k] for k in names])
    chance /= chance.sum()
    triples, near = data.tensor("triples"), data.tensor("near_train")
    antonym = data.z["families"].tolist().index("antonym")
    near_words, near_texts = near[near[:, 0] == antonym], near[near[:, 0] != antonym]
    length = (data.ids > 0).sum(1)
    longest = {k: int(length[pairs[k][:, :2].long()].max()) for k in names}
    best, history, started = None, [], time.time()

    def pick(rows: torch.Tensor, n: int) -> torch.Tensor:
        return rows[torch.randint(len(rows), (min(n, len(rows)),), device=device)].long()

    live = [p for p in model.parameters() if p.requires_grad]
    smooth = [p.detach().clone() for p in live]

    for step in range(1, cfg["steps"] + 1):
        scale = min(1.0, step / 200) * (0.5 * (1 + np.cos(np.pi * step / cfg["steps"])) * 0.95 + 0.05)
        for group, lr in zip(optimiser.param_groups, base):
            group["lr"] = lr * scale
        table = model.both()

        def enc(i: torch.Tensor, most: int = 40) -> torch.Tensor:
            return model(table, data.ids[i, :most], data.after[i, :most], cfg["drop"])

        source = names[gen.choice(len(names), p=chance)]
        rows = pick(pairs[source], cfg["batch"])
        ta, tb, g = rows.T
        same = (g[:, None] == g) | (ta[:, None] == ta) | (tb[:, None] == tb) | (ta[:, None] == tb) | (tb[:, None] == ta)
        a, b = enc(ta, longest[source]), enc(tb, longest[source])
        loss = contrast(a, b, same, cfg["tau"])
        if cfg["matryoshka"]:
            half = cfg["dim"] // 2
            loss = loss + 0.3 * contrast(F.normalize(a[:, :half], dim=1), F.normalize(b[:, :half], dim=1), same, cfg["tau"])
        if cfg["triple_weight"]:
            t = pick(triples, cfg["triple_batch"])
            same = (t[:, 1, None] == t[:, 1]) | (t[:, 0, None] == t[:, 0])
            ea, ep, en = enc(t[:, 0]), enc(t[:, 1]), enc(t[:, 2])
            own = F.softplus(((ea * en).sum(1) - (ea * ep).sum(1)) / cfg["tau"]).mean()
            loss = loss + cfg["triple_weight"] * (contrast(ea, ep, same, cfg["tau"]) * 0.5 + own)
        if cfg["near_weight"]:
            w = pick(near_words, 512)
            loss = loss + cfg["near_weight"] * 4 * F.relu((enc(w[:, 1]) * enc(w[:, 3])).sum(1) - cfg["antonym_margin"]).square().mean()
            t = pick(near_texts, 512)
            ea, en = enc(t[:, 1]), enc(t[:, 3])
            miss = (ea * en).sum(1)
            has = t[:, 2] >= 0
            hit = torch.where(has, (ea * enc(t[:, 2].clamp(min=0))).sum(1), torch.full_like(miss, 0.6))
            loss = loss + cfg["near_weight"] * F.softplus((miss - hit) / (2 * cfg["tau"])).mean() * 0.5
        if cfg["decay"]:
            loss = loss + cfg["decay"] * model.residual.square().sum(1).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        torch._foreach_lerp_(smooth, [p.detach() for p in live], 1 - min(cfg["ema"], (1 + step) / (10 + step)))
        if step % cfg["every"] == 0 or step == cfg["steps"]:
            raw = [p.detach().clone() for p in live]
            load(live, smooth)
            v = validate(model, data)
            history.append({"step": step, "loss": round(loss.item(), 4), **{k: round(x, 4) for k, x in v.items()}})
            if best is None or v["mix"] > best[0]["mix"]:
                best = (v, {k: x.detach().clone() for k, x in model.state_dict().items()}, step)
            load(live, raw)
    model.load_state_dict(best[1])
    return model, {"step": best[2], "seconds": round(time.time() - started, 1), **{k: round(x, 4) for k, x in best[0].items()}}, history


@torch.no_grad()
def folded(model: Encoder) -> np.ndarray:
    return model.table()[1:].cpu().numpy()


def run(data: Data, name: str, settings: list[str], log: pathlib.Path, out: pathlib.Path | None) -> float:
    cfg = dict(DEFAULT)
    for item in settings:
        key, value = item.split("=", 1)
        cfg[key] = value if isinstance(cfg[key], str) else type(cfg[key])(float(value))
    model, result, history = train(data, cfg)
    changed = {k: v for k, v in cfg.items() if v != DEFAULT[k]}
    record = {"name": name, "changed": changed, "config": cfg, "best": result, "history": history}
    record["report"] = held_out_report(model, data)
    if out:
        table = folded(model)
        vocab = data.z["vocab"].tolist()
        grams, cosine = fit_ngrams(vocab, table[: len(vocab)], cfg["ngrams"], data.device)
        record["ngram_cosine_held_out"] = round(cosine, 4)
        np.savez(out, table=table.astype(np.float16), ngrams=grams.astype(np.float16), keys=data.z["keys"][: len(table)],
                 words=len(vocab), after=model.after.detach().cpu().numpy())
    with open(log, "a") as f:
        f.write(json.dumps(record) + "\n")
    print(name, changed, {k.replace("mrr_", ""): round(v, 3) for k, v in result.items()}, record["report"], flush=True)
    return result["mix"]


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, help="where to write the weights of a single run")
    ap.add_argument("--log", type=pathlib.Path, required=True)
    ap.add_argument("--name", default="run")
    ap.add_argument("--set", nargs="*", default=[])
    ap.add_argument("--plan", type=pathlib.Path, help="a JSON list of {name, set, save}: one run after another")
    ap.add_argument("--keep", type=int, default=2, help="of a plan, keep the weights of so many, best on validation")
    ap.add_argument("--deadline", type=float, default=1e9, help="start no run of the plan after so many seconds")
    args = ap.parse_args()
    torch.set_float32_matmul_precision("high")
    started = time.time()
    data = Data(args.cache, "cuda" if torch.cuda.is_available() else "cpu")
    if not args.plan:
        run(data, args.name, args.set, args.log, args.out)
        return
    kept: list[tuple[float, pathlib.Path]] = []
    for job in json.loads(args.plan.read_text()):
        if time.time() - started > args.deadline:
            print("not started:", job["name"], flush=True)
            continue
        out = args.log.parent / f"{job['name']}.npz"
        kept.append((run(data, job["name"], job["set"] + args.set, args.log, out), out))
        kept.sort(reverse=True)
        for _, path in kept[args.keep :]:
            path.unlink()
        kept = kept[: args.keep]


if __name__ == "__main__":
    main()
