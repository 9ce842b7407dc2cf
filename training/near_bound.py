"""What any order-free reader could tell of VSR's changed relations: the words two sentences do not share, memorised.

    python near_bound.py --cache FILE.npz

A pair is read as the difference of its two bags of words.  How often a difference is a paraphrase
is counted on the training part and read on the held-out part.
"""

import argparse
import pathlib
from collections import Counter

import numpy as np

from tokens import STOP
from validation import auc


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    with np.load(ap.parse_args().cache) as f:
        z = {k: f[k] for k in f.files}
    vocab, vsr = z["vocab"].tolist(), z["families"].tolist().index("vsr")
    start = np.concatenate([[0], np.cumsum(z["length"].astype(np.int64))])

    def bag(i: int) -> Counter:
        return Counter(w for w in (vocab[t] for t in z["tokens"][start[i] : start[i + 1]]) if w not in STOP)

    def difference(a: int, b: int) -> tuple:
        x, y = bag(a), bag(b)
        return tuple(sorted((tuple(sorted((x - y).elements())), tuple(sorted((y - x).elements())))))

    same = {k: [difference(r[0], r[1]) for r in z[k]] for k in ("pairs_vsr", "held_vsr")}
    miss = {k: [difference(r[1], r[3]) for r in z[k] if r[0] == vsr] for k in ("near_train", "near_val", "near_test")}
    all_same, all_miss = Counter(same["pairs_vsr"] + same["held_vsr"]), Counter(sum(miss.values(), []))
    both = sum(n for d, n in all_miss.items() if d in all_same) / all_miss.total()
    print(f"{all_same.total()} paraphrases, {all_miss.total()} near misses; of these {both:.3f} differ by words that also part two paraphrases")
    yes, no = Counter(same["pairs_vsr"]), Counter(miss["near_train"])
    score = lambda d: np.log((yes[d] + 0.5) / (no[d] + 0.5))
    held, test = np.array([score(d) for d in same["held_vsr"]]), np.array([score(d) for d in miss["near_test"]])
    print(f"held out ({len(held)} and {len(test)}): AUC {auc(held, test):.3f}")


if __name__ == "__main__":
    main()
