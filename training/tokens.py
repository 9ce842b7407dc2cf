"""Text → features, exactly as src/models/loci-encoder/encoder.ts does it.

A text becomes a list of words; every word is looked up by a 32-bit hash.
Words that are not known fall back to hashed character n-grams.  Keep this file and encoder.ts in step:
the probe fixture compares them bit for bit.
"""

import itertools
import re
import unicodedata

MAX_WORDS = 4096  # words beyond this are ignored, so that any input is bounded
MAX_CHARS = 1 << 18  # no text of MAX_WORDS words needs more
MAX_WORD_CHARS = 40  # a longer run of letters is not a word; it is cut here

# Words that carry no meaning of their own for retrieval.  Negation, numbers,
# prepositions of place, colours and states are deliberately not among them.
STOP = frozenset(
    """a an the this that these those there here it its itself is are was were be been being am
    do does did doing done have has had having will would shall should can could may might must
    i me my mine myself you your yours yourself we us our ours he him his she her hers they them their theirs
    what which who whom whose where when why how whether
    of and or as if than then so such also too very just only own
    s t d m ll re ve nd rd th please tell some any""".split()
)

WORD = re.compile("[a-z]+(?:(?<=n)['\u2019]t(?![a-z]))?|[0-9]+", re.ASCII | re.IGNORECASE)
MARKS = re.compile("[\u0300-\u036f]")


def words(text: str) -> list[str]:
    """ASCII letters or digits in runs; other scripts separate and are dropped; don't, isn't, can't … become "not"."""
    text = text[:MAX_CHARS]
    if not text.isascii():
        text = MARKS.sub("", unicodedata.normalize("NFKD", text))
    found = (m[0].lower() for m in itertools.islice(WORD.finditer(text), MAX_WORDS))
    return ["not" if w[-1] == "t" and not w.isalnum() else w[:MAX_WORD_CHARS] for w in found]


def hash_text(s: str) -> int:
    """FNV-1a over ASCII codes, then a finishing mix."""
    h = 0x811C9DC5
    for ch in s:
        h = ((h ^ ord(ch)) * 0x01000193) & 0xFFFFFFFF
    return mix(h)


def mix(h: int) -> int:
    h ^= h >> 16
    h = (h * 0x85EBCA6B) & 0xFFFFFFFF
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & 0xFFFFFFFF
    return h ^ (h >> 16)


def ngram_hashes(word: str) -> list[int]:
    """Hashes of the 3- to 5-grams of <word>."""
    marked = "<" + word + ">"
    out = []
    for size in (3, 4, 5):
        for i in range(len(marked) - size + 1):
            out.append(hash_text(marked[i : i + size]))
    return out
