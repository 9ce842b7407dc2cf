"""The net: a MobileNet-like U-net, its targets and its loss. Written as a list of steps, which is also what the weight
file holds and what src/models/eyes runs."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from categories import KINDS, NAMES, ONLY_WORD, STATES, UNKNOWN, WORD_OF_KIND
from sensors import CHANNELS

OFFSET_SCALE = 32.0  # grid pixels in one unit of the offset's planes
LAST = "c"  # how the last step of a block that came later is named
HEADS = 7  # structure, furniture, small thing; boundary; centre; offset x, y


def plan(width=1.0, categories=len(NAMES)):
    """Steps (name, kind, inputs, options). A picture is named by the step that made it; "in" is the input."""
    c = [max(8, int(x * width) // 8 * 8) for x in (24, 40, 64, 112, 160)]
    steps, n = [], [0]

    def add(kind, *inputs, name=None, **options):
        n[0] += name is None
        name = name or f"s{n[0]}"
        steps.append((name, kind, list(inputs), options))
        return name

    def block(x, i, o, stride, expand, k=3):
        m = i * expand
        y = add("point", x, i=i, o=m, relu=1)
        y = add("depth", y, i=m, k=k, stride=stride, relu=1)
        y = add("point", y, i=m, o=o, relu=0)
        return add("add", x, y, i=o, relu=0) if stride == 1 and i == o else y

    def more(x, i, k, name):
        """A block that came after run 7, with names of its own: older weights still find their steps."""
        y = add("point", x, i=i, o=3 * i, relu=1, name=name + "a")
        y = add("depth", y, i=3 * i, k=k, stride=1, relu=1, name=name + "b")
        y = add("point", y, i=3 * i, o=i, relu=0, name=name + LAST)
        return add("add", x, y, i=i, relu=0, name=name + "d")

    def up(x, skip, i, s, o):
        a = add("point", x, i=i, o=o, relu=0)
        b = add("point", skip, i=s, o=o, relu=0)
        y = add("up", a, b, i=o, relu=1)
        for k in (5, 3):
            y = add("depth", y, i=o, k=k, stride=1, relu=1)
            y = add("point", y, i=o, o=o, relu=1)
        return y

    x = add("conv", "in", i=CHANNELS, o=c[0], k=3, stride=2, relu=1)
    y = add("depth", x, i=c[0], k=3, stride=1, relu=1)
    y = add("point", y, i=c[0], o=c[0], relu=0)
    s1 = add("add", x, y, i=c[0], relu=1)
    s2 = block(block(s1, c[0], c[1], 2, 3), c[1], c[1], 1, 3)
    s3 = block(block(block(s2, c[1], c[2], 2, 4), c[2], c[2], 1, 3, 5), c[2], c[2], 1, 3)
    s3 = more(s3, c[2], 5, "m1")
    s4 = block(s3, c[2], c[3], 2, 4)
    for k in (5, 3, 5):
        s4 = block(s4, c[3], c[3], 1, 3, k)
    s4 = more(more(s4, c[3], 5, "m2"), c[3], 5, "m3")
    s5 = block(block(block(s4, c[3], c[4], 2, 4), c[4], c[4], 1, 3, 5), c[4], c[4], 1, 3, 5)
    s5 = more(more(s5, c[4], 5, "m4"), c[4], 5, "m5")
    g = add("pool", s5, i=c[4])
    g = add("point", g, i=c[4], o=c[4], relu=1)
    s5 = add("spread", s5, g, i=c[4], relu=0)
    y = up(s5, s4, c[4], c[3], 96)
    y = up(y, s3, 96, c[2], 72)
    coarse = up(y, s2, 72, c[1], 56)
    y = up(coarse, s1, 56, c[0], 40)
    a = add("depth", y, i=40, k=3, stride=1, relu=1)
    a = add("point", a, i=40, o=48, relu=1)
    a = add("point", a, i=48, o=HEADS, relu=0, out="shape")
    b = add("depth", y, i=40, k=3, stride=1, relu=1)
    b = add("point", b, i=40, o=64, relu=1)
    b = add("point", b, i=64, o=categories, relu=0, out="category")
    # Kinds, states and colours on a grid of half the size: many numbers, of whole things.
    a = add("point", coarse, i=56, o=64, relu=0)
    b = add("depth", y, i=40, k=3, stride=2, relu=1)
    b = add("point", b, i=40, o=64, relu=0)
    y = add("add", a, b, i=64, relu=1)
    y = add("depth", y, i=64, k=5, stride=1, relu=1)
    y = add("point", y, i=64, o=80, relu=1)
    add("point", y, i=80, o=len(KINDS) + len(STATES) + 3, relu=0, out="kind")
    return steps


class Net(nn.Module):
    def __init__(self, width=1.0):
        super().__init__()
        self.steps = plan(width)
        layers = {}
        for name, kind, _, o in self.steps:
            if kind in ("conv", "point", "depth"):
                k = o.get("k", 1)
                out = o["i"] if kind == "depth" else o["o"]
                last = "out" in o
                pooled = name in self._after_pool()
                conv = nn.Conv2d(o["i"], out, k, o.get("stride", 1), k // 2, groups=o["i"] if kind == "depth" else 1, bias=last or pooled)
                layers[name] = nn.Sequential(conv) if last or pooled else nn.Sequential(conv, nn.BatchNorm2d(out))
        self.layers = nn.ModuleDict(layers)
        for name, layer in layers.items():  # such a block begins as nothing: a net that goes on computes what it did
            if name.startswith("m") and name.endswith(LAST):
                nn.init.zeros_(layer[1].weight)

    def _after_pool(self):
        pools = {name for name, kind, _, _ in self.steps if kind == "pool"}
        return {name for name, _, inputs, _ in self.steps if pools & set(inputs)}

    def forward(self, x):
        made, out = {"in": x}, {}
        for name, kind, inputs, o in self.steps:
            a = made[inputs[0]]
            if kind in ("conv", "point", "depth"):
                y = self.layers[name](a)
            elif kind == "pool":
                y = a.mean((2, 3), keepdim=True)
            elif kind == "up":
                y = F.interpolate(a, size=made[inputs[1]].shape[-2:], mode="bilinear", align_corners=False) + made[inputs[1]]
            else:
                y = a + made[inputs[1]]
            made[name] = F.relu(y) if o.get("relu") else y
            if "out" in o:
                out[o["out"]] = made[name]
        return torch.cat([out["shape"], out["category"]], 1), out["kind"]


def targets(thing, surface, category):
    """At half resolution: surface, boundary, centre's heat, offset, where an offset is meant, weight by size, category."""
    thing, surface, category = (t[:, 1::2, 1::2].long() for t in (thing, surface, category))
    B, h, w = thing.shape
    dev = thing.device
    y, x = torch.meshgrid(torch.arange(h, device=dev).float(), torch.arange(w, device=dev).float(), indexing="ij")
    key = thing * (surface > 0) + torch.arange(B, device=dev).view(B, 1, 1) * 40000
    unique, inverse = torch.unique(key, return_inverse=True)
    flat, n = inverse.flatten(), len(unique)
    total = lambda v: torch.zeros(n, device=dev).index_add_(0, flat, v.expand(B, h, w).flatten())
    size = total(torch.ones(1, 1, 1, device=dev))
    mx, my = total(x) / size, total(y) / size
    is_thing = (unique % 40000 > 0) & (size >= 10)
    sigma = (size.sqrt() * 0.12).clamp(1.3, 5)
    dx, dy = mx[inverse] - x, my[inverse] - y
    # The heat of a pixel is that of its own thing's centre: no loop over things.
    heat = torch.exp(-(dx * dx + dy * dy) / (2 * sigma[inverse] ** 2)) * is_thing[inverse]
    k = key.float()[:, None]
    boundary = (F.max_pool2d(k, 3, 1, 1) != -F.max_pool2d(-k, 3, 1, 1))[:, 0].float()
    # Where two things meet and nothing of the building shows between them.
    of_thing = (thing * (surface > 0) > 0).float()[:, None]
    meets = boundary * (-F.max_pool2d(-of_thing, 3, 1, 1))[:, 0]
    return dict(surface=surface, boundary=boundary, meets=meets, heat=heat, dx=dx / OFFSET_SCALE, dy=dy / OFFSET_SCALE, big=is_thing[inverse].float(), weight=1 / size.sqrt()[inverse].clamp_min(3), category=category, key=key)


