"""Report: the exported encoder against BM25, GloVe with SIF weights and hashing.

    python evaluate.py --bin loci-encoder-v3.bin --eval DIR/eval [--navqa DIR] [--glove OUT/glove.npz] [--json FILE]

STS-B test, SICK, household and NaVQA are reports only: nothing is chosen by them.
Intervals are 95 % bootstrap percentiles over pairs or questions (1,000 draws, seed 1).
"""

import argparse
import json
import math
import pathlib
import re
from collections import Counter

import numpy as np

from reference import Reference
from tokens import STOP, hash_text, words


def ranks(x: np.ndarray) -> np.ndarray:
    _, inverse, count = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[inverse]


def spearman(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(ranks(x), ranks(y))[0, 1])


def interval(values, statistic, draws: int = 1000) -> list[float]:
    rng = np.random.default_rng(1)
    n = len(values)
    out = [statistic(values[rng.integers(0, n, n)]) for _ in range(draws)]
    return [round(float(np.percentile(out, q)), 3) for q in (2.5, 97.5)]


class Glove:
    """Mean of GloVe vectors with SIF weights (a = 1e-3) and the first common component removed."""

    def __init__(self, path: pathlib.Path):
        z = np.load(path)
        self.vectors = {w: v for w, v in zip(z["words"].tolist(), z["vectors"].astype(np.float64))}
        self.rank = {w: r for w, r in zip(z["words"].tolist(), z["rank"].tolist())}
        sample = [self._raw(w + " " + v) for w, v in zip(z["words"].tolist()[::50], z["words"].tolist()[25::50])]
        self.common = np.linalg.svd(np.array(sample), full_matrices=False)[2][0]

    def _raw(self, text: str) -> np.ndarray:
        total = np.zeros(100)
        for w in words(text):
            if w in self.vectors:
                p = 0.1 / (self.rank[w] + 1)  # Zipf stands in for the corpus counts that the package does not carry
                total += self.vectors[w] * (1e-3 / (1e-3 + p))
        return total

    def encode(self, text: str) -> np.ndarray | None:
        v = self._raw(text)
        v = v - self.common * (v @ self.common)
        n = np.linalg.norm(v)
        return v / n if n > 0 else None


class Hashing:
    """Content words hashed into 512 signed buckets."""

    def encode(self, text: str) -> np.ndarray | None:
        v = np.zeros(512)
        for w in words(text):
            if w not in STOP:
                h = hash_text(w)
                v[h % 512] += 1 if h >> 31 else -1
        n = np.linalg.norm(v)
        return v / n if n > 0 else None


def cosine(enc, a: str, b: str) -> float:
    x, y = enc.encode(a), enc.encode(b)
    return float(x @ y) if x is not None and y is not None else 0.0


def matrix(enc, texts: list[str]) -> np.ndarray:
    dim = len(enc.encode("table"))
    rows = [enc.encode(t) for t in texts]
    return np.array([r if r is not None else np.zeros(dim) for r in rows])


def scored(enc, path: pathlib.Path) -> dict:
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    gold = np.array([float(r[0]) for r in rows])
    sims = np.array([cosine(enc, r[1], r[2]) for r in rows])
    both = np.stack([gold, sims], 1)
    return {"spearman": round(spearman(gold, sims), 6), "ci": interval(both, lambda v: spearman(v[:, 0], v[:, 1]))}


def top1(enc, pairs: list[list[str]]) -> dict:
    """How often the right partner is first among all partners."""
    sim = matrix(enc, [a for a, _ in pairs]) @ matrix(enc, [b for _, b in pairs]).T
    hit = sim.argmax(1) == np.arange(len(pairs))
    missed = [pairs[i][0] for i in np.flatnonzero(~hit)]
    return {"right": int(hit.sum()), "of": len(pairs), "ci": interval(hit.astype(float), lambda v: v.sum()), "missed": missed}


STEM = ("ing", "ed", "es", "s")
BM25_STOP = STOP | set("in on at to for with see saw seen".split())


def stems(text: str) -> list[str]:
    out = []
    for w in words(text):
        if w in BM25_STOP:
            continue
        for end in STEM:
            if w.endswith(end) and len(w) - len(end) >= 3 and not w.endswith("ss"):
                w = w[: -len(end)]
                break
        out.append(w)
    return out


