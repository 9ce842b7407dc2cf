"""Several encoders that started apart → one: side by side they are better than any of them, and part of that fits into one width.

    python ensemble.py --cache FILE.npz --plan runs/plan-v3.json --log runs/runs.jsonl --out DIR [--final]

The teachers of the plan are trained, the seeds of each averaged.  Their rows stand side by side;
the common directions of texts are shrunk by their variance ** power, and the widest `dim`
directions start a map to the student's width, which is learned on the training pairs with the
teachers' similarities as its aim.  Nothing of this is left at run time: a word still has one row.
--final trains on what was held out to choose by, too; it changes nothing else, and the figures of
those parts are then worth nothing.
"""

import argparse
import json
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import Encoder, encode
from train import DEFAULT, Step, Trainer, write_rows

SAMPLE = 200_000
FLAT = 1e-4  # a direction narrower than this, against the widest, is noise and is not widened further


def sample(padded: torch.Tensor, n: int) -> torch.Tensor:
    """Texts whose spread is measured."""
    return torch.randperm(len(padded), generator=torch.Generator().manual_seed(1))[:n].to(padded.device)


def directions(table: torch.Tensor, padded: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Variance along the common directions of texts, and these directions, the widest last."""
    e = encode(table, padded, sample(padded, SAMPLE))
    return torch.linalg.eigh((e.T @ e / len(e)).double())


def levelled(table: torch.Tensor, found: tuple[torch.Tensor, torch.Tensor], power: float, dim: int) -> torch.Tensor:
    width, axes = found
    out = table.double() @ axes[:, -dim:] * (width[-dim:] / width[-1]).clamp(min=FLAT) ** -power
    return out.float()


def side_by_side(tables: list[torch.Tensor], padded: torch.Tensor) -> torch.Tensor:
    """Tables of several encoders as one, scaled so that a text is about equally long in each."""
    tokens = padded[sample(padded, 20_000)]
    length = lambda t: F.embedding_bag(tokens, torch.cat([t, t.new_zeros(1, t.shape[1])]), mode="sum").norm(dim=1).mean()
    return torch.cat([t / length(t) for t in tables], 1) / len(tables) ** 0.5


class Narrow:
    """What is still free when the teachers are fixed: the map from their width to the student's.  Train's step moves it as it does an encoder."""

    def __init__(self, wide: torch.Tensor, start: torch.Tensor):
        self.wide, self.map = wide, start.clone()

    def state(self) -> list[torch.Tensor]:
        return [self.map]

    def rows(self, map: torch.Tensor) -> torch.Tensor:
        return self.wide @ map


def narrow(trainer: Trainer, cfg: dict, wide: torch.Tensor, start: torch.Tensor, seed: int) -> torch.Tensor:
    """Learn the map on the training pairs, from a start; the teacher is trainer.teacher."""
    padded, _ = trainer.texts(cfg)
    model = Narrow(wide, start)
    torch.manual_seed(seed)
    schedule, scales = trainer.timetable(cfg, seed)
    step = Step(trainer, cfg, model, padded, schedule, scales)
    advance = step.captured() if trainer.device == "cuda" else step
    for _ in range(cfg["steps"]):
        advance()
    return model.rows(model.map)


def widths(found: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return (found[0] / found[0][-1]).clamp(min=FLAT).float()


class Builder:
    def __init__(self, trainer: Trainer, plan: dict, final: bool, log: pathlib.Path):
        self.trainer, self.plan, self.log = trainer, plan, log
        self.base = DEFAULT | plan["base"] | (plan["final"] if final else {})
        self.label = plan["name"] + (" final" if final else "")
        self.padded, self.validation = trainer.texts(self.base)

    def note(self, name: str, table: torch.Tensor, **more) -> None:
        v = {k: round(x, 4) for k, x in self.validation(table).items()}
        with open(self.log, "a") as f:
            f.write(json.dumps({"name": f"{self.label} {name}", **more, "average": v}) + "\n")
        print(f"{self.label} {name}", {k.replace("mrr_", ""): round(x, 4 if k == "mix" else 3) for k, x in v.items()}, flush=True)

    def teacher(self, entry: dict) -> torch.Tensor:
        """Mean of the seeds; rows of stop words, which help to train, are nothing afterwards."""
        cfg, started = self.base | entry["set"], time.time()
        runs = [self.trainer.run(cfg, seed) for seed in entry["seeds"]]
        state = [torch.stack(parts).mean(0) for parts in zip(*[r[0] for r in runs])]
        table = Encoder(self.trainer.z, cfg, self.trainer.device).rows(*state)
        table[len(table) - int(self.trainer.z["stops"]) :] = 0
        self.note(entry["name"], table, changed=entry["set"], seeds=entry["seeds"], mixes=[r[1]["mix"] for r in runs], seconds=round(time.time() - started, 1))
        return table

    def build(self) -> torch.Tensor:
        plan, trainer = self.plan, self.trainer
        wide = side_by_side([self.teacher(entry) for entry in plan["teachers"]], self.padded)
        found = directions(wide, self.padded)
        size, dim = wide.shape[1], self.base["dim"]
        trainer.teacher = levelled(wide, found, plan["power"], size).contiguous()
        self.note("side by side", trainer.teacher, width=size)
        start = torch.eye(size, device=trainer.device)[:, -dim:] * widths(found)[:, None] ** (plan["power"] - plan["start_power"])
        self.note("widest directions", trainer.teacher @ start)
        maps = [narrow(trainer, self.base | plan["narrow"], trainer.teacher, start, seed) for seed in plan["narrow_seeds"]]
        table = torch.stack(maps).mean(0)
        self.note("learned map", table)
        table = levelled(table, directions(table, self.padded), plan["level"], dim)
        self.note("result", table, report={k: round(v, 4) for k, v in self.validation.near_miss(table, ["near_test", "near_unseen"]).items()})
        return table


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--plan", type=pathlib.Path, required=True)
    ap.add_argument("--log", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--final", action="store_true")
    args = ap.parse_args()
    with np.load(args.cache) as f:
        z = {k: f[k] for k in f.files}
    plan = json.loads(args.plan.read_text())
    table = Builder(Trainer(z, "cuda" if torch.cuda.is_available() else "cpu"), plan, args.final, args.log).build()
    write_rows(args.out / (plan["name"] + ("-final" if args.final else "") + ".npz"), z, table, int(z["stops"]))


if __name__ == "__main__":
    main()
