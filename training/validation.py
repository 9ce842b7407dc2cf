"""What chooses a checkpoint and a variant: nothing here reads STS-B test, SICK, household or NaVQA."""

import torch

from model import Encoder


def ranks(x: torch.Tensor) -> torch.Tensor:
    values, inverse, count = torch.unique(x, return_inverse=True, return_counts=True)
    upper = torch.cumsum(count, 0).double()
    return (upper - (count.double() - 1) / 2)[inverse]


def spearman(x: torch.Tensor, y: torch.Tensor) -> float:
    a, b = ranks(x), ranks(y)
    a, b = a - a.mean(), b - b.mean()
    return ((a * b).sum() / (a.norm() * b.norm())).item()


def auc(pos: torch.Tensor, neg: torch.Tensor) -> float:
    r = ranks(torch.cat([pos, neg]))[: len(pos)].sum().item()
    return (r - len(pos) * (len(pos) + 1) / 2) / (len(pos) * len(neg))


@torch.no_grad()
def validate(model: Encoder, data) -> dict[str, float]:
    table = model.both()

    def enc(i: torch.Tensor) -> torch.Tensor:
        return torch.cat([model(table, data.ids[c], data.after[c]) for c in i.long().split(8192)])

    out: dict[str, float] = {}
    s = data.tensor("stsb_dev")
    out["stsb_dev"] = spearman((enc(s[:, 1]) * enc(s[:, 2])).sum(1), s[:, 0])
    for name, keep in data.pools().items():
        sim = enc(keep[:, 0]) @ enc(keep[:, 1]).T
        rank = (sim >= sim.diagonal()[:, None]).sum(1)
        out["mrr_" + name] = (1.0 / rank.double()).mean().item()
    d = data.tensor("drive")
    lines = enc(d[:, 3:].reshape(-1)).reshape(len(d), 4, -1)
    hits = []
    q = enc(d[:, 2])
    for pool in d[:, 0].unique():
        m = d[:, 0] == pool
        sim = torch.einsum("qd,nld->qnl", q[m], lines[m]).amax(2)
        hits.append((sim >= sim.diagonal()[:, None]).sum(1))
    rank = torch.cat(hits)
    out["drive_r1"], out["drive_r6"] = (rank <= 1).double().mean().item(), (rank <= 6).double().mean().item()
    t = data.tensor("held_triples")
    a, p, n = enc(t[:, 0]), enc(t[:, 1]), enc(t[:, 2])
    out["schema"] = ((a * p).sum(1) > (a * n).sum(1)).double().mean().item()
    out |= near_miss(data, "near_val", enc)
    out["mix"] = mix(out)
    return out


@torch.no_grad()
def held_out_report(model: Encoder, data) -> dict[str, float]:
    """Near misses of the report part and of sources never trained on; nothing is chosen by these."""
    table = model.both()

    def enc(i: torch.Tensor) -> torch.Tensor:
        return torch.cat([model(table, data.ids[c], data.after[c]) for c in i.long().split(8192)])

    return {"test_" + k: round(v, 4) for k, v in near_miss(data, "near_test", enc).items()}


def near_miss(data, name: str, enc) -> dict[str, float]:
    """AUC of paraphrases over near misses: words against words, sentences against sentences, and both together."""
    near = data.tensor(name)
    antonym = data.z["families"].tolist().index("antonym")
    cos = (enc(near[:, 1]) * enc(near[:, 3])).sum(1)
    is_word = near[:, 0] == antonym

    def positives(names: list[str], most: int) -> torch.Tensor:
        parts = []
        for k in names:
            if "held_" + k in data.z:
                rows = data.tensor("held_" + k)
                rows = rows[: most * 4][torch.randperm(len(rows[: most * 4]), generator=torch.Generator().manual_seed(0)).to(rows.device)][:most]
                parts.append((enc(rows[:, 0]) * enc(rows[:, 1])).sum(1))
        return torch.cat(parts)

    word_pos = positives(["ppdb", "wordnet_syn"], 600)
    text_pos = positives(["coco", "alfred_step", "alfred_task", "vsr"], 400)
    return {"auc_words": auc(word_pos, cos[is_word]), "auc_texts": auc(text_pos, cos[~is_word]),
            "auc_all": auc(torch.cat([word_pos, text_pos]), cos)}


def mix(o: dict[str, float]) -> float:
    parts = {"stsb_dev": 2, "mrr_squad": 1, "mrr_quora": 1, "mrr_scanqa": 1, "mrr_daquar": 0.5, "mrr_flickr30k": 1, "drive_r1": 1,
             "drive_r6": 1, "mrr_wordnet_syn": 0.5, "mrr_ppdb": 0.5, "mrr_wordnet_gloss": 0.5, "schema": 0.5, "auc_words": 0.7, "auc_texts": 0.5}
    used = {k: w for k, w in parts.items() if k in o}
    return sum(o[k] * w for k, w in used.items()) / sum(used.values())
