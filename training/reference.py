"""The encoder in plain numpy, from the exported file: what encoder.ts must agree with."""

import hashlib
import struct

import numpy as np

from tokens import hash_text, ngram_hashes, words


class Reference:
    def __init__(self, data: bytes):
        version, dim, keyed, grams, stops, _ = struct.unpack_from("<6I", data, 8)
        assert data[:8] == b"LOCIENC1" and version == 1
        assert hashlib.sha256(data[64:]).digest() == data[32:64]
        at = 64

        def take(kind: str, count: int) -> np.ndarray:
            nonlocal at
            out = np.frombuffer(data, kind, count, at)
            at += out.nbytes
            return out

        self.dim, self.keyed, self.grams = dim, keyed, grams
        self.row = {int(k): i for i, k in enumerate(take("<u4", keyed))}
        scale = take("<f4", keyed + grams)
        self.stop = set(take("<u4", stops).tolist())
        rows = take("<i1", (keyed + grams) * dim).reshape(-1, dim)
        self.rows = rows.astype(np.float64) * scale.astype(np.float64)[:, None]

    def encode(self, text: str) -> np.ndarray | None:
        v, known = np.zeros(self.dim), 0
        for w in words(text):
            h = hash_text(w)
            if h in self.stop:
                continue
            row = self.row.get(h)
            if row is not None:
                v += self.rows[row]
            else:
                letters = [self.rows[g % self.grams + self.keyed] for g in ngram_hashes(w)]
                total = np.zeros(self.dim)
                for r in letters:
                    total += r
                v += total / len(letters)
            known += 1
        if not known:
            return None
        total = 0.0
        for x in v:
            total += x * x
        norm = np.sqrt(total)
        return (v / norm).astype(np.float32) if norm > 0 else None
