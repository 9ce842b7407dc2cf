"""The fitted reader as the one file that ships.

    "LOCIREAD" · u32 length of the header · the header as JSON · padding to 8 · numbers
The header names words, tokens, sizes and every table with its place: a matrix is int8 with a float32 scale a row (its scales
first), anything else float32.
"""

import hashlib
import json
import struct

import numpy as np

from model import DECODERS, ENCODERS, HEADS, HIDDEN, KINDS, MEANING, WIDTH


def pack(model, words, tokens):
    tables, chunks, at = {}, [], 0
    for name, value in model.state_dict().items():
        if name.startswith("guess"):
            continue
        value = value.float().cpu().numpy()
        if value.ndim == 2:
            scale = (np.abs(value).max(1) / 127).astype("<f4")
            safe = np.where(scale > 0, scale, 1)
            data = scale.tobytes() + np.rint(value / safe[:, None]).astype(np.int8).tobytes()
        else:
            data = value.astype("<f4").tobytes()
        tables[name] = {"at": at, "shape": list(value.shape)}
        data += b"\0" * (-len(data) % 8)
        chunks.append(data)
        at += len(data)
    body = b"".join(chunks)
    header = {
        "width": WIDTH,
        "heads": HEADS,
        "hidden": HIDDEN,
        "encoders": ENCODERS,
        "decoders": DECODERS,
        "meaning": MEANING,
        "kinds": KINDS,
        "words": words,
        "tokens": tokens,
        "tables": tables,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    text = json.dumps(header, ensure_ascii=True).encode()
    text += b" " * (-(len(text) + 12) % 8)
    return b"LOCIREAD" + struct.pack("<I", len(text)) + text + body


def unpack(data):
    """The header, and the tables as float32."""
    (length,) = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12 : 12 + length])
    body, tables = data[12 + length :], {}
    for name, place in header["tables"].items():
        rows, at = place["shape"][0], place["at"]
        scale = np.frombuffer(body, "<f4", rows, at)
        if len(place["shape"]) == 1:
            tables[name] = scale.copy()
        else:
            columns = place["shape"][1]
            q = np.frombuffer(body, np.int8, rows * columns, at + 4 * rows).reshape(rows, columns)
            tables[name] = q.astype(np.float32) * scale[:, None]
    return header, tables
