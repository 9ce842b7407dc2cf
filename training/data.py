"""Corpus text → arrays on disk: vocabulary, features of every text, pairs, near misses, validation.

    python data.py --data DIR --cache FILE.npz [--seed 1] [--everything]

--everything also trains on the sources that sources.py leaves out (to know what that costs;
such weights are not shipped).
"""

import argparse
import gzip
import multiprocessing as mp
import pathlib
import random
import zlib
from collections import Counter, defaultdict

import numpy as np

import generate
import lexicon
import sources
from tokens import RELATIONS, STOP, hash_pair, hash_text, words

MAX_FEATURES = 56  # a training text is cut here (encoding at run time is not)
VOCAB = 36_000
FREQUENT = 20_000  # of VOCAB, how many are simply the most frequent of GloVe
PHRASES = 24_000  # candidates, best first; train.py keeps the first --phrases of them
HELD_OUT_PERCENT = 3  # of the groups of each source


DIGITS = dict(lexicon.NUMBERS)


def bucket(text: str, mod: int = 100) -> int:
    return zlib.crc32(text.encode()) % mod


class Texts:
    """Unique texts and their numbers."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.index.setdefault(text, len(self.index))


def read(data: pathlib.Path, name: str):
    opener = gzip.open if name.endswith(".gz") else open
    with opener(data / name, "rt", encoding="utf-8") as f:
        for line in f:
            yield line.rstrip("\n").split("\t")


def content(text: str) -> list[str]:
    return [w for w in words(text) if w not in STOP]


def count(chunk: list[str]) -> tuple[Counter, Counter]:
    single, double = Counter(), Counter()
    for text in chunk:
        ws = content(text)
        single.update(ws)
        double.update(zip(ws, ws[1:]))
    return single, double


_LOOKUP: dict = {}


def featurise(chunk: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Feature rows and, for each, whether it stands after a relation word."""
    word_row, phrase_row = _LOOKUP["word"], _LOOKUP["phrase"]
    ids = np.zeros((len(chunk), MAX_FEATURES), np.int32)
    after = np.zeros((len(chunk), MAX_FEATURES), np.int8)
    for n, text in enumerate(chunk):
        k, role, last = 0, 0, None
        for w in words(text):
            if k >= MAX_FEATURES - 1:
                break
            if w in STOP:
                continue
            row = word_row.get(w)
            if row is not None:
                ids[n, k] = row
                after[n, k] = role if w not in RELATIONS else 0
                k += 1
            if last is not None and (row2 := phrase_row.get((last, w))) is not None:
                ids[n, k] = row2
                k += 1
            if w in RELATIONS:
                role = 1
            last = w
    return ids, after


