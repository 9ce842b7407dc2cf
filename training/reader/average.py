"""Between a reader and the one that it was fitted on from: `python average.py NEW.bin OLD.bin SHARE OUT.bin`.

What goes on from a fit forgets a little of it; the mean of both keeps what they have in common and reads new words better
than either. SHARE is the weight of the newer; words and tokens are the newer's.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from model import Reader  # noqa: E402
from pack import pack, unpack  # noqa: E402
from train import restore  # noqa: E402


def main():
    newer, older = (pathlib.Path(path).read_bytes() for path in sys.argv[1:3])
    share = float(sys.argv[3])
    header, _ = unpack(newer)
    words, tokens = header["words"], header["tokens"]
    model = Reader(len(words), len(tokens))
    restore(model, newer, words, tokens)
    new = {name: value.clone() for name, value in model.state_dict().items()}
    # Words that the older one lacks keep the newer one's numbers.
    restore(model, older, words, tokens)
    old = model.state_dict()
    model.load_state_dict({name: share * new[name] + (1 - share) * old[name] for name in new})
    pathlib.Path(sys.argv[4]).write_bytes(pack(model, words, tokens))


if __name__ == "__main__":
    main()
