"""A small encoder–decoder that writes expressions: it opens operators and points at words of the question.

Pre-norm transformer with rotary places; a step's choice is one softmax over the algebra's tokens and the places of the
question. Everything is kept simple enough to be carried out in a few hundred lines of TypeScript.
"""

import functools
import math
import os

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HEADS, HIDDEN, ENCODERS, DECODERS = map(int, os.environ.get("READER_SIZE", "192,6,768,6,3").split(","))
MEANING = 128  # width of the text encoder's rows
KINDS = 10


@functools.lru_cache(maxsize=256)
def turns(places, half, device):
    freq = 10000 ** (-torch.arange(half, device=device, dtype=torch.float32) / half)
    angle = torch.arange(places, device=device, dtype=torch.float32)[:, None] * freq
    return angle.cos(), angle.sin()


def rotate(x):
    """Rotary places over the last dimension; x is batch × heads × places × width."""
    half = x.shape[-1] // 2
    cos, sin = turns(x.shape[-2], half, x.device)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def attend(q, k, v, mask, dropout):
    """What torch ≥ 2 calls scaled_dot_product_attention; torch 1 lacks it."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~mask, -1e9)
    return F.dropout(scores.softmax(-1), dropout) @ v


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.k = nn.Linear(WIDTH, WIDTH, bias=False)
        self.v = nn.Linear(WIDTH, WIDTH, bias=False)
        self.o = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, to, mask, places, dropout):
        split = lambda y: y.view(y.shape[0], y.shape[1], HEADS, -1).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(to)), split(self.v(to))
        if places:
            q, k = rotate(q), rotate(k)
        y = attend(q, k, v, mask, dropout if self.training else 0.0)
        return self.o(y.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, crosses, dropout):
        super().__init__()
        self.n1, self.self = nn.LayerNorm(WIDTH), Attention()
        self.crosses = crosses
        if crosses:
            self.n2, self.cross = nn.LayerNorm(WIDTH), Attention()
        self.n3 = nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.p = dropout
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask, memory=None, memory_mask=None):
        y = self.n1(x)
        x = x + self.drop(self.self(y, y, mask, True, self.p))
        if self.crosses:
            x = x + self.drop(self.cross(self.n2(x), memory, memory_mask, False, self.p))
        return x + self.drop(self.down(self.drop(F.relu(self.up(self.n3(x))))))


class Reader(nn.Module):
    def __init__(self, words, tokens, dropout=0.2):
        super().__init__()
        self.word = nn.Embedding(words, WIDTH)
        self.meaning = nn.Linear(MEANING, WIDTH, bias=False)
        self.kinds = nn.Linear(KINDS, WIDTH, bias=False)
        self.encoder = nn.ModuleList(Layer(False, dropout) for _ in range(ENCODERS))
        self.encoded = nn.LayerNorm(WIDTH)
        self.token = nn.Embedding(tokens, WIDTH)
        self.copied = nn.Parameter(torch.zeros(WIDTH))
        self.decoder = nn.ModuleList(Layer(True, dropout) for _ in range(DECODERS))
        self.decoded = nn.LayerNorm(WIDTH)
        self.point_q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.point_k = nn.Linear(WIDTH, WIDTH, bias=False)
        self.bias = nn.Parameter(torch.zeros(tokens))
        self.guess = nn.Linear(WIDTH, words)  # for learning words before questions; not exported
        self.drop = nn.Dropout(dropout)
        self.tokens = tokens
        nn.init.normal_(self.word.weight, std=0.05)
        nn.init.normal_(self.token.weight, std=0.05)

    def embed(self, word, meaning, kinds):
        return self.word(word) + self.meaning(meaning) + self.kinds(kinds)

    def encode(self, embedded, there):
        mask = there[:, None, None, :]
        x = self.drop(embedded)
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoded(x)

    def decode(self, embedded, memory, there, before):
        """before: batch × steps, a token, or tokens + place where a word was copied."""
        copies = before >= self.tokens
        place = (before - self.tokens).clamp(min=0)
        words = torch.gather(embedded, 1, place[..., None].expand(-1, -1, WIDTH))
        x = torch.where(copies[..., None], words + self.copied, self.token(before.clamp(max=self.tokens - 1)))
        x = self.drop(x)
        steps = before.shape[1]
        causal = torch.ones(steps, steps, dtype=torch.bool, device=x.device).tril()[None, None]
        for layer in self.decoder:
            x = layer(x, causal, memory, there[:, None, None, :])
        x = self.decoded(x)
        write = x @ self.token.weight.T + self.bias
        point = self.point_q(x) @ self.point_k(memory).transpose(1, 2) / math.sqrt(WIDTH)
        point = point.masked_fill(~there[:, None, :], -1e4)
        return torch.cat([write, point], -1)
