"""The static encoder: a text is the normalised weighted sum of its words' vectors.

A word's vector is GloVe through a learned projection plus a learned residual; every
word has a learned weight that starts as SIF's.  Everything is one table on one device:
texts are rows of a padded matrix of word numbers, so that a step is a few dozen kernels
and no Python per text.
"""

import numpy as np
import torch
import torch.nn.functional as F

from tokens import ngram_hashes


def pad(z: dict, longest: int, keep_stops: bool) -> np.ndarray:
    """Word numbers of every text, one row a text, filled up with the number after the last word."""
    words = len(z["vocab"])
    tokens, length = z["tokens"].astype(np.int32), z["length"].astype(np.int64)
    owner = np.repeat(np.arange(len(length)), length)
    if not keep_stops:
        kept = tokens < words - int(z["stops"])
        tokens, owner = tokens[kept], owner[kept]
        length = np.bincount(owner, minlength=len(length))
    place = np.arange(len(tokens)) - np.repeat(np.cumsum(length) - length, length)
    short = place < longest
    out = np.full((len(length), longest), words, np.int32)
    out[owner[short], place[short]] = tokens[short]
    return out


class Encoder:
    def __init__(self, z: dict, cfg: dict, device: str, table: torch.Tensor | None = None):
        torch.manual_seed(cfg["init"])  # one start for all seeds of an entry, so that runs can be averaged
        glove = torch.tensor(z["glove"]).float()
        known = glove.abs().sum(1) > 0
        glove = (glove - glove[known].mean(0)) * known[:, None]
        if cfg["components"]:
            top = torch.linalg.svd(glove[known][:20000], full_matrices=False)[2][: cfg["components"]]
            glove = glove - glove @ top.T @ top
        size = glove.norm(dim=1, keepdim=True).clamp(min=1e-6)
        self.glove = (glove / size * (size / size[known].mean()) ** cfg["norm_power"]).to(device)
        # Part of the width may be kept from GloVe: there a word is only what it learned, or itself.
        proj = torch.zeros(glove.shape[1], cfg["dim"])
        torch.nn.init.orthogonal_(proj[:, : cfg["dim"] - cfg["own_dims"]])
        self.proj = proj.to(device)
        # A small net beside the projection: it costs nothing at run time, since only the finished rows ship, and
        # what it learns from frequent words reaches those that no training text holds.
        features = torch.cat([glove / glove.norm(dim=1, keepdim=True).clamp(min=1e-6), torch.log(torch.tensor(z["rank"]).float() + 10)[:, None] / 10 - 0.9], 1)
        self.features = features.to(device)
        self.w1 = (torch.randn(features.shape[1], cfg["hidden"]) / 3).to(device)
        self.w2 = torch.zeros(cfg["hidden"], cfg["dim"] + 1, device=device)
        self.residual = (torch.randn(len(glove), cfg["dim"]) * cfg["residual_start"] / cfg["dim"] ** 0.5).to(device)
        own = torch.tensor(z["counts"]).double()
        zipf = 1.0 / (torch.tensor(z["rank"]).double() + 10)
        p = cfg["own_counts"] * own / own.sum() + (1 - cfg["own_counts"]) * zipf / zipf.sum()
        start = torch.log(cfg["sif"] / (cfg["sif"] + p)).float()
        start[len(start) - int(z["stops"]) :] = np.log(cfg["stop_start"]) if cfg["stop_start"] else -30.0
        self.log_weight = start.to(device)
        if table is not None:  # go on from finished rows; the projection stays at nothing
            size = table.norm(dim=1)
            self.proj.zero_()
            self.residual = (table / size.clamp(min=1e-6)[:, None]).to(device)
            self.log_weight = torch.where(size > 1e-6, size.clamp(min=1e-6).log(), -30.0).to(device)
        self.log_weight_start = self.log_weight.clone()

    def table(self) -> torch.Tensor:
        return self.rows(*self.state())

    def state(self) -> list[torch.Tensor]:
        return [self.proj, self.residual, self.log_weight, self.w1, self.w2]

    def rows(self, proj: torch.Tensor, residual: torch.Tensor, log_weight: torch.Tensor, w1: torch.Tensor, w2: torch.Tensor) -> torch.Tensor:
        """Words as they are summed: a direction times a weight.  The length of a direction is fixed, so that words
        which were trained often do not outgrow those which were never seen."""
        shared = F.gelu(self.features @ w1) @ w2
        weight = (log_weight + shared[:, -1]).exp()
        return weight[:, None] * F.normalize(self.glove @ proj + shared[:, :-1] + residual, dim=1, eps=1e-3)


def encode(table: torch.Tensor, padded: torch.Tensor, texts: torch.Tensor) -> torch.Tensor:
    """Unit vectors of texts; a text without words is zero."""
    return encode_tokens(table, padded[texts])


def encode_tokens(table: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    filled = torch.cat([table, table.new_zeros(1, table.shape[1])])
    return F.normalize(F.embedding_bag(tokens, filled, mode="sum"), dim=1, eps=1e-6)


def fit_ngrams(words: list[str], table: np.ndarray, buckets: int, steps: int = 60) -> tuple[np.ndarray, float]:
    """Rows for hashed character n-grams, whose mean imitates the vectors of known words.

    Returns the rows and the mean cosine on 5 % of the words that were not fitted.
    """
    lists = [[h % buckets for h in ngram_hashes(w)] for w in words]
    flat = torch.tensor([g for item in lists for g in item])
    lengths = torch.tensor([len(item) for item in lists])
    start = torch.cumsum(lengths, 0) - lengths
    target = torch.tensor(table, dtype=torch.float32)
    held = torch.arange(len(words)) % 20 == 7
    rows = torch.zeros(buckets, table.shape[1], requires_grad=True)
    optimiser = torch.optim.Adam([rows], lr=0.05)
    for _ in range(steps):
        out = F.embedding_bag(flat, rows, start, mode="mean")
        loss = ((out - target)[~held] ** 2).sum(1).mean() + 1e-4 * (rows**2).sum(1).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        out = F.embedding_bag(flat, rows, start, mode="mean")
        cosine = F.cosine_similarity(out[held], target[held], dim=1).mean().item()
        # An unknown word weighs as much as a known one that was not fitted, whatever the fit shrank it to.
        rows *= target[held].norm(dim=1).mean() / out[held].norm(dim=1).mean()
    return rows.detach().numpy(), cosine
