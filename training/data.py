"""Corpus text → arrays on disk: vocabulary, words of every text, pairs, near misses, validation.

    python data.py --data DIR --cache FILE.npz [--seed 1] [--reference]

--reference also writes the pairs of the sources that are left out, to measure what leaving
them out costs; weights trained on them are never shipped.
"""

import argparse
import gzip
import pathlib
import random
import zlib
from collections import Counter, defaultdict

import numpy as np

import generate
import lexicon
import needs
import sources
from tokens import STOP, words

VOCAB = 54_000
FREQUENT = 30_000  # of VOCAB, how many are simply the most frequent of GloVe
LONGEST = 40  # a training text is cut here (encoding at run time is not)
HELD_OUT_PERCENT = 3  # of the groups
HELD_OUT_MORE = {"mrpc": 30, "wikiqa": 30, "trecqa": 30, "rte": 30}  # small sources: enough of each to validate by
CROPPED = ("mrpc", "wikiqa", "rte", "trecqa", "scitail", "wordnet_gloss", "piqa")
DIGITS = dict(lexicon.NUMBERS)
NOT_NAMES = set("has wears top side back part piece pair front left right on in".split())
NAMES_IN_ING = ("building", "ceiling", "painting", "awning", "railing")


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


def choose_vocabulary(counts: Counter, glove: dict) -> list[str]:
    """The frequent words of GloVe, then the words of the training texts by frequency."""
    rank = dict(zip(glove["words"].tolist(), glove["rank"].tolist()))
    vocab = sorted((w for w in rank if w not in STOP), key=rank.get)[:FREQUENT]
    chosen = set(vocab)
    rest = [w for w, c in counts.most_common() if w not in chosen and w not in STOP and (w in rank or c >= 12 or w in DIGITS)]
    vocab += rest[: VOCAB - len(vocab)]
    chosen = set(vocab)
    more = sorted((w for w in rank if w not in chosen and w not in STOP), key=rank.get)
    return vocab + more[: VOCAB - len(vocab)]


def near_parts(rows: list[list[str]]):
    """In which tenth a near miss falls.

    The list of antonyms holds most pairs in both directions and in several inflections, so a pair goes by its two
    stems whatever their order; sentences go with all sentences that they are paired with.
    """
    parent: dict[str, str] = {}

    def root(t: str) -> str:
        while parent.setdefault(t, t) != t:
            parent[t] = parent[parent[t]]
            t = parent[t]
        return t

    for source, a, b in rows:
        if source != "antonym":
            x, y = sorted((root(a.lower()), root(b.lower())))
            parent[y] = x

    def part(source: str, a: str, b: str) -> int:
        if source == "antonym":
            return bucket("near " + " ".join(sorted((a.lower()[:5], b.lower()[:5]))), 10)
        return bucket("near " + root(a.lower()), 10)

    return part


