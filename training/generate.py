"""Question → statement pairs, from the record schema and from licensed captions.

schema(n, seed) speaks of objects, attributes, places, relations, states, counts, ego
events, people and moves as the memory records them, and yields (question, statement,
near miss).  ask_captions() turns captions into the questions somebody would ask to find
them.  ask_glosses() asks for an object by what it is.  None of it reads an eval file.
"""

import random

import lexicon as lx
from tokens import words

ASK_WHERE = ["where is the {x}?", "where did you see the {x}?", "where can I find a {x}?", "where was the {x}?", "find the {x}",
             "have you seen my {x}?", "where did I leave the {x}?", "show me the {x}", "is there a {x}?", "did you see a {x}?",
             "do you know where the {x} is?", "take me to the {x}", "bring me the {x}", "where's the {x}", "{x}", "the {x}",
             "was there a {x}?", "when did you see the {x}?", "when did you last see a {x}?", "where is the nearest {x}?",
             "where is the closest {x}?", "did you pass a {x}?", "I am looking for a {x}", "can you go to the {x}?", "any {x} around?",
             "which way to the {x}?", "look for a {x}", "how far is the {x}?", "what about the {x}?", "did you notice any {x}?"]
ASK_ROOM = ["what is in the {r}?", "what did you see in the {r}?", "which things are in the {r}?", "{r}", "describe the {r}", "were you in the {r}?"]
STATE = {"open": "closed", "closed": "open", "on": "off", "off": "on", "full": "empty", "empty": "full", "locked": "unlocked",
         "unlocked": "locked", "wet": "dry", "dry": "wet", "clean": "dirty", "dirty": "clean", "hot": "cold", "cold": "hot"}
SAME_STATE = {"open": ["open", "opened", "not closed", "standing open"], "closed": ["closed", "shut", "not open"],
              "on": ["on", "switched on", "turned on", "running"], "off": ["off", "switched off", "turned off", "not on"],
              "full": ["full", "filled", "filled up"], "empty": ["empty", "not full", "vacant"],
              "locked": ["locked", "bolted"], "unlocked": ["unlocked", "not locked"], "wet": ["wet", "soaked"], "dry": ["dry", "not wet"],
              "clean": ["clean", "tidy", "not dirty"], "dirty": ["dirty", "unclean", "stained"], "hot": ["hot", "very warm"], "cold": ["cold", "cool"]}


def schema(n: int, seed: int):
    """Yield n triples (a, b, c): b says the same as a or answers it, c does not."""
    rng = random.Random(seed)
    kinds = [_object_line, _object_line, _relation, _relation, _state, _count, _ego, _person, _moved, _room, _attribute]
    for _ in range(n):
        yield rng.choice(kinds)(rng)


def _thing(r: random.Random, pool: list[str]) -> tuple[str, str, str]:
    """A noun with an attribute, the bare noun, and the same noun with another attribute."""
    noun = r.choice(pool)
    kinds = r.choice([lx.COLOURS, lx.COLOURS, lx.MATERIALS, lx.SIZES])
    one, other = r.sample(kinds, 2)
    return f"{one} {noun}", noun, f"{other} {noun}"


def place_line(r: random.Random, x: str, place: str, room: str | None) -> str:
    room_part = f" in the {room}" if room else ""
    return r.choice(["{x} on the {p}{r}", "a {x} is on the {p}{r}", "the {x} lies on the {p}{r}", "there is a {x} on the {p}{r}",
                     "{x} placed on the {p}{r}", "{x}, {p}{r}", "a {x} stands by the {p}{r}", "the {p}{r} has a {x} on it",
                     "{x}: last seen on the {p}{r}", "a {x} can be seen next to the {p}{r}", "a {p} with a {x} on top{r}",
                     "on the {p}{r} there is a {x}", "{x} near the {p}{r}", "the robot saw a {x} beside the {p}{r}",
                     "{x}: a {x} is visible near the {p}{r}"]).format(x=x, p=place, r=room_part)


