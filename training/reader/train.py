"""Fits the reader: `python train.py --data DIR --encoder LOCI-ENCODER.bin --out DIR [--dev FILE…] [--steps N]`.

First the words (a masked word of a sentence is guessed from the others), then the questions. Reads what prepare.ts wrote.
Pairs of the files named by --dev are left out of the fit and measured: a reading counts when it is the same expression.
"""

import argparse
import json
import multiprocessing
import pathlib
import queue as threads
import random
import sys
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from augment import Augmenter  # noqa: E402
from pack import pack, unpack  # noqa: E402
from model import KINDS, MEANING, Reader  # noqa: E402
from reference import Reference  # noqa: E402

MOST_WORDS, MOST_STEPS = 72, 96
UNKNOWN, MASK = 0, 1
UNLISTED = 0.1
START, END = "<", ">"


class Words:
    """Word → number, meaning by the text encoder, kinds."""

    def __init__(self, listed, encoder):
        self.list = ["", "<mask>"] + listed
        self.id = {w: i for i, w in enumerate(self.list)}
        self.encoder = encoder
        self.meanings = {}

    def meaning(self, word):
        found = self.meanings.get(word)
        if found is None:
            found = self.encoder.encode(word)
            found = np.zeros(MEANING, np.float16) if found is None else found.astype(np.float16)
            if len(self.meanings) < 200_000:
                self.meanings[word] = found
        return found

    def arrays(self, words, kinds):
        n = min(len(words), MOST_WORDS)
        ids = np.array([self.id.get(w, UNKNOWN) for w in words[:n]], np.int32)
        meaning = np.stack([self.meaning(w) for w in words[:n]]) if n else np.zeros((0, MEANING), np.float16)
        bits = np.array([[k >> b & 1 for b in range(KINDS)] for k in kinds[:n]], np.float16).reshape(n, KINDS)
        return ids, meaning, bits


def targets(tokens, words, places):
    """Steps to take: a token, or the first place where the word stands; and that place for every word."""
    known = {}
    first = [known.setdefault(w, i) for i, w in enumerate(words)]
    before, gold = [places[START]], []
    for token in tokens:
        if token.startswith("@"):
            place = int(token[1:])
            gold.append(len(places) + first[place])
            before.append(len(places) + place)
        else:
            gold.append(places[token])
            before.append(places[token])
    return first, before, gold + [places[END]]


def collate(rows):
    """Variants → padded arrays."""
    width = max(len(r[0]) for r in rows)
    steps = max(len(r[4]) for r in rows)
    n = len(rows)
    ids = np.zeros((n, width), np.int32)
    meaning = np.zeros((n, width, MEANING), np.float16)
    bits = np.zeros((n, width, KINDS), np.float16)
    there = np.zeros((n, width), bool)
    before = np.zeros((n, steps), np.int32)
    gold = np.full((n, steps), -1, np.int32)
    first = np.full((n, width), -2, np.int32)
    for i, (a, b, c, f, e, g) in enumerate(rows):
        m = len(a)
        ids[i, :m], meaning[i, :m], bits[i, :m], there[i, :m], first[i, :m] = a, b, c, True, f
        before[i, : len(e)] = e
        gold[i, : len(g)] = g
    return ids, meaning, bits, there, first, before, gold


def worker(queue, seed, words, places, names, around, pairs, batch):
    torch.set_num_threads(1)
    augmenter = Augmenter(names, around, pairs, seed)
    pool = []
    while True:
        # Alike in length: little is padded.
        while len(pool) < batch * 8:
            w, k, t = augmenter.variant()
            if len(w) > MOST_WORDS or len(t) >= MOST_STEPS or not w:
                continue
            pool.append((*words.arrays(w, k), *targets(t, w, places)))
        pool.sort(key=lambda r: len(r[0]) + len(r[4]))
        batches = [pool[i : i + batch] for i in range(0, len(pool), batch)]
        augmenter.random.shuffle(batches)
        for rows in batches:
            queue.put(collate(rows))
        pool = []


def on(device, arrays):
    ids, meaning, bits, there, first, before, gold = (torch.from_numpy(a).to(device, non_blocking=True) for a in arrays)
    return ids.long(), meaning.float(), bits.float(), there, first, before.long(), gold