def loss(y, t, class_weight):
    surface = F.cross_entropy(y[:, :3], t["surface"], weight=torch.tensor([1.0, 1.0, 1.8], device=y.device), reduction="none")
    surface = (surface * (1 + 3 * t["boundary"])).mean()
    boundary = F.binary_cross_entropy_with_logits(y[:, 3], t["boundary"], pos_weight=torch.tensor(2.0, device=y.device), reduction="none")
    boundary = (boundary * (1 + 3 * t["meets"])).mean()
    heat = ((torch.sigmoid(y[:, 4]) - t["heat"]) ** 2 * (1 + 8 * t["heat"])).mean() * 12
    off = ((y[:, 5] - t["dx"]).abs() + (y[:, 6] - t["dy"]).abs()) * t["big"] * (0.25 + 4 * t["weight"])
    off = off.sum() / t["big"].sum().clamp_min(1) * 1.5
    named = F.cross_entropy(y[:, HEADS:], t["category"], reduction="none", label_smoothing=0.03)
    # A small thing counts nearly as much as a large one; a wall's pixel teaches "other" a little.
    w = class_weight[t["category"]] * torch.where(t["surface"] > 0, 0.15 + 6 * t["weight"], torch.where(t["category"] > 0, 0.1, 0.08))
    named = (named * w).sum() / w.sum().clamp_min(1)
    total = surface + 0.6 * boundary + heat + off + 0.9 * named
    return total, torch.stack([surface, boundary, heat, off, named]).detach()