def _distract(r: random.Random, line: str) -> str:
    """Real captions say other things as well."""
    if r.random() < 0.6:
        return line
    extra = f"a {_thing(r, lx.SMALL + lx.FIXED)[0]}"
    return r.choice([f"{line}, {extra} and {r.choice(lx.FIXED)}", f"{extra} and {line}", f"{line}. {extra} is in the background"])


def _object_line(r: random.Random):
    x, bare, other = _thing(r, lx.SMALL + lx.FIXED)
    place, room = r.choice(lx.FIXED), r.choice(lx.ROOMS) if r.random() < 0.6 else None
    asked = bare if r.random() < 0.5 else x
    question = r.choice(ASK_WHERE).format(x=asked)
    if asked == x:
        miss = place_line(r, other, place, room)
    else:
        miss = place_line(r, _thing(r, lx.SMALL + lx.FIXED)[0], place, room)
    return question, _distract(r, place_line(r, x, place, room)), _distract(r, miss)


def _attribute(r: random.Random):
    x, bare, other = _thing(r, lx.SMALL + lx.FIXED)
    verb = r.choice(["what colour is the {b}?", "what does the {b} look like?", "which {b} is it?", "what is the color of the {b}?", "describe the {b}"])
    if r.random() < 0.5:
        return verb.format(b=bare), f"the {bare} is {x[: -len(bare)].strip()}", f"the {r.choice(lx.SMALL)} is {x[: -len(bare)].strip()}"
    return f"is the {bare} {x[: -len(bare)].strip()}?", f"a {x}", f"a {other}"


def _relation(r: random.Random):
    rel, opposite, mirrored = r.choice(lx.RELATION_PAIRS)
    if r.random() < 0.4 and mirrored:
        rel, opposite = opposite, rel
        mirrored = {"right of": "left of", "to the right of": "to the left of", "behind": "in front of", "below": "above",
                    "under": "on", "underneath": "on top of", "far from": "far from", "away from": "away from"}.get(rel, mirrored)
    pool = lx.FIXED if rel in ("left of", "in front of") else lx.SMALL + lx.FIXED
    a, b = r.choice(pool), r.choice(lx.FIXED)
    same = r.choice(lx.RELATION_SYNONYMS.get(rel, [rel]))
    statement = r.choice(["the {a} is {rel} the {b}", "{a} {rel} {b}", "there is a {a} {rel} the {b}", "a {a} {rel} a {b}"])
    positive = statement.format(a=a, b=b, rel=rel)
    ask = r.choice(["what is {rel} the {b}?", "is the {a} {rel} the {b}?", "the {a} {rel} the {b}", "{a} {rel} {b}",
                    "where is the {a}? {rel} the {b}", "find the {a} {rel} the {b}", "a {a} that is {rel} the {b}"]).format(a=a, b=b, rel=same)
    if mirrored and mirrored != rel and r.random() < 0.25:
        ask = f"the {b} is {mirrored} the {a}"
        return ask, positive, statement.format(a=a, b=b, rel=opposite)
    if mirrored == rel or mirrored is None or r.random() < 0.5:
        return ask, positive, statement.format(a=a, b=b, rel=opposite)
    return ask, positive, statement.format(a=b, b=a, rel=rel)


