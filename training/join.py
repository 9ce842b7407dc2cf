"""Finished runs that did not start alike → one: side by side, then the widest directions of texts, as ensemble.py does with its teachers.

    python join.py --cache FILE.npz --in RUN.npz RUN.npz+RUN.npz … --out RUN.npz [--power 0.1]

Runs that started alike are joined by "+": they are averaged first.  A word that a run does not know is nothing there.
"""

import argparse
import pathlib

import numpy as np
import torch

from ensemble import directions, levelled, side_by_side
from export import read_runs
from model import pad
from train import DEFAULT, write_rows
from validation import Validation


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--in", dest="source", nargs="+", required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--power", type=float, default=0.1)
    args = ap.parse_args()
    with np.load(args.cache) as f:
        z = {k: f[k] for k in f.files}
    padded = torch.tensor(pad(z, DEFAULT["longest"], False))
    stops = int(z["stops"])
    row = {w: i for i, w in enumerate(z["vocab"].tolist())}
    tables = []
    for item in args.source:
        vocab, rows = read_runs([pathlib.Path(part) for part in item.split("+")])
        known = [i for i, w in enumerate(vocab) if w in row]
        table = torch.zeros(len(row), rows.shape[1])
        table[[row[vocab[i]] for i in known]] = torch.tensor(rows[known])
        print(f"{item}: {len(known)} of {len(row) - stops} words")
        tables.append(table)
    wide = side_by_side(tables, padded)
    table = levelled(wide, directions(wide, padded), args.power, DEFAULT["dim"])
    validation = Validation(z, padded)
    print({k: round(v, 4) for k, v in validation(table).items()})
    print("near misses, report:", {k: round(v, 4) for k, v in validation.near_miss(table, ["near_test", "near_unseen"]).items()})
    write_rows(args.out, z, table, stops)


if __name__ == "__main__":
    main()