def bm25(docs: list[str], query: str, k1: float = 1.2, b: float = 0.75) -> np.ndarray:
    bags = [Counter(stems(d)) for d in docs]
    size = [sum(t.values()) for t in bags]
    mean = sum(size) / len(docs)
    df = Counter(w for t in bags for w in t)
    idf = {w: math.log(1 + (len(docs) - df[w] + 0.5) / (df[w] + 0.5)) for w in set(stems(query)) if w in df}
    return np.array([sum(i * t[w] * (k1 + 1) / (t[w] + k1 * (1 - b + b * n / mean)) for w, i in idf.items()) for t, n in zip(bags, size)])


def drives(root: pathlib.Path):
    """Each drive: its distinct gold-segment captions, and (question, gold captions)."""
    for folder in sorted(p for p in root.iterdir() if (p / "questions.json").exists()):
        pool: dict[str, int] = {}
        items = []
        for q in json.loads((folder / "questions.json").read_text())["data"]:
            gold = [pool.setdefault(part.split("The robot saw the following:", 1)[1].strip(), len(pool)) for part in q["context"].split("At time=")[1:]]
            items.append((q["question"].split("\n")[-1].strip(), gold))
        yield list(pool), items


def lines_of(caption: str) -> list[str]:
    return [x for x in (re.sub(r"[*#]", "", line).strip(" -0123456789.") for line in caption.split("\n")) if len(words(x)) >= 2]


def order_rank(score: np.ndarray) -> np.ndarray:
    rank = np.empty(len(score))
    rank[np.argsort(-score, kind="stable")] = np.arange(1, len(score) + 1)
    return rank


MEANING_SHARE = 0.7  # by fusion.py, on made-up drives
RANK_OFFSETS = {"ranks": 60, "close ranks": 10}  # what the memory does, and the best by fusion.py


def standard(score: np.ndarray) -> np.ndarray:
    return (score - score.mean()) / (score.std() + 1e-9)


def navqa(enc, root: pathlib.Path, fuse: str = "") -> dict:
    """Best line of a caption among the captions of its drive; "ranks" and "close ranks" fuse by reciprocal ranks
    with BM25 (k = 60, 10), "scores" adds standard scores, those of meaning counting MEANING_SHARE."""
    got = []
    for pool, items in drives(root):
        owner, lines = zip(*[(i, line) for i, c in enumerate(pool) for line in lines_of(c)])
        owner = np.array(owner)
        vectors = matrix(enc, list(lines)) if enc else None
        for question, gold in items:
            words_score = bm25(pool, question)
            if enc is None:
                score = words_score
            else:
                q = enc.encode(question)
                sim = vectors @ q if q is not None else np.zeros(len(owner))
                score = np.array([sim[owner == i].max() for i in range(len(pool))])
                if fuse == "scores":
                    score = MEANING_SHARE * standard(score) + (1 - MEANING_SHARE) * standard(words_score)
                elif fuse:
                    k = RANK_OFFSETS[fuse]
                    score = 1 / (k + order_rank(score)) + 1 / (k + order_rank(words_score))
            rank = order_rank(score)
            best = min(rank[g] for g in gold)
            got.append((best <= 1, best <= 6))
    got = np.array(got, float)
    return {"r1": round(got[:, 0].mean(), 3), "r6": round(got[:, 1].mean(), 3), "r6_ci": interval(got[:, 1], np.mean), "questions": len(got)}


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--bin", type=pathlib.Path, nargs="*", default=[])
    ap.add_argument("--eval", type=pathlib.Path, required=True)
    ap.add_argument("--navqa", type=pathlib.Path)
    ap.add_argument("--glove", type=pathlib.Path)
    ap.add_argument("--json", type=pathlib.Path)
    args = ap.parse_args()
    encoders = {p.name: Reference(p.read_bytes()) for p in args.bin}
    if args.glove:
        encoders |= {"glove+sif": Glove(args.glove), "hashing-512": Hashing()}
    house = json.loads((args.eval / "household.json").read_text())
    report = {}
    for name, enc in encoders.items():
        r = {k: scored(enc, args.eval / f"{k}.tsv") for k in ("stsb_dev", "stsb_test", "sick_test")}
        r |= {"synonyms": top1(enc, house["synonyms"]), "question_to_fact": top1(enc, house["questionToFact"])}
        if args.navqa:
            r |= {"navqa": navqa(enc, args.navqa), "navqa_fused": navqa(enc, args.navqa, "ranks"), "navqa_fused_close": navqa(enc, args.navqa, "close ranks"), "navqa_fused_scores": navqa(enc, args.navqa, "scores")}
        report[name] = r
    if args.navqa:
        report["bm25"] = {"navqa": navqa(None, args.navqa)}
    print(json.dumps(report, indent=1))
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
