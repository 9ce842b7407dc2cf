"""A net to train on from a weight file, in which batch-norm is folded into the convolutions: the file's means are gone, so
they are taken from frames, and each layer's scale and shift are set so that it computes what the file says."""
import json
import struct

import numpy as np
import torch
import torch.nn.functional as F


def read(path):
    """Step → weight and bias, in the file's order."""
    data = open(path, "rb").read()
    assert data[:4] == b"EYES"
    end = 12 + struct.unpack("<I", data[8:12])[0]
    numbers, at, out = np.frombuffer(data[end:], dtype=np.float16).astype(np.float32), 0, {}
    for step in json.loads(data[12:end])["steps"]:
        if step["kind"] not in ("conv", "point", "depth"):
            continue
        channels = step.get("o", step["i"])
        side = 3 if step["kind"] == "conv" else 1 if step["kind"] == "point" else step["k"]
        shape = (channels, 1 if step["kind"] == "depth" else step["i"], side, side)
        size = int(np.prod(shape))
        out[step["name"]] = numbers[at:at + size].reshape(shape), numbers[at + size:at + size + channels]
        at += size + channels
    assert at == len(numbers), (at, len(numbers))
    return out


@torch.no_grad()
def start(net, path, frames):
    """Steps that the file has as well are taken from it; later ones stay as they were drawn."""
    known, made = read(path), {"in": frames.float()}
    net.eval()
    for name, kind, inputs, o in net.steps:
        a = made[inputs[0]]
        if kind in ("conv", "point", "depth"):
            layers = net.layers[name]
            if name in known:
                weight, bias = (torch.tensor(v, device=a.device) for v in known[name])
                layers[0].weight.copy_(weight)
                if len(layers) == 1:
                    layers[0].bias.copy_(bias)
                else:
                    raw, norm = layers[0](a), layers[1]
                    mean, variance = raw.mean((0, 2, 3)), raw.var((0, 2, 3))
                    norm.running_mean.copy_(mean)
                    norm.running_var.copy_(variance)
                    norm.weight.copy_((variance + norm.eps).sqrt())
                    norm.bias.copy_(bias + mean)
            y = layers(a)
        elif kind == "pool":
            y = a.mean((2, 3), keepdim=True)
        elif kind == "up":
            y = F.interpolate(a, size=made[inputs[1]].shape[-2:], mode="bilinear", align_corners=False) + made[inputs[1]]
        else:
            y = a + made[inputs[1]]
        made[name] = F.relu(y) if o.get("relu") else y
