"""The static encoder: a text is the normalised weighted sum of its features' vectors.

A word's vector is GloVe through a learned projection plus a learned residual; a phrase's
is a residual alone.  Every feature has a learned weight.  Words that stand after a
relation word ("on", "left", "behind" …) are scaled by a learned diagonal, so that
"mug left of plate" and "plate left of mug" differ.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from tokens import ngram_hashes


class Encoder(nn.Module):
    def __init__(self, glove: torch.Tensor, counts: torch.Tensor, phrases: int, dim: int, roles: bool, sif: float, phrase_start: float):
        super().__init__()
        vocab = glove.shape[0]
        known = glove.abs().sum(1, keepdim=True) > 0
        glove = (glove - glove[known[:, 0]].mean(0)) * known
        self.register_buffer("glove", glove / glove.norm(dim=1).mean())
        self.proj = nn.Parameter(torch.empty(glove.shape[1], dim))
        nn.init.orthogonal_(self.proj)
        self.residual = nn.Parameter(torch.zeros(1 + vocab + phrases, dim))
        p = (counts.float() + 1) / (counts.sum() + vocab)
        start = torch.full((1 + vocab + phrases,), phrase_start)
        start[1 : 1 + vocab] = torch.log(sif / (sif + p))
        self.log_weight = nn.Parameter(start)
        self.after = nn.Parameter(torch.ones(dim), requires_grad=roles)
        self.rows = 1 + vocab + phrases

    def table(self) -> torch.Tensor:
        vocab = self.glove.shape[0]
        base = torch.cat([self.glove @ self.proj, self.residual.new_zeros(self.rows - 1 - vocab, self.proj.shape[1])])
        full = self.log_weight[1:, None].exp() * (base + self.residual[1:])
        return torch.cat([full.new_zeros(1, full.shape[1]), full])

    def both(self) -> torch.Tensor:
        """The table twice: as is, and as it counts after a relation word."""
        table = self.table()
        return torch.cat([table, table * self.after])

    def forward(self, both: torch.Tensor, ids: torch.Tensor, after: torch.Tensor, drop: float = 0.0) -> torch.Tensor:
        keep = (ids > 0) & (ids < self.rows)
        if drop:
            keep &= torch.rand(ids.shape, device=ids.device) >= drop
        count = keep.sum(1)
        flat = (ids + after.int() * self.rows)[keep]
        return F.normalize(F.embedding_bag(flat.long(), both, torch.cumsum(count, 0) - count, mode="sum"), dim=1, eps=1e-6)


def contrast(a: torch.Tensor, b: torch.Tensor, same: torch.Tensor, tau: float, extra: torch.Tensor | None = None) -> torch.Tensor:
    """InfoNCE both ways; `same` marks pairs that must not count as negatives of each other."""
    eye = torch.eye(len(a), dtype=torch.bool, device=a.device)
    logits = (a @ b.T / tau).masked_fill(same & ~eye, -1e4)
    target = torch.arange(len(a), device=a.device)
    back = F.cross_entropy(logits.T, target)
    if extra is not None:
        logits = torch.cat([logits, a @ extra.T / tau], 1)
    return (F.cross_entropy(logits, target) + back) / 2


def fit_ngrams(words: list[str], table: np.ndarray, buckets: int, device: str, steps: int = 1500) -> tuple[np.ndarray, float]:
    """Rows for hashed character n-grams, whose mean imitates the vectors of known words.

    Returns the rows and the mean cosine on 5 % of the words that were not fitted.
    """
    lists = [[h % buckets for h in ngram_hashes(w)] for w in words]
    flat = torch.tensor([g for item in lists for g in item], device=device)
    lengths = torch.tensor([len(item) for item in lists], device=device)
    start = torch.cumsum(lengths, 0) - lengths
    target = torch.tensor(table, dtype=torch.float32, device=device)
    held = torch.arange(len(words), device=device) % 20 == 7
    rows = torch.zeros(buckets, table.shape[1], device=device, requires_grad=True)
    optimiser = torch.optim.Adam([rows], lr=0.02)
    for step in range(steps):
        out = F.embedding_bag(flat, rows, start, mode="mean")
        loss = ((out - target)[~held] ** 2).sum(1).mean() + 1e-4 * (rows**2).sum(1).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        out = F.embedding_bag(flat, rows, start, mode="mean")
        cosine = F.cosine_similarity(out[held], target[held], dim=1).mean().item()
    return rows.detach().cpu().numpy(), cosine