def build(data: pathlib.Path, seed: int, reference: bool) -> dict:
    texts = Texts()
    train: dict[str, list] = defaultdict(list)
    held: dict[str, list] = defaultdict(list)
    groups: dict[str, list[str]] = defaultdict(list)
    group_of: dict[str, str] = {}
    siblings: dict[str, set[str]] = defaultdict(set)
    relation_of: dict[str, list[str]] = defaultdict(list)
    names, glosses = set(), []
    for source, kind, group, a, b in read(data, "pairs.tsv.gz"):
        used = source in sources.USED
        if not used and source not in sources.VALIDATION + sources.REPORT + ["factual_vg"] and not reference:
            continue
        out = bucket(f"group {group}") < HELD_OUT_MORE.get(source, HELD_OUT_PERCENT)  # one picture has one group in every source
        if source in ("coco", "factual_vg", "flickr30k"):
            siblings[group].update((a,) if source == "factual_vg" else (a, b))
            group_of[a] = group_of[b] = group
            if source == "factual_vg" and not reference:
                continue
        if source in ("vg_alias", "lvis", "mp3d_cat") and kind == "synonym" or source == "mp3d_cat":
            names.update(t.lower() for t in (a, b) if t.isalpha() and len(t) > 2)
        if source == "wordnet_gloss" and not out:
            glosses.append((a, b))
        if source == "vsr" and not out:
            relation_of[a].append(b)
            relation_of[b].append(a)
        row = (texts(a), texts(b), int(group))
        if reference and not used and not out:
            train[source].append(row)
        if (not used and source not in HELD_OUT_MORE) or out:
            held[source].append(row)
            if source in ("flickr30k", "coco"):
                groups[source + group] = sorted({*groups[source + group], a, b})
        elif used:
            train[source].append(row)

    # What the recipe writes itself.
    triples = [tuple(texts(t) for t in row) for row in generate.schema(100_000, seed)]
    held_triples = [tuple(texts(t) for t in row) for row in generate.schema(2000, seed + 1)]
    nouns = frozenset(w for w in names - STOP - NOT_NAMES if not w.endswith("ing") or w in NAMES_IN_ING)
    captions = [sorted(s) for g, s in sorted(siblings.items()) if bucket(f"group {g}") >= HELD_OUT_PERCENT]
    for g, q, caption in generate.ask_captions(captions, nouns, 120_000, seed):
        train["ask_captions"].append((texts(q), texts(caption), g))
    objects = [(w, g) for w, g in glosses if w.lower() in nouns and len(g) < 120]
    for n, (q, line) in enumerate(generate.ask_glosses(objects, 30_000, seed)):
        train["ask_glosses"].append((texts(q), texts(line), n))

    # "needs" never met what the household questions ask for; "needs_all" met every class and can not be validated by them.
    for name, parts in (("needs", ("train",)), ("needs_all", ("train", "held", "asked"))):
        train[name] = [(texts(q), texts(line), g) for g, q, line in needs.pairs(60_000, seed, parts)]
    held["needs"] = [(texts(q), texts(line), g) for g, q, line in needs.held(seed)]

    # Near misses: 80 % train, 10 % validation, 10 % report.  A paraphrase of the anchor goes along where there is one.
    near = {"train": [], "val": [], "test": [], "unseen": []}
    families: list[str] = []
    rng = random.Random(seed)
    misses = list(read(data, "hardneg.tsv.gz"))
    part_of = near_parts(misses)
    for source, a, b in misses:
        if source not in families:
            families.append(source)
        part = part_of(source, a, b)
        name = "unseen" if source in sources.HARDNEG_LEFT_OUT else "train" if part < 8 else "val" if part == 8 else "test"
        others = [s for s in sorted(siblings.get(group_of.get(a, ""), ())) if s != a] or sorted(relation_of.get(a, ()))
        near[name].append((families.index(source), texts(a), texts(rng.choice(others)) if others else -1, texts(b)))

    # Prose that is not about pictures, to be met by parts of itself.
    prose = [t for name in CROPPED if name in sources.USED or reference for r in train[name] for t in r[:2]]
    backwards = {i: t for t, i in texts.index.items()}
    crops = [i for i in sorted(set(prose)) if 8 <= len(words(backwards[i])) <= 40]

    scored = {}
    for name in ("stsb_dev",):
        scored[name] = np.array([(float(s), texts(a), texts(b)) for s, a, b in read(data / "eval", name + ".tsv")])

    # A drive to ask about, made of pictures nobody trains on: 40 pools of 60 pictures, four lines each.
    drive = []
    keys = sorted(k for k in groups if len(groups[k]) == 5)
    rng.shuffle(keys)
    for pool in range(0, min(len(keys), 2400), 60):
        for d, key in enumerate(keys[pool : pool + 60]):
            phrase = generate.noun_phrases(groups[key][4], nouns)
            if phrase:
                asked = texts(f"at which point did the robot come across {rng.choice(phrase)}")
                drive.append((pool // 60, d, asked, *[texts(t) for t in groups[key][:4]]))

    trained = {i for name, rows in train.items() if name in sources.USED or name.startswith(("ask_", "needs")) for r in rows for i in r[:2]}
    split = [words(t)[: 2 * LONGEST] for t in texts.index]
    counts: Counter[str] = Counter()
    for i in sorted(trained):
        counts.update(split[i])
    with np.load(data / "glove.npz") as z:
        glove = {k: z[k] for k in z.files}
    vocab = choose_vocabulary(counts, glove) + sorted(STOP)
    row = {w: i for i, w in enumerate(vocab)}
    tokens = [[row[w] for w in ws if w in row] for ws in split]
    lookup = {w: i for i, w in enumerate(glove["words"].tolist())}

    def vector(w: str) -> np.ndarray:
        """A digit starts as its word does; a word GloVe lacks starts at nothing and is learned."""
        i = lookup.get(DIGITS.get(w, w))
        return glove["vectors"][i] if i is not None else np.zeros(100, np.float16)

    def rank(w: str) -> int:
        i = lookup.get(w)
        return int(glove["rank"][i]) if i is not None else 400_000

    out = {
        "tokens": np.array([t for ts in tokens for t in ts], np.uint16), "length": np.array([len(t) for t in tokens], np.uint8), "stops": len(STOP),
        "vocab": np.array(vocab), "counts": np.array([counts[w] for w in vocab]), "rank": np.array([rank(w) for w in vocab]),
        "glove": np.stack([vector(w) for w in vocab]), "triples": np.array(triples, np.int32), "held_triples": np.array(held_triples, np.int32),
        "families": np.array(families), "drive": np.array(drive, np.int32), "crops": np.array(crops, np.int32),
    }
    out |= {f"near_{k}": np.array(v, np.int32) for k, v in near.items()}
    out |= {f"pairs_{k}": np.array(v, np.int32) for k, v in train.items()}
    out |= {f"held_{k}": np.array(v, np.int32) for k, v in held.items()}
    out |= scored
    print(f"{len(tokens)} texts, {sum(map(len, train.values()))} pairs in {len(train)} sources, {len(nouns)} nouns, "
          f"{len(captions)} caption groups, {len(objects)} glosses, {len(drive)} drive questions, {sum(c > 0 for c in out['counts'])} of {len(vocab)} words seen")
    return out


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=pathlib.Path, required=True)
    ap.add_argument("--cache", type=pathlib.Path, required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--reference", action="store_true")
    args = ap.parse_args()
    np.savez_compressed(args.cache, **build(args.data, args.seed, args.reference))


if __name__ == "__main__":
    main()