def _state(r: random.Random):
    noun, states = r.choice([(r.choice(lx.OPENABLE), ["open", "closed", "locked", "unlocked"]), (r.choice(lx.SWITCHED), ["on", "off"]),
                             (r.choice(lx.FILLED), ["full", "empty"]), (r.choice(lx.FIXED), ["clean", "dirty", "wet", "dry"]),
                             (r.choice(lx.SMALL), ["hot", "cold", "clean", "dirty"])])
    state = r.choice(states)
    room = f" in the {r.choice(lx.ROOMS)}" if r.random() < 0.4 else ""
    say = r.choice(["the {n}{r} is {s}", "{n}{r}: {s}", "a {n}{r} that is {s}", "the {n}{r} was {s}", "{s} {n}{r}", "the {n}{r} became {s}"])
    ask = r.choice(["is the {n}{r} {s}?", "did I leave the {n}{r} {s}?", "which {n} is {s}?", "when was the {n}{r} {s}?", "the {n}{r} is {s}", "{s} {n}"])
    return (ask.format(n=noun, r=room, s=r.choice(SAME_STATE[state])), say.format(n=noun, r=room, s=state), say.format(n=noun, r=room, s=STATE[state]))


def _count(r: random.Random):
    noun = r.choice(lx.SMALL + lx.FIXED)
    plural = noun if noun.endswith("s") else noun + ("es" if noun.endswith(("x", "sh", "ch", "s")) else "s")
    (digit, word), (digit2, word2) = r.sample(lx.NUMBERS, 2)
    place = f" {r.choice(['on', 'near', 'next to'])} the {r.choice(lx.FIXED)}"
    if r.random() < 0.4:
        other = r.choice(lx.SMALL)
        return r.choice([f"how many {plural} are there{place}?", f"how many {plural} did you see?", f"count the {plural}"]), f"{word} {plural}{place}", f"{word} {other}s{place}"
    one, two = (digit, word) if r.random() < 0.5 else (word, digit)
    return f"{one} {plural}{place}", f"there are {two} {plural}{place}", f"there are {r.choice([digit2, word2])} {plural}{place}"


def _ego(r: random.Random):
    room, mark = r.choice(lx.ROOMS + ["building", "elevator", "shop", "house", "tunnel"]), r.choice(lx.FIXED)
    left, right = r.sample(["left", "right"], 2)
    return r.choice([
        (r.choice([f"when did you enter the {room}?", f"did you go into the {room}?", f"when did you get to the {room}?"]), f"the robot entered the {room}", f"the robot left the {room}"),
        (r.choice([f"when did you leave the {room}?", f"when did you exit the {room}?", f"where did you go out of the {room}?"]), f"the robot left the {room}", f"the robot entered the {room}"),
        (r.choice([f"where did you turn {left}?", f"when did you make a {left} turn?"]), f"the robot turned {left} at the {mark}", f"the robot turned {right} at the {mark}"),
        (r.choice([f"did you stop at the {mark}?", f"where did you stop?", f"when did you wait near the {mark}?"]), f"the robot stopped in front of the {mark}", f"the robot drove past the {mark}"),
        (r.choice([f"did you pass the {mark}?", f"when did you drive past the {mark}?"]), f"the robot passed the {mark}", f"the robot stopped at the {r.choice(lx.FIXED)}"),
        (r.choice(["where did you turn around?", "when did you go back?"]), f"the robot turned around near the {mark}", f"the robot went straight on past the {mark}"),
        (r.choice([f"how long were you in the {room}?", f"how much time did you spend in the {room}?"]), f"the robot was in the {room} for {r.choice(lx.NUMBERS)[1]} minutes", f"the robot was outside the {room}"),
        (r.choice(["did you go outside?", "when were you outdoors?"]), f"the robot is outside near the {mark}", f"the robot is inside the building near the {mark}")])


