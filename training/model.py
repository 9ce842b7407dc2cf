"""The static encoder: a text is the normalised weighted sum of its words' vectors.

A word's vector is GloVe through a learned projection plus a learned residual; every
word has a learned weight that starts as SIF's.  Only the rows of a batch's words are
touched in a step, so a step costs milliseconds on one core.
"""

import numpy as np
import torch
import torch.nn.functional as F

from tokens import ngram_hashes


class Encoder:
    def __init__(self, z: dict, cfg: dict):
        torch.manual_seed(0)  # one start for all seeds, so that runs can be averaged
        glove = torch.tensor(z["glove"]).float()
        known = glove.abs().sum(1) > 0
        glove = (glove - glove[known].mean(0)) * known[:, None]
        size = glove.norm(dim=1, keepdim=True).clamp(min=1e-6)
        self.glove = glove / size * (size / size[known].mean()) ** cfg["norm_power"]
        self.proj = torch.nn.init.orthogonal_(torch.empty(glove.shape[1], cfg["dim"]))
        self.residual = torch.randn(len(glove), cfg["dim"]) * cfg["residual_start"]
        own = torch.tensor(z["counts"]).double()
        zipf = 1.0 / (torch.tensor(z["rank"]).double() + 10)
        p = cfg["own_counts"] * own / own.sum() + (1 - cfg["own_counts"]) * zipf / zipf.sum()
        self.log_weight = torch.log(cfg["sif"] / (cfg["sif"] + p)).float()
        self.log_weight_start = self.log_weight.clone()
        self.tokens, self.start = z["tokens"], z["start"]

    def gather(self, texts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The words of some texts in one row, and where each text begins."""
        first, length = self.start[texts], self.start[texts + 1] - self.start[texts]
        begin = np.cumsum(length) - length
        return self.tokens[np.arange(length.sum()) + np.repeat(first - begin, length)], begin

    def table(self) -> torch.Tensor:
        return rows(self.glove, self.proj, self.residual, self.log_weight)

    def state(self) -> list[torch.Tensor]:
        return [self.proj, self.residual, self.log_weight]


def rows(glove: torch.Tensor, proj: torch.Tensor, residual: torch.Tensor, log_weight: torch.Tensor) -> torch.Tensor:
    """Words as they are summed: a direction times a weight.  The length of a direction is fixed, so that words
    which were trained often do not outgrow those which were never seen."""
    return log_weight.exp()[:, None] * F.normalize(glove @ proj + residual, dim=1, eps=1e-3)


def encode(table: torch.Tensor, model: Encoder, texts: np.ndarray) -> torch.Tensor:
    flat, begin = model.gather(texts)
    return F.normalize(F.embedding_bag(torch.tensor(flat).long(), table, torch.tensor(begin), mode="sum"), dim=1, eps=1e-6)


class Adam:
    """Adam whose big tables move only in the rows that a batch touched."""

    def __init__(self, params: list[torch.Tensor], rates: list[float], decay: list[float]):
        self.params, self.rates, self.decay = params, rates, decay
        self.m = [torch.zeros_like(p) for p in params]
        self.v = [torch.zeros_like(p) for p in params]
        self.t = [torch.zeros(p.shape[0]) for p in params]

    def step(self, n: int, grad: torch.Tensor, rows: torch.Tensor | slice, scale: float, betas=(0.9, 0.99)) -> None:
        p, (b1, b2) = self.params[n], betas
        self.t[n][rows] += 1
        t = self.t[n][rows].view(-1, *[1] * (grad.dim() - 1))
        m = self.m[n][rows] * b1 + grad * (1 - b1)
        v = self.v[n][rows] * b2 + grad * grad * (1 - b2)
        self.m[n][rows], self.v[n][rows] = m, v
        move = (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + 1e-8)
        p[rows] -= self.rates[n] * scale * (move + self.decay[n] * p[rows])


def contrast(a: torch.Tensor, b: torch.Tensor, same: torch.Tensor, tau: float, extra: torch.Tensor | None = None) -> torch.Tensor:
    """InfoNCE both ways; `same` marks pairs that must not count as negatives; `extra` is one more negative per row."""
    logits = (a @ b.T / tau).masked_fill(same, -1e4)
    target = torch.arange(len(a))
    back = F.cross_entropy(logits.T, target)
    if extra is not None:
        logits = torch.cat([logits, (a * extra).sum(1, keepdim=True) / tau], 1)
    return (F.cross_entropy(logits, target) + back) / 2


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