def parallel(fn, texts: list[str], jobs: int):
    size = max(1, len(texts) // (jobs * 4) + 1)
    chunks = [texts[i : i + size] for i in range(0, len(texts), size)]
    if jobs == 1:
        return [fn(c) for c in chunks]
    with mp.get_context("fork").Pool(jobs) as pool:
        return pool.map(fn, chunks)


def build(data: pathlib.Path, seed: int, everything: bool, jobs: int, limit: int) -> dict:
    texts = Texts()
    train: dict[str, list] = defaultdict(list)
    held: dict[str, list] = defaultdict(list)
    groups: dict[str, list[str]] = defaultdict(list)
    group_of: dict[str, str] = {}
    siblings: dict[str, set[str]] = defaultdict(set)
    names, glosses = set(), []
    taken = Counter()
    for source, kind, group, a, b in read(data, "pairs.tsv.gz"):
        allowed = source in sources.USED or (everything and source not in ("sick", "stsb", "scanqa"))
        if not allowed and source not in sources.VALIDATION:
            continue
        taken[source] += 1
        if limit and taken[source] > limit:
            continue
        out = bucket(f"{source} {group}") < HELD_OUT_PERCENT
        if source in sources.USED and source in ("coco", "factual_vg"):
            if not out:
                siblings[group].update((a,) if source == "factual_vg" else (a, b))
                group_of[a] = group_of[b] = group
            if source == "factual_vg":
                continue
        if source in ("vg_alias", "lvis", "mp3d_cat") and kind == "synonym" or source == "mp3d_cat":
            names.update(w for t in (a, b) for w in (t.lower(),) if w.isalpha() and len(w) > 2)
        if source == "wordnet_gloss" and not out:
            glosses.append((a, b))
        row = (texts(a), texts(b), int(group))
        if not allowed or out:
            held[source].append(row)
            if source in ("flickr30k", "coco"):
                groups[source + group] = sorted({*groups[source + group], a, b})
        else:
            train[source].append(row)

    # What the recipe writes itself.
    gen = 2000 if limit else 160_000
    triples = [tuple(texts(t) for t in row) for row in generate.schema(gen, seed)]
    held_triples = [tuple(texts(t) for t in row) for row in generate.schema(2000, seed + 1)]
    nouns = frozenset(names - STOP - RELATIONS - set("has wears top side back part piece pair front".split()))
    nouns = frozenset(w for w in nouns if not w.endswith("ing") or w in ("building", "ceiling", "painting", "awning", "railing"))
    captions = [sorted(s) for _, s in sorted(siblings.items())]
    for g, q, caption in generate.ask_captions(captions, nouns, gen, seed):
        train["ask_captions"].append((texts(q), texts(caption), g))
    objects = [(w, g) for w, g in glosses if w.lower() in nouns and len(g) < 120]
    for n, (q, line) in enumerate(generate.ask_glosses(objects, gen // 4, seed)):
        train["ask_glosses"].append((texts(q), texts(line), n))

    # Near misses: 80 % train, 10 % validation, 10 % report, by the anchor text.
    near = {"train": [], "val": [], "test": [], "unseen": []}
    families: list[str] = []
    rng = random.Random(seed)
    for source, a, b in read(data, "hardneg.tsv.gz"):
        if source not in families:
            families.append(source)
        part = bucket("near " + a.lower(), 10)
        name = "unseen" if source in sources.HARDNEG_LEFT_OUT else "train" if part < 8 else "val" if part == 8 else "test"
        sib = [s for s in sorted(siblings.get(group_of.get(a, ""), ())) if s != a]
        p = texts(rng.choice(sib)) if sib else -1
        near[name].append((families.index(source), texts(a), p, texts(b)))

    scored = {}
    for name in ("stsb_dev", "stsb_test", "sick_test"):
        rows = [(float(s), texts(a), texts(b)) for s, a, b in read(data / "eval", name + ".tsv")]
        scored[name] = np.array(rows)

    # A drive to ask about, made of pictures nobody trains on: 40 pools of 60 pictures, four lines each.
    drive = []
    keys = sorted(k for k in groups if len(groups[k]) == 5)
    rng.shuffle(keys)
    for pool in range(0, min(len(keys), 2400), 60):
        docs = [groups[k] for k in keys[pool : pool + 60]]
        for d, lines in enumerate(docs):
            phrase = generate.noun_phrases(lines[4], nouns)
            if phrase:
                drive.append((pool // 60, d, texts(f"at which point did the robot come across {rng.choice(phrase)}"), *[texts(t) for t in lines[:4]]))

    all_texts = list(texts.index)
    trained = sorted({i for rows in train.values() for r in rows for i in r[:2]} | {i for t in triples for i in t})
    single, double = Counter(), Counter()
    for s, d in parallel(count, [all_texts[i] for i in trained], jobs):
        single.update(s)
        double.update(d)
    with np.load(data / "glove.npz") as z:
        glove = {k: z[k] for k in z.files}
    rank = dict(zip(glove["words"].tolist(), glove["rank"].tolist()))
    vocab = sorted((w for w in rank if w not in STOP), key=rank.get)[:FREQUENT]
    chosen = set(vocab)
    for w, c in single.most_common():
        if len(vocab) >= VOCAB:
            break
        if (w in rank or c >= 20 or w in DIGITS) and w not in chosen:
            vocab.append(w)
            chosen.add(w)
    total = sum(single.values())
    score = {p: c * np.log(c * total / (single[p[0]] * single[p[1]])) for p, c in double.items() if c >= 8 and p[0] in chosen and p[1] in chosen}
    phrases = sorted(score, key=score.get, reverse=True)[:PHRASES]
    _LOOKUP["word"] = {w: i + 1 for i, w in enumerate(vocab)}
    _LOOKUP["phrase"] = {p: len(vocab) + 1 + i for i, p in enumerate(phrases)}
    parts = parallel(featurise, all_texts, jobs)
    lookup = {w: i for i, w in enumerate(glove["words"].tolist())}

    def vector(w: str) -> np.ndarray:
        """A digit starts as its word does; a word GloVe lacks starts at nothing and is learned."""
        i = lookup.get(DIGITS.get(w, w))
        return glove["vectors"][i] if i is not None else np.zeros(100, np.float16)

    keys = [hash_text(w) for w in vocab] + [hash_pair(hash_text(a), hash_text(b)) for a, b in phrases]
    out = {
        "ids": np.concatenate([p[0] for p in parts]), "after": np.concatenate([p[1] for p in parts]),
        "vocab": np.array(vocab), "counts": np.array([single[w] for w in vocab]), "keys": np.array(keys, np.uint32),
        "phrases": np.array([" ".join(p) for p in phrases]), "glove": np.stack([vector(w) for w in vocab]),
        "triples": np.array(triples, np.int32), "held_triples": np.array(held_triples, np.int32),
        "families": np.array(families), "drive": np.array(drive, np.int32),
    }
    out |= {f"near_{k}": np.array(v, np.int32) for k, v in near.items()}
    out |= {f"pairs_{k}": np.array(v, np.int32) for k, v in train.items()}
    out |= {f"held_{k}": np.array(v, np.int32) for k, v in held.items()}
    out |= scored
    print(f"{len(all_texts)} texts, {sum(map(len, train.values()))} pairs in {len(train)} sources, {len(nouns)} nouns, "
          f"{len(captions)} caption groups, {len(objects)} glosses, {len(drive)} drive questions, {len(score)} phrase candidates", flush=True)
    return out


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=pathlib.Path, required=True)
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--jobs", type=int, default=mp.cpu_count())
    ap.add_argument("--everything", action="store_true")
    ap.add_argument("--limit", type=int, default=0, help="rows per source, for a smoke run")
    args = ap.parse_args()
    np.savez(args.cache, **build(args.data, args.seed, args.everything, args.jobs, args.limit))


if __name__ == "__main__":
    main()
