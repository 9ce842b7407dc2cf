"""What cameras do to a picture: damage of depth and colour, and the twelve channels that the net is given.
`channels` is written again in src/models/eyes/prepare.ts; the two must agree (fixture of export.py)."""
import torch
import torch.nn.functional as F

CHANNELS = 12
NO_DEPTH = 0.15  # part of the frames that teach seeing without depth


def _rand(*shape, device):
    return torch.rand(*shape, device=device)


def _blobs(B, h, w, size, device):
    return F.interpolate(_rand(B, 1, max(2, h // size), max(2, w // size), device=device), (h, w), mode="bilinear", align_corners=False)[:, 0]


def _shifted(z, strength):
    """Edges fray: each pixel reads its depth from a neighbour."""
    B, h, w = z.shape
    y, x = torch.meshgrid(torch.arange(h, device=z.device).float(), torch.arange(w, device=z.device).float(), indexing="ij")
    gx, gy = x + torch.randn(B, h, w, device=z.device) * strength, y + torch.randn(B, h, w, device=z.device) * strength
    grid = torch.stack([gx / (w - 1) * 2 - 1, gy / (h - 1) * 2 - 1], -1)
    return F.grid_sample(z[:, None], grid, mode="nearest", padding_mode="border", align_corners=True)[:, 0]


def damaged(z, shiny, rgb, f):
    """Depth as one of four cameras would give it, 0 where it gives none; then some frames without any."""
    B, h, w = z.shape
    dev = z.device
    r = lambda *s: _rand(*s, device=dev)
    one = lambda: r(B, 1, 1)
    inv = torch.where(z > 0.1, 1 / z.clamp_min(0.2), torch.zeros_like(z))
    jump = (F.max_pool2d(inv[:, None], 3, 1, 1) + F.max_pool2d(-inv[:, None], 3, 1, 1))[:, 0]
    edge = F.max_pool2d((jump > 0.04).float()[:, None], 3, 1, 1)[:, 0] > 0
    near, far = 0.2 + 0.35 * one() * (one() < 0.5), 3 + 6 * one()
    camera = torch.randint(0, 4, (B, 1, 1), device=dev)  # 0 structured light, 1 time of flight, 2 stereo, 3 fused and clean (a phone)
    # Structured light: steps of disparity, shadows beside near things, frayed edges.
    k = f.view(B, 1, 1) * 0.075 * (0.6 + one())
    disparity = k * inv + torch.randn(B, h, w, device=dev) * 0.12 * one() + (_blobs(B, h, w, 16, dev) - 0.5) * 0.3 * one()
    light = _shifted(torch.where(z > 0.1, k / ((disparity * 8).round() / 8).clamp_min(0.4), z), 0.9 * one())
    hidden = torch.zeros_like(z, dtype=torch.bool)
    for s in range(1, 13):
        hidden |= (F.pad(inv, (0, s))[..., s:] - inv) * k * 1.2 * one() > s
    light_ok = ~(hidden & (one() < 0.8)) & ~(edge & (r(B, h, w) < one() * 0.8))
    # Time of flight: pixels between near and far, noise with distance, rounded corners.
    mean = F.avg_pool2d(z[:, None], 3, 1, 1)[:, 0]
    flying = edge & (r(B, h, w) < 0.6 * one())
    flight = torch.where(flying, z + (mean - z) * 2 * r(B, h, w), z) * (1 + torch.randn(B, h, w, device=dev) * 0.012 * one()) + (_blobs(B, h, w, 40, dev) - 0.5) * 0.06 * one()
    flight_ok = ~(edge & (r(B, h, w) < 0.5 * one()))
    # Stereo: near edges grow fat, plain walls are holes, the rest is smooth and wavy.
    fat = F.max_pool2d(inv[:, None], 5, 1, 2)[:, 0]
    grown = torch.where((one() < 0.7) & (r(B, h, w) < 0.9), fat, inv)
    wavy = grown + (_blobs(B, h, w, 12, dev) - 0.5) * 0.06 * one()
    stereo = torch.where(grown > 0, 1 / wavy.clamp_min(0.08), z)
    grey = rgb.mean(1, keepdim=True)
    texture = (F.avg_pool2d(grey * grey, 9, 1, 4) - F.avg_pool2d(grey, 9, 1, 4) ** 2)[:, 0].clamp_min(0).sqrt()
    stereo_ok = ~((texture < 0.012 * one()) & (_blobs(B, h, w, 10, dev) < 0.75)) & ~(edge & (r(B, h, w) < 0.3 * one()))
    phone = F.avg_pool2d(z[:, None], 5, 1, 2)[:, 0]
    phone = torch.where(one() < 0.5, phone, z)
    out = torch.where(camera == 0, light, torch.where(camera == 1, flight, torch.where(camera == 2, stereo, phone)))
    ok = torch.where(camera == 0, light_ok, torch.where(camera == 1, flight_ok, torch.where(camera == 2, stereo_ok, torch.ones_like(stereo_ok))))
    lost = (shiny & (_blobs(B, h, w, 8, dev) < one() * 1.1) & (camera < 3)) | ((_blobs(B, h, w, 24, dev) < one() * 0.25) & (_blobs(B, h, w, 8, dev) < 0.5) & (camera < 3))
    # What is black gives infrared light no echo.
    dark = (grey[:, 0] < 0.16 * one()) & (one() < 0.7) & (_blobs(B, h, w, 6, dev) < 0.35 + 0.6 * one())
    ok = ok & ~(dark & (camera < 2))
    ok = ok & (z > 0.1) & ~lost & (out > near) & (out < far) & (r(B, h, w) > 0.03 * one())
    ok = ok & (one() > NO_DEPTH)
    # Colour and depth do not always lie on each other.
    shift = (one() < 0.3)
    out = torch.where(ok, out, torch.zeros_like(out))
    moved = torch.roll(out, (int(torch.randint(-1, 2, (1,))), int(torch.randint(-3, 4, (1,)))), (1, 2))
    return torch.where(shift, moved, out)


def photographed(rgb):
    """Exposure, colour cast, contrast, blur, vignette, noise, blocks of JPEG."""
    B, _, h, w = rgb.shape
    dev = rgb.device
    r = lambda *s: _rand(*s, device=dev)
    one = lambda: r(B, 1, 1, 1)
    x = rgb * (0.55 + 0.9 * one()) * (1 + 0.3 * (r(B, 3, 1, 1) - 0.5))
    m = x.mean(1, keepdim=True)
    x = m + (x - m) * (0.3 + 1.1 * one())
    x = (x - 0.5) * (0.6 + 0.7 * one()) + 0.5 + 0.3 * (one() - 0.5)
    k = torch.tensor([1.0, 2, 1], device=dev)
    k = ((k[:, None] * k) / 16).expand(3, 1, 3, 3)
    soft = F.conv2d(x, k, padding=1, groups=3)
    x = torch.where(one() < 0.45, soft, x)
    x = torch.where(one() < 0.2, F.conv2d(F.conv2d(soft, k, padding=1, groups=3), k, padding=1, groups=3), x)
    smear = F.avg_pool2d(x, (1, 7), 1, (0, 3)) if torch.rand(()) < 0.5 else F.avg_pool2d(x, (5, 1), 1, (2, 0))
    x = torch.where(one() < 0.12, smear, x)
    x = x + (_blobs(B, h, w, 80, dev)[:, None] - 0.5) * 0.35 * one()
    x = x + torch.randn_like(x) * 0.05 * one() + F.interpolate(torch.randn(B, 3, h // 4, w // 4, device=dev), (h, w)) * 0.02 * one()
    chroma = x - x.mean(1, keepdim=True)
    blocks = F.interpolate(F.avg_pool2d(chroma, 4), (h, w)) + x.mean(1, keepdim=True)
    x = torch.where(one() < 0.4, blocks, x)
    x = torch.where(one() < 0.04, torch.full_like(x, 0.5), x)
    return x.clamp(0, 1)


def gravity_frame(up):
    """Rows right, ahead, up in the camera's axes (x right, y down, z forward). Looking straight down or up, "ahead" is the top of the picture."""
    z = torch.tensor([0.0, 0, 1], device=up.device).expand_as(up)
    y = torch.tensor([0.0, -1, 0], device=up.device).expand_as(up)
    ahead = z - (z * up).sum(-1, keepdim=True) * up
    other = y - (y * up).sum(-1, keepdim=True) * up
    ahead = torch.where(ahead.norm(dim=-1, keepdim=True) > 0.1, ahead, other)
    ahead = ahead / ahead.norm(dim=-1, keepdim=True).clamp_min(1e-6)
    return torch.stack([torch.cross(ahead, up, dim=-1), ahead, up], 1)


def channels(rgb, z, fx, fy, cx, cy, up, height, known):
    """rgb [B,3,H,W] 0..1, z [B,H,W] metres (0 none), up [B,3] → [B,12,H,W]."""
    B, h, w = z.shape
    dev = z.device
    v = (z > 0).float()[:, None]
    y, x = torch.meshgrid(torch.arange(h, device=dev) + 0.5, torch.arange(w, device=dev) + 0.5, indexing="ij")
    n = lambda t: t.view(B, 1, 1)
    ray = torch.stack([(x - n(cx)) / n(fx), (y - n(cy)) / n(fy), torch.ones(B, h, w, device=dev)], 1)
    P = ray * z[:, None]
    count = F.avg_pool2d(v, 3, 1, 1)
    mean = F.avg_pool2d(P * v, 3, 1, 1) / count.clamp_min(1e-4)
    ok = (count > 0.3).float()
    p, q = F.pad(mean, (2, 2, 2, 2), mode="replicate"), F.pad(ok, (2, 2, 2, 2))
    dx, dy = p[:, :, 2:-2, 4:] - p[:, :, 2:-2, :-4], p[:, :, 4:, 2:-2] - p[:, :, :-4, 2:-2]
    all_ok = q[:, :, 2:-2, 4:] * q[:, :, 2:-2, :-4] * q[:, :, 4:, 2:-2] * q[:, :, :-4, 2:-2] * ok
    normal = torch.cross(dx, dy, dim=1)
    normal = normal / normal.norm(dim=1, keepdim=True).clamp_min(1e-9)
    normal = torch.where((normal * ray).sum(1, keepdim=True) > 0, -normal, normal) * all_ok
    normal = torch.einsum("bij,bjhw->bihw", gravity_frame(up), normal)
    rise = torch.einsum("bj,bjhw->bhw", up, ray)[:, None]
    known = known.view(B, 1, 1, 1)
    height = height.view(B, 1, 1, 1)
    level = ((rise * z[:, None] + height) * v * known).clamp(-1, 3)
    inv = v / z[:, None].clamp_min(0.3)
    around = F.avg_pool2d(inv, 15, 1, 7) / F.avg_pool2d(v, 15, 1, 7).clamp_min(1e-3)
    relief = ((inv - around) * v * 5).clamp(-1, 1)
    slope = rise / ray.norm(dim=1, keepdim=True)
    floor = (-rise / height.clamp_min(0.2) * known).clamp(0, 3)
    return torch.cat([rgb - 0.5, inv * 0.5, v, level * 0.5, normal, relief, slope, floor * 0.5], 1)
