"""How to fuse meaning and words, on the made-up drives of the cache: NaVQA is not read.

    python fusion.py --cache FILE.npz --bin loci-encoder-v3.bin
"""

import argparse
import pathlib
from collections import defaultdict

import numpy as np

from evaluate import bm25, matrix, order_rank, standard
from reference import Reference


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--bin", type=pathlib.Path, required=True)
    args = ap.parse_args()
    enc = Reference(args.bin.read_bytes())
    z = np.load(args.cache)
    drive, vocab, tokens = z["drive"], z["vocab"].tolist(), z["tokens"]
    start = np.concatenate([[0], np.cumsum(z["length"].astype(np.int64))])

    def text(i: int) -> str:
        return " ".join(vocab[t] for t in tokens[start[i] : start[i + 1]])

    places: dict[str, list[float]] = defaultdict(list)
    for pool in np.unique(drive[:, 0]):
        rows = drive[drive[:, 0] == pool]
        lines = [[text(i) for i in r[3:]] for r in rows]
        vectors = matrix(enc, [t for item in lines for t in item]).reshape(len(rows), 4, -1)
        for k, row in enumerate(rows):
            question = text(row[2])
            meaning, by_words = (vectors @ enc.encode(question)).max(1), bm25([" ".join(item) for item in lines], question)
            scores = {"meaning": meaning, "words": by_words}
            for c in (60, 20, 10, 5):
                for share in (1, 2, 3):
                    scores[f"ranks, k = {c}, meaning × {share}"] = share / (c + order_rank(meaning)) + 1 / (c + order_rank(by_words))
            for share in (0.3, 0.5, 0.6, 0.7, 0.8):
                scores[f"standard scores, meaning {share}"] = share * standard(meaning) + (1 - share) * standard(by_words)
            for name, score in scores.items():
                places[name].append(order_rank(score)[k])
    for name, found in places.items():
        place = np.array(found)
        print(f"{name:32s} R@1 {np.mean(place <= 1):.3f}  R@6 {np.mean(place <= 6):.3f}  MRR {np.mean(1 / place):.3f}")


if __name__ == "__main__":
    main()