def kind_targets(t, kind, states, albedo):
    """The same on the grid of the second head, which has every second row and column of the first's."""
    half = lambda m: m[..., ::2, ::2]
    fine = lambda m: m[..., 1::4, 1::4]
    states = torch.stack([(fine(states).long() >> (2 * k)) & 3 for k in range(len(STATES))], 1)
    return dict(kind=fine(kind).long(), states=states, albedo=fine(albedo).float() / 255, weight=half(t["weight"]), surface=half(t["surface"]), category=half(t["category"]), key=half(t["key"]))


def kind_loss(y, t, kind_weight, category_weight):
    """Where only the word is known, any of its kinds will do."""
    n, m = len(KINDS), len(STATES)
    log = F.log_softmax(y[:, :n], 1)
    of = torch.zeros(len(NAMES), n, device=y.device)
    of[torch.tensor(WORD_OF_KIND, device=y.device), torch.arange(n, device=y.device)] = 1
    worded = torch.einsum("bnhw,cn->bchw", log.exp(), of).clamp_min(1e-6).log().gather(1, t["category"][:, None])[:, 0]
    exact = t["kind"] != ONLY_WORD
    kind = torch.where(exact, t["kind"], torch.zeros_like(t["kind"]))
    # 3 % of every label is anything's, as in the first head.
    exactly = 0.97 * log.gather(1, kind[:, None])[:, 0] + 0.03 * log.mean(1)
    named = -torch.where(exact, exactly, worded)
    thing = torch.where(t["surface"] > 0, 0.15 + 6 * t["weight"], torch.where(t["category"] > 0, 0.1, 0.05))
    w = torch.where(exact, kind_weight[kind], category_weight[t["category"]]) * thing
    named = (named * w).sum() / w.sum().clamp_min(1)
    known = (t["states"] != UNKNOWN).float() * (0.15 + 6 * t["weight"])[:, None]
    state = F.binary_cross_entropy_with_logits(y[:, n:n + m], (t["states"] == 1).float(), reduction="none")
    state = (state * known).sum() / known.sum().clamp_min(1)
    colour = (torch.sigmoid(y[:, n + m:]) - t["albedo"]).abs().mean()
    return 0.9 * named + 0.5 * state + 2 * colour, torch.stack([named, state, colour]).detach()
