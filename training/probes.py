"""Write the probe fixture that encoder.test.ts checks: texts of our own, their checksum, a few vectors.

    python probes.py --bin loci-encoder-v3.bin --out fixtures/probes.json
"""

import argparse
import hashlib
import json
import pathlib

from reference import Reference

TEXTS = """mug
red mug on the kitchen table
a blue mug on the kitchen table
where did I leave the car keys?
what is to the left of the sofa?
lamp left of sofa
sofa left of lamp
lamp right of sofa
the fridge door is open
the fridge door is closed
is the window in the bedroom shut?
the robot entered the loading bay
the robot left the loading bay
how many chairs are in the meeting room?
four chairs around a round table
4 chairs around a round table
12:30 room 7b
a person in a yellow vest pushes a pallet truck
nobody is in the corridor
there isn't a ladder here
the ladder was moved from the wall to the door
coffee cup
dining table
dinning tabel
refridgerator
xylophonic quuxification
Café Müller, 2nd floor
NEXT_TO the fire extinguisher
next-to the fire extinguisher
something to write with
it is raining outside
a dog sleeps under the desk
a cat sleeps on the desk
turn around and go back to the docking station
the parcel disappeared from the shelf at noon
charging station 3
emergency exit behind the curtain
a glass of water, half full
the printer is out of paper
two people talk near the entrance
one person waits near the exit
stairs going up
stairs going down
a wet floor sign in the hallway
white car parked in front of the garage
the alarm clock shows six
smoke coming out of the oven
a very long sentence about nothing in particular that goes on and on until it stops at the end of the road near the old mill
naïve façade
mug mug mug mug
""".strip().split("\n")

MEANINGLESS = ["", " ", "\n\t", "the", "what is it?", "where are you", "🙂", "🙂🙂 🤖", "Привет, мир", "桌子上的杯子", "مرحبا", "…—!?", "\u0301"]


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--bin", type=pathlib.Path, required=True)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    args = ap.parse_args()
    data = args.bin.read_bytes()
    encoder = Reference(data)
    vectors = [encoder.encode(t) for t in TEXTS]
    assert all(v is not None for v in vectors), [t for t, v in zip(TEXTS, vectors) if v is None]
    assert all(encoder.encode(t) is None for t in MEANINGLESS), [t for t in MEANINGLESS if encoder.encode(t) is not None]
    checksum = hashlib.sha256(b"".join(v.astype("<f4").tobytes() for v in vectors)).hexdigest()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps({
        "encoder": "loci-encoder-v3", "file": hashlib.sha256(data).hexdigest(), "checksum": checksum, "texts": TEXTS,
        "meaningless": MEANINGLESS, "first": [[float(x) for x in v] for v in vectors[:5]],
    }, ensure_ascii=False, indent=1) + "\n")
    print(checksum)


if __name__ == "__main__":
    main()
