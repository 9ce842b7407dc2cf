"""Trained arrays → the one file that ships.

    python export.py --in RUN.npz [RUN.npz …] --out loci-encoder-v3.bin

Several runs that started alike are averaged, row by row; rows of stop words are left out.

Layout (little endian; offsets are in bytes):
    0   magic "LOCIENC1"
    8   u32 format version (1)      12  u32 dim
    16  u32 words K                 20  u32 n-gram rows G
    24  u32 stop words S            28  u32 0
    32  32 bytes SHA-256 of everything from byte 64 on
    64  u32[K] keys · f32[K+G] scales · u32[S] stop keys · i8[(K+G)·dim] rows
Row value = scale × int8.  A word's weight is folded into its row.
"""

import argparse
import hashlib
import pathlib
import struct

import numpy as np

from model import fit_ngrams
from tokens import STOP, hash_text

MAGIC = b"LOCIENC1"
VERSION = 1


def read_runs(paths: list[pathlib.Path]) -> tuple[list[str], np.ndarray]:
    """Words and mean rows of what train.py kept, without stop words."""
    tables, vocab = [], []
    for path in paths:
        with np.load(path) as z:
            vocab = z["vocab"].tobytes().decode().split("\n")
            kept = [i for i, w in enumerate(vocab) if w not in STOP]
            tables.append(z["table"].astype(np.float32)[kept])
    return [vocab[i] for i in kept], np.mean(tables, 0)


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 with one scale per row; a row of zeros has scale 0."""
    scale = (np.abs(rows).max(1) / 127).astype(np.float32)
    safe = np.where(scale > 0, scale, 1)
    return scale, np.rint(rows / safe[:, None]).astype(np.int8)


def pack(keys: np.ndarray, table: np.ndarray, ngrams: np.ndarray) -> bytes:
    rows = np.concatenate([table, ngrams]).astype(np.float32)
    scale, q = quantise(rows)
    stop = np.array(sorted(hash_text(w) for w in STOP), "<u4")
    keys = keys.astype("<u4")
    if len(set(keys.tolist()) | set(stop.tolist())) != len(keys) + len(stop):
        raise SystemExit("two words share a key: change the hash seed")
    payload = keys.tobytes() + scale.astype("<f4").tobytes() + stop.tobytes() + q.tobytes()
    head = MAGIC + struct.pack("<6I", VERSION, rows.shape[1], len(keys), len(ngrams), len(stop), 0)
    return head + hashlib.sha256(payload).digest() + payload


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--in", dest="source", type=pathlib.Path, nargs="+", required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--ngrams", type=int, default=4096)
    args = ap.parse_args()
    vocab, table = read_runs(args.source)
    ngrams, cosine = fit_ngrams(vocab, table, args.ngrams)
    keys, table = drop_twins(np.array([hash_text(w) for w in vocab], np.uint32), table)
    data = pack(keys, table, ngrams)
    args.out.write_bytes(data)
    print(f"{args.out}: {len(data)} bytes, {len(keys)} words, {len(ngrams)} n-gram rows (mean cosine on words not fitted {cosine:.3f}), dim {table.shape[1]}")


def drop_twins(keys: np.ndarray, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of two words with one key the first (the more frequent) stays."""
    _, first = np.unique(keys, return_index=True)
    first = np.sort(first)
    stop = {hash_text(w) for w in STOP}
    first = np.array([i for i in first if int(keys[i]) not in stop])
    return keys[first], table[first]


if __name__ == "__main__":
    main()
