"""What chooses a checkpoint and a variant: nothing here reads STS-B test, SICK, household or NaVQA."""

import numpy as np
import torch

from model import encode


def ranks(x: np.ndarray) -> np.ndarray:
    _, inverse, count = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[inverse]


def spearman(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(ranks(x), ranks(y))[0, 1])


def auc(pos: np.ndarray, neg: np.ndarray) -> float:
    r = ranks(np.concatenate([pos, neg]))[: len(pos)].sum()
    return float((r - len(pos) * (len(pos) + 1) / 2) / (len(pos) * len(neg)))


POOLS = ["squad", "quora", "scanqa", "daquar", "asset", "mrpc", "wikiqa", "trecqa", "rte", "flickr30k", "coco", "msvd", "alfred_task", "wordnet_syn", "wordnet_gloss", "ppdb",
         "activitynet_qa", "wikianswers"]
# STS-B dev lies in this order: captions, forums, news.
GENRES = {"captions": slice(0, 625), "forums": slice(625, 1000), "news": slice(1000, 1500)}


def pools(z: dict, most: int = 1000) -> dict[str, np.ndarray]:
    """Retrieval pools of up to 1,000 held-out pairs, one of a group."""
    out = {}
    for name in POOLS:
        rows = z["held_" + name]
        keep, seen = [], set()
        for a, b, g in rows[np.random.RandomState(0).permutation(len(rows))[:20000]].tolist():
            if not {a, b, -g - 1} & seen:
                seen |= {a, b, -g - 1}
                keep.append((a, b))
            if len(keep) == most:
                break
        out[name] = np.array(keep)
    return out


class Validation:
    def __init__(self, z: dict, padded: torch.Tensor):
        self.z, self.padded, self.held = z, padded, pools(z)

    def encode(self, table: torch.Tensor, texts: np.ndarray) -> torch.Tensor:
        return encode(table, self.padded, torch.tensor(texts.astype(np.int64), device=table.device))

    @torch.no_grad()
    def __call__(self, table: torch.Tensor) -> dict[str, float]:
        enc = lambda i: self.encode(table, i)
        out: dict[str, float] = {}
        s = self.z["stsb_dev"]
        cosine = (enc(s[:, 1]) * enc(s[:, 2])).sum(1).cpu().numpy()
        out["stsb_dev"] = spearman(cosine, s[:, 0])
        out |= {"stsb_" + k: spearman(cosine[part], s[part, 0]) for k, part in GENRES.items()}
        for name, keep in self.held.items():
            sim = enc(keep[:, 0]) @ enc(keep[:, 1]).T
            out["mrr_" + name] = float((1.0 / (sim >= sim.diagonal()[:, None]).sum(1)).mean())
        d = self.z["drive"]
        lines = enc(d[:, 3:].reshape(-1)).reshape(len(d), 4, -1).cpu().numpy()
        q, found = enc(d[:, 2]).cpu().numpy(), []
        for pool in np.unique(d[:, 0]):
            m = d[:, 0] == pool
            sim = np.einsum("qd,nld->qnl", q[m], lines[m]).max(2)
            found.append((sim >= sim.diagonal()[:, None]).sum(1))
        rank = np.concatenate(found)
        out["drive_r1"], out["drive_r6"] = float((rank <= 1).mean()), float((rank <= 6).mean())
        w = self.z["held_needs"]  # a need is answered by any fact of its class
        sim = (enc(w[:, 0]) @ enc(w[:, 1]).T).cpu().numpy()
        same = w[:, None, 2] == w[None, :, 2]
        best = np.where(same, sim, -2).max(1, keepdims=True)
        place = 1 + ((sim >= best) & ~same).sum(1)
        out["needs"], out["needs_r1"] = float((1 / place).mean()), float((place == 1).mean())
        a, p, n = (enc(self.z["held_triples"][:, k]) for k in range(3))
        out["schema"] = float(((a * p).sum(1) > (a * n).sum(1)).float().mean())
        out |= self.near_miss(table, ["near_val"])
        out["mix"] = mix(out)
        return out

    @torch.no_grad()
    def near_miss(self, table: torch.Tensor, parts: list[str]) -> dict[str, float]:
        """AUC of paraphrases over near misses, each kind of near miss against paraphrases of its own kind:

        antonyms against held-out synonyms (PPDB, WordNet); VSR's changed relations against VSR's
        paraphrases; changed captions (SugarCrepe, VALSE) against another caption of the same anchor's
        picture; SNLI and SICK contradictions against their entailments.
        """
        z = self.z
        near = np.concatenate([z[p] for p in parts])
        family = z["families"][near[:, 0]]

        def cos(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return (self.encode(table, x) * self.encode(table, y)).sum(1).cpu().numpy()

        def held(names: list[str], most: int = 1500) -> np.ndarray:
            rows = np.concatenate([z["held_" + k][np.random.RandomState(0).permutation(len(z["held_" + k]))[:most]] for k in names])
            return cos(rows[:, 0], rows[:, 1])

        out, positive, negative = {}, [], []
        for kind, names, of in (("words", ["ppdb", "wordnet_syn"], family == "antonym"), ("vsr", ["vsr"], family == "vsr"), ("snli", ["snli"], family == "snli"),
                                ("sick", ["sick"], family == "sick"), ("captions", [], np.char.startswith(family, "sugar") | np.char.startswith(family, "valse"))):
            rows = near[of]
            if not len(rows):
                continue
            has = rows[rows[:, 2] >= 0]
            pos = held(names) if names else cos(has[:, 1], has[:, 2])
            neg = cos(rows[:, 1], rows[:, 3])
            out["auc_" + kind] = auc(pos, neg)
            positive.append(pos)
            negative.append(neg)
        out["auc_pooled"] = auc(np.concatenate(positive), np.concatenate(negative))
        return out


# Chosen before the first run of the third series.  Against the second series' mix: STS-B dev also by genre (its whole is
# ruled by captions), and plain prose that is not about pictures (ASSET, WikiQA, MRPC, TREC-QA).  For the fourth series "needs" was added, before its first run.
MIX = {"stsb_dev": 3, "stsb_news": 1, "stsb_forums": 1, "mrr_squad": 1, "mrr_quora": 1, "mrr_scanqa": 1, "mrr_daquar": 0.5, "mrr_asset": 0.5, "mrr_mrpc": 0.5, "mrr_wikiqa": 0.5,
       "mrr_trecqa": 0.5, "mrr_flickr30k": 1, "mrr_coco": 0.5, "mrr_wordnet_syn": 0.5, "mrr_ppdb": 0.5, "mrr_wordnet_gloss": 0.5, "mrr_activitynet_qa": 0.5,
       "drive_r1": 1, "drive_r6": 1, "schema": 0.5, "auc_words": 0.7, "auc_vsr": 0.3, "needs": 1}


def mix(o: dict[str, float]) -> float:
    return sum(o[k] * w for k, w in MIX.items()) / sum(MIX.values())