def _person(r: random.Random):
    who, doing, where = r.choice(lx.PEOPLE), r.choice(lx.ACTIVITIES), r.choice(lx.ROOMS + lx.FIXED)
    colour, other = r.sample(lx.COLOURS, 2)
    wear = r.choice(lx.WEAR)
    who2, doing2 = r.choice(lx.PEOPLE), r.choice(lx.ACTIVITIES)
    return r.choice([
        (r.choice([f"who was {doing}?", f"did you see anyone {doing}?", f"is somebody {doing}?", f"someone {doing}"]), _distract(r, f"a {who} is {doing} near the {where}"), f"a {who} is {doing2} near the {where}"),
        (r.choice([f"what was the {who} doing?", f"did you see a {who}?", f"where was the {who}?"]), f"a {who} in a {colour} {wear} is {doing}", f"a {who2} in a {colour} {wear} is {doing}"),
        (r.choice([f"who wears a {colour} {wear}?", f"the {who} with the {colour} {wear}", f"did you see a person wearing a {colour} {wear}?"]), f"a {who} in a {colour} {wear} is {doing}", f"a {who} in a {other} {wear} is {doing}"),
        (f"is anyone in the {where}?", f"a {who} is {doing} in the {where}", f"nobody is in the {where}")])


def _moved(r: random.Random):
    x = r.choice(lx.SMALL)
    a, b = r.sample(lx.FIXED, 2)
    return r.choice([
        (r.choice([f"who moved the {x}?", f"was the {x} moved?", f"where was the {x} before?"]), f"the {x} was moved from the {a} to the {b}", f"the {x} stayed on the {a}"),
        (r.choice([f"what was put on the {b}?", f"what appeared on the {b}?"]), f"a {x} appeared on the {b}", f"a {x} disappeared from the {b}"),
        (r.choice([f"is the {x} gone?", f"what is missing from the {a}?", f"what was taken from the {a}?"]), f"the {x} disappeared from the {a}", f"the {x} appeared on the {a}"),
        (f"the {x} went from the {a} to the {b}", f"the {x} was moved from the {a} to the {b}", f"the {x} was moved from the {b} to the {a}")])


def _room(r: random.Random):
    room, other = r.sample(lx.ROOMS, 2)
    x, y = r.choice(lx.FIXED), r.choice(lx.SMALL)
    return (r.choice(ASK_ROOM).format(r=room), r.choice([f"{room} with a {x} and a {y}", f"the {room} has a {x}", f"in the {room} there is a {x} and a {y}"]),
            r.choice([f"{other} with a {x} and a {y}", f"the {other} has a {x}"]))


MODIFIERS = frozenset(w for part in (lx.COLOURS, lx.MATERIALS, lx.SIZES) for item in part for w in item.split())


def noun_phrases(text: str, nouns: frozenset[str]) -> list[str]:
    """Spans of modifiers and known nouns that end in a known noun."""
    out, span = [], []
    for w in words(text) + ["the"]:
        if w in MODIFIERS or w in nouns:
            span.append(w)
            continue
        while span and span[-1] not in nouns:
            span.pop()
        if span:
            out.append(" ".join(span[-3:]))
        span = []
    return out


def ask_captions(groups: list[list[str]], nouns: frozenset[str], n: int, seed: int):
    """Yield (group, question, caption): what would be asked to find this picture again."""
    r = random.Random(seed)
    made = 0
    while made < n:
        g = r.randrange(len(groups))
        texts = groups[g]
        source = r.choice(texts)
        phrases = noun_phrases(source, nouns)
        if not phrases:
            continue
        asked = r.choice(phrases)
        if r.random() < 0.2 and len(phrases) > 1:
            asked = f"{asked} and the {r.choice(phrases)}"
        target = source if r.random() < 0.65 else r.choice(texts)
        if r.random() < 0.35:
            target = f"{target} {r.choice(texts)}"
        yield g, r.choice(ASK_WHERE).format(x=asked), target
        made += 1


def ask_glosses(glosses: list[tuple[str, str]], n: int, seed: int):
    """Yield (question, statement): an object asked for by its dictionary meaning."""
    r = random.Random(seed)
    for _ in range(n):
        word, gloss = r.choice(glosses)
        ask = r.choice(["what is {g}?", "where can I find {g}?", "I need {g}", "is there {g}?", "{g}", "find {g}"]).format(g=gloss)
        yield ask, place_line(r, word, r.choice(lx.FIXED), r.choice(lx.ROOMS) if r.random() < 0.5 else None)