def loss_of(model, batch):
    ids, meaning, bits, there, first, before, gold = batch
    # Now and then only the meaning of a word is shown, as of words that nobody has listed.
    ids = ids.masked_fill(torch.rand(ids.shape, device=ids.device) < UNLISTED, UNKNOWN)
    embedded = model.embed(ids, meaning, bits)
    memory = model.encode(embedded, there)
    scores = F.log_softmax(model.decode(embedded, memory, there, before), -1)
    # A word that stands at several places may be taken from any of them.
    written = torch.arange(model.tokens, device=gold.device) == gold[..., None]
    pointed = first[:, None, :] == (gold - model.tokens)[..., None]
    counts = gold >= 0
    hit = scores.masked_fill(~torch.cat([written, pointed], -1), -1e4).logsumexp(-1)
    return -(hit * counts).sum() / counts.sum()


def learn_words(model, words, sentences, device, steps, log):
    """A fifth of the words hidden, guessed from the rest."""
    rng = random.Random(1)
    kinds = words.kinds
    rows = [s.split()[:40] for s in sentences]
    table = torch.from_numpy(np.stack([words.meaning(w) for w in words.list]).astype(np.float32)).to(device)
    bits = torch.from_numpy(
        np.array([[kinds.get(w, 0) >> b & 1 for b in range(KINDS)] for w in words.list], np.float32)
    ).to(device)
    ids = [[words.id.get(w, UNKNOWN) for w in row] for row in rows]
    ids.sort(key=len)
    size = 1024
    batches = [ids[i : i + size] for i in range(0, len(ids) - size, size)]
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3, betas=(0.9, 0.98), weight_decay=0.01)
    model.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * min(1, step / 200) * max(0.05, 1 - step / steps)
        batch = rng.choice(batches)
        width = max(map(len, batch))
        x = torch.tensor([row + [UNKNOWN] * (width - len(row)) for row in batch], device=device)
        there = torch.tensor([[True] * len(row) + [False] * (width - len(row)) for row in batch], device=device)
        hidden = (torch.rand_like(x, dtype=torch.float) < 0.2) & there & (x > 1)
        shown = x.masked_fill(hidden, MASK)
        y = model.encode(model.embed(shown, table[shown], bits[shown]), there)
        loss = F.cross_entropy(model.guess(y[hidden]), x[hidden])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 500 == 0:
            log(f"words {step}: {loss.item():.3f}")


@torch.no_grad()
def restore(model, data, words, tokens):
    """The numbers of a written reader, where its words and tokens are still among ours."""
    header, tables = unpack(data)
    rows = {"word.weight": (header["words"], words), "token.weight": (header["tokens"], tokens), "bias": (header["tokens"], tokens)}
    for name, value in model.state_dict().items():
        if name not in tables:
            continue
        old = torch.from_numpy(tables[name]).to(value)
        if name not in rows:
            value.copy_(old)
            continue
        before, now = rows[name]
        place = {x: i for i, x in enumerate(before)}
        for i, x in enumerate(now):
            if x in place:
                value[i] = old[place[x]]


@torch.no_grad()
def greedy(model, words, places, tokens, pairs, device):
    """The likeliest tokens of every question, the copied ones as words."""
    rows = []
    for pair in pairs:
        w = pair["w"][:MOST_WORDS]
        rows.append((*words.arrays(w, pair["k"]), [0] * len(w), [0], [0]))
    ids, meaning, bits, there, _, _, _ = on(device, collate(rows))
    embedded = model.embed(ids, meaning, bits)
    memory = model.encode(embedded, there)
    before = torch.full((len(pairs), 1), places[START], device=device)
    for _ in range(MOST_STEPS):
        best = model.decode(embedded, memory, there, before)[:, -1].argmax(-1, keepdim=True)
        before = torch.cat([before, best], 1)
    said = []
    for pair, steps in zip(pairs, before[:, 1:].tolist()):
        steps = steps[: steps.index(places[END])] if places[END] in steps else steps
        word = lambda step: "@" + pair["w"][step - len(tokens)]
        said.append([tokens[step] if step < len(tokens) else word(step) for step in steps])
    return said


