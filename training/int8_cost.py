"""What int8 costs: the same run with its rows as trained and as exported.

    python int8_cost.py --in RUN.npz [RUN.npz …] --bin loci-encoder-v3.bin --eval DIR/eval
"""

import argparse
import pathlib

import numpy as np

from evaluate import scored
from export import drop_twins, read_runs
from reference import Reference
from tokens import hash_text


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--in", dest="source", type=pathlib.Path, nargs="+", required=True)
    ap.add_argument("--bin", type=pathlib.Path, required=True)
    ap.add_argument("--eval", type=pathlib.Path, required=True)
    args = ap.parse_args()
    vocab, table = read_runs(args.source)
    keys = np.array([hash_text(w) for w in vocab], np.uint32)
    short = Reference(args.bin.read_bytes())
    full = Reference(args.bin.read_bytes())
    full.rows = np.concatenate([drop_twins(keys, table)[1], short.rows[short.keyed :]])
    for name in ("stsb_dev", "stsb_test", "sick_test"):
        a, b = (scored(e, args.eval / f"{name}.tsv")["spearman"] for e in (full, short))
        print(f"{name}: as trained {a:.6f}, int8 {b:.6f}, cost {a - b:+.6f}")


if __name__ == "__main__":
    main()
