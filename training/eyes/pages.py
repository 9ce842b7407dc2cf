"""Print as people lay it out: a cover with its title, columns of text with a picture, a coloured leaflet with a block, a form.
Whatever is printed on it belongs to the page, however much its colours differ: that is what the eyes should learn."""
import torch


def page(face, size, colour, accent, chance, noise):
    """Colours of places on printed faces: `face` 0 to 1 across, `size` metres, `chance(k)` numbers of the thing, 0 to 1."""
    tall = size[:, 1] >= size[:, 0]
    u, v = torch.where(tall, face[:, 0], face[:, 1]), torch.where(tall, face[:, 1], face[:, 0])
    long, short = size.amax(1), size.amin(1).clamp_min(1e-3)
    v = torch.where(chance(0) > 0.5, v, 1 - v)
    u = torch.where(chance(1) > 0.5, u, 1 - u)
    how, seed = chance(2), chance(3) * 90
    between = lambda x, low, high: (x > low) & (x < high)
    pick = lambda k: torch.stack([chance(k), chance(k + 0.3), chance(k + 0.6)], 1)
    mixed = lambda a, b, t: a * (1 - t[:, None]) + b * t[:, None]
    step = lambda x: (x * 4 - 1.5).clamp(0, 1)

    # A photograph: two soft fields of colour and one with edges.
    scale = 2 + 5 * chance(4)
    field = lambda s, k: noise(torch.stack([u * scale * s, v * scale * s * long / short, seed + k], 1))
    photo = mixed(mixed(pick(5), pick(6), field(0.6, 0)), pick(7), step(field(1, 20)))
    photo = mixed(photo, photo.mean(1, keepdim=True).expand(-1, 3), chance(31)) * (0.6 + 0.6 * field(3, 40))[:, None]
    edge = 0.03 + 0.09 * chance(8)
    all_over = how < 0.3
    across, down = 0.35 + 0.6 * chance(9), 0.15 + 0.4 * chance(10)
    left, low = edge + chance(11) * (1 - 2 * edge - across).clamp_min(0), edge + chance(12) * (1 - 2 * edge - down)
    has_photo = all_over | (chance(13) < 0.6)
    in_photo = has_photo & (all_over | (between(u, left, left + across) & between(v, low, low + down)))

    # Blocks of one colour: a band or a corner.
    band = (chance(14) < 0.45) & between(v, chance(15) * 0.8, chance(15) * 0.8 + 0.08 + 0.3 * chance(16)) & (u > chance(17) * 0.5 - 0.2)

    # Lines of small print in columns, and a title in large letters.
    bright = colour.mean(1)
    ink = torch.where((bright > 0.45)[:, None], 0.08 + 0.15 * pick(18), 0.75 + 0.25 * pick(18))
    lines = v * long / (0.006 + 0.014 * chance(19) ** 2)
    line, within = torch.floor(lines), torch.frac(lines)
    columns = torch.floor(1 + 2.9 * chance(20))
    column = torch.frac(u * columns)
    hashed = lambda a, b: torch.frac(torch.sin(a * 12.9898 + b * 78.233 + seed).abs() * 43758.547)
    word = hashed(torch.floor(u * short / 0.006), line) > 0.22
    ends = column < 0.55 + 0.7 * hashed(line, torch.floor(u * columns) + 7)
    written = between(within, 0.25, 0.72) & word & ends & between(column, 0.05, 0.96) & between(u, edge, 1 - edge) & between(v, edge, 1 - edge)
    text = written & (chance(21) < 0.8) & ~in_photo & (hashed(torch.floor(line / 6), line * 0) > 0.15)
    high, at = 0.05 + 0.12 * chance(22), torch.where(chance(23) < 0.75, 0.97 - edge - 0.12 * chance(24), 0.2 + 0.5 * chance(24))
    letters = u * (5 + 8 * chance(25))
    title = (chance(26) < 0.7) & between(v, at - high, at) & between(u, edge, edge + 0.3 + 0.6 * chance(27)) & between(torch.frac(letters), 0.12, 0.86)
    rows = torch.floor((v - at) / high.clamp_min(0.01) * 4)
    title = title & (hashed(torch.floor(letters), rows) > 0.25)

    out = torch.where(in_photo[:, None], photo, colour)
    out = torch.where(band[:, None], accent, out)
    out = torch.where(text[:, None], 0.35 * out + 0.65 * ink, out)
    framed = (chance(28) < 0.2) & ~(between(u, edge * 0.6, 1 - edge * 0.6) & between(v, edge * 0.6 * short / long, 1 - edge * 0.6 * short / long))
    out = torch.where(framed[:, None], accent, out)
    return torch.where(title[:, None], torch.where((chance(29) < 0.5)[:, None], pick(30), ink), out).clamp(0, 1)