def measure(model, words, places, tokens, pairs, device, show=0):
    model.eval()
    right, shown = 0, []
    for pair, said in zip(pairs, greedy(model, words, places, tokens, pairs, device)):
        gold = ["@" + pair["w"][int(t[1:])] if t.startswith("@") else t for t in pair["t"]]
        if said == gold:
            right += 1
        elif len(shown) < show:
            shown.append(f"  {pair['q']}\n    said {' '.join(said)}\n    gold {' '.join(gold)}")
    model.train()
    return right / max(1, len(pairs)), shown


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", type=pathlib.Path, required=True)
    ap.add_argument("--encoder", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--dev", nargs="*", default=[])
    ap.add_argument("--fresh", nargs="*", default=[], help="files that the start has not seen: drawn four times as often")
    ap.add_argument("--words", type=int, default=6000)
    ap.add_argument("--word-steps", type=int, default=6000)
    ap.add_argument("--steps", type=int, default=12000)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--rate", type=float, default=1e-3)
    ap.add_argument("--dropout", type=float, default=0.2)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--workers", type=int, default=13)
    ap.add_argument("--seconds", type=float, default=1e9, help="stop fitting after so long, whatever --steps says")
    ap.add_argument("--name", default="reader")
    ap.add_argument("--from", dest="start", type=pathlib.Path, help="go on from a file that was written before")
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    began = time.time()
    log = lambda text: print(f"[{time.time() - began:5.0f} s] {text}", flush=True)

    every = [json.loads(line) for line in (args.data / "pairs.jsonl").open()]
    seen = {}
    for pair in every:
        for token in pair["t"]:
            if token.startswith("="):
                seen[token] = seen.get(token, 0) + 1
    # A literal that occurs once and stands in no question cannot be learnt.
    every = [p for p in every if all(seen.get(t, 2) > 1 for t in p["t"])]
    pairs = [p for p in every if p["file"] not in args.dev for _ in range(4 if p["file"] in args.fresh else 1)]
    dev = [p for p in every if p["file"] in args.dev]
    tokens = [START, END] + sorted({t for p in every for t in p["t"] if not t.startswith("@")})
    places = {t: i for i, t in enumerate(tokens)}
    listed = json.loads((args.data / "words.json").read_text())
    own = {w for p in pairs for w in p["w"]}
    chosen = [w for w, n, _ in listed if w not in own][: max(0, args.words - len(own))] + sorted(own)
    words = Words(chosen, Reference(args.encoder.read_bytes()))
    words.kinds = {w: k for w, _, k in listed}
    names = json.loads((args.data / "names.json").read_text())
    around = json.loads((args.data / "around.json").read_text())
    log(f"{len(pairs)} pairs, {len(dev)} kept aside, {len(tokens)} tokens, {len(words.list)} words")

    forked = multiprocessing.get_context("fork")
    queue = forked.Queue(64)
    for w in range(args.workers):
        forked.Process(
            target=worker, args=(queue, args.seed * 100 + w, words, places, names, around, pairs, args.batch), daemon=True
        ).start()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Reader(len(words.list), len(tokens), args.dropout).to(device)
    log(f"{sum(p.numel() for n, p in model.named_parameters() if not n.startswith('guess')) / 1e6:.2f} M numbers")
    if args.start:
        restore(model, args.start.read_bytes(), words.list, tokens)
    elif args.word_steps:
        sentences = (args.data / "sentences.txt").read_text().splitlines()
        learn_words(model, words, sentences, device, args.word_steps, log)

    optimiser = torch.optim.AdamW(model.parameters(), args.rate, betas=(0.9, 0.98), weight_decay=0.05, fused=device == "cuda")
    now = [p.detach() for p in model.parameters()]
    mean = [p.clone() for p in now]
    ready = threads.Queue(4)
    threading.Thread(target=lambda: [ready.put(on(device, queue.get())) for _ in iter(int, 1)], daemon=True).start()
    for step in range(args.steps):
        done = max(step / args.steps, (time.time() - began) / args.seconds)
        if done >= 1:
            break
        rate = args.rate * min(1, (step + 1) / 400) * (1 - done)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = loss_of(model, ready.get(timeout=60))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        keep = 0.999 if step > 1000 else 0.99
        torch._foreach_lerp_(mean, now, 1 - keep)
        if step % 500 == 0:
            log(f"step {step}: {loss.item():.4f} (queue {queue.qsize()})")
        if dev and step and step % 1500 == 0:
            log(f"dev {measure(model, words, places, tokens, dev, device)[0]:.3f}")
    torch._foreach_copy_(now, mean)
    if dev:
        share, shown = measure(model, words, places, tokens, dev, device, 60)
        log(f"dev at the end {share:.3f} of {len(dev)}")
        print("\n".join(shown))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / f"{args.name}.bin").write_bytes(pack(model, words.list, tokens))
    log("written")


if __name__ == "__main__":
    main()
