"""The weight file: "EYES", version, length of a JSON header, header, weights in half precision; batch-norm folded in."""
import copy
import json
import struct

import numpy as np
import torch

from categories import KINDS, NAMES, STATES
from net import HEADS, OFFSET_SCALE
from render import H, W
from sensors import CHANNELS, channels

VERSION = 1
# Outlines where things meet count fourfold in the loss, so more of them are drawn; by this much less, as logits, they are as
# likely as those of run 16, which every threshold of src/perception/eyes knows.
CALMER_OUTLINES = 1.0


def folded(net, name):
    """Weight and bias of a step, as a convolution alone."""
    layers = net.layers[name]
    conv = layers[0]
    weight = conv.weight.detach().double()
    bias = conv.bias.detach().double() if conv.bias is not None else torch.zeros(len(weight), dtype=torch.double, device=weight.device)
    if len(layers) > 1:
        norm = layers[1]
        scale = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
        weight = weight * scale.view(-1, 1, 1, 1)
        bias = (bias - norm.running_mean.double()) * scale + norm.bias.detach().double()
    return weight.float().cpu().numpy(), bias.float().cpu().numpy()


def calmed(net):
    """The net as it is shipped."""
    net = copy.deepcopy(net)
    last = next(name for name, _, _, options in net.steps if options.get("out") == "shape")
    net.layers[last][0].bias.data[3] -= CALMER_OUTLINES
    return net


def write(net, temperature, kind_temperature, path, width):
    net, steps, blobs = calmed(net), [], []
    for name, kind, inputs, options in net.steps:
        steps.append({"name": name, "kind": kind, "inputs": inputs, **options})
        if kind in ("conv", "point", "depth"):
            weight, bias = folded(net, name)
            blobs += [weight.astype(np.float16).tobytes(), bias.astype(np.float16).tobytes()]
    header = {"width": W, "height": H, "channels": CHANNELS, "heads": HEADS, "offsetScale": OFFSET_SCALE, "temperature": temperature, "categories": NAMES, "kindTemperature": kind_temperature, "kinds": KINDS, "states": STATES, "scale": width, "steps": steps}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 12) % 4)
    with open(path, "wb") as file:
        file.write(b"EYES" + struct.pack("<II", VERSION, len(text)) + text + b"".join(blobs))


@torch.no_grad()
def fixture(net, path):
    """Numbers to check another runtime with: some outputs for an input that is computed and not stored."""
    net = calmed(net).float().cpu().eval()
    for name in net.layers:  # as the file holds them
        weight, bias = folded(net, name)
        conv = torch.nn.Conv2d(net.layers[name][0].in_channels, len(weight), net.layers[name][0].kernel_size, net.layers[name][0].stride, net.layers[name][0].padding, groups=net.layers[name][0].groups)
        conv.weight.data = torch.tensor(weight.astype(np.float16).astype(np.float32))
        conv.bias.data = torch.tensor(bias.astype(np.float16).astype(np.float32))
        net.layers[name] = torch.nn.Sequential(conv)
    with open(path, "wb") as file:
        for y in net(known_input()):
            file.write(np.ascontiguousarray(y[0].numpy()[:, 4::16, 4::16]).astype(np.float32).tobytes())


def known_input():
    """A picture that any language can compute: sines of the pixel's number."""
    i = torch.arange(CHANNELS * H * W, dtype=torch.float64)
    return (torch.sin(i * 0.0137) * 0.5).float().view(1, CHANNELS, H, W)


def channels_fixture(path):
    """The same for what goes before the net: a picture and depth that are computed, its twelve channels on a coarse grid."""
    i = torch.arange(H * W, dtype=torch.float64).view(1, H, W)
    rgb = torch.stack([(torch.sin(i * k) * 127 + 128).floor() for k in (0.011, 0.017, 0.023)], 1).float() / 255
    x, y = i % W, (i / W).floor()
    z = (2 + 0.004 * x - 0.003 * y + (x > 150) * 0.4).float()
    z[(i % 13) == 0] = 0
    one = lambda v: torch.tensor([v])
    up = torch.nn.functional.normalize(torch.tensor([[0.1, -0.9, -0.35]]), dim=1)
    out = channels(rgb, z, one(290.0), one(285.0), one(158.0), one(121.5), up, one(1.3), one(1.0))[0]
    np.ascontiguousarray(out[:, 4::16, 4::16].numpy()).astype(np.float32).tofile(path)


if __name__ == "__main__":
    import sys

    channels_fixture(sys.argv[1])
