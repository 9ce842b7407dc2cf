"""One pair → a variant of it: other nouns, other people, words around it, slips of the pen, two questions in one."""

import random

KIND = {"thing": 1, "room": 2, "colour": 4, "material": 8, "attribute": 16, "name": 32, "quoted": 64, "plural": 512}
VOWELS = "aeiou"
MARKS = (">>", "[options]", "[shown]")


def slots(target):
    """Which spans of the question are names, and of what kind: {(first, last): kind}."""
    found, ops, option = {}, [], None
    run = []

    def close():
        nonlocal run
        if run and option and run == list(range(run[0], run[0] + len(run))):
            kind = kind_of(ops[-1] if ops else "", option, target)
            if kind:
                found.setdefault((run[0], run[-1]), kind)
        run = []

    for token in target:
        if token.startswith("@"):
            run.append(int(token[1:]))
            continue
        close()
        if token.endswith("("):
            ops.append(token[:-1])
        elif token == ")":
            ops.pop()
        elif token.endswith(":"):
            option = token[:-1]
    close()
    return found


def kind_of(op, option, target):
    if option == "category":
        return "thing"
    if option == "name":
        return {"rooms": "room", "things": "person", "called": "code"}.get(op)
    if option in ("colour", "material"):
        return option
    if option == "value":
        for kind in ("colour", "material"):
            if f'="{kind}"' in target:
                return kind
    return None


def moved(target, at, length, by):
    """Copies of places after a span that has grown."""
    def one(token):
        if not token.startswith("@"):
            return token
        place = int(token[1:])
        return f"@{place + by}" if place >= at + length else token

    return [one(token) for token in target]


def replaced(target, first, last, length):
    """Copies of one span by those of as many words as now stand there."""
    out, skip = [], 0
    for n, token in enumerate(target):
        if skip:
            skip -= 1
            continue
        span = [f"@{i}" for i in range(first, last + 1)]
        if target[n : n + len(span)] == span:
            out += [f"^{first + i}" for i in range(length)]
            skip = len(span) - 1
        else:
            out.append(token)
    return out


def stands_whole(target, first, last):
    """Whether a span is only ever copied whole: a part of it has no place in another name."""
    span = [f"@{i}" for i in range(first, last + 1)]
    whole = sum(target[n : n + len(span)] == span for n in range(len(target)))
    return sum(token in span for token in target) == whole * len(span)


class Augmenter:
    def __init__(self, names, around, pairs, seed):
        self.names, self.around, self.pairs = names, around, pairs
        self.random = random.Random(seed)

    def variant(self):
        r = self.random
        pair = r.choice(self.pairs)
        w, k, t = self.swapped(pair)
        if r.random() < 0.05 and joinable(w, t):
            w2, k2, t2 = self.swapped(r.choice(self.pairs))
            if joinable(w2, t2) and "refuse(" not in t + t2:
                w, k, t = joined(w, k, t, w2, k2, t2, r)
        if r.random() < 0.2 and self.around["before"]:
            w, k, t = self.before(w, k, t)
        if r.random() < 0.06 and self.around["after"]:
            more = r.choice(self.around["after"])
            w, k = w + more["w"], k + more["k"]
        if r.random() < 0.2:
            w, k = list(w), list(k)
            self.slips(w, k)
        return self.marks(w, k, t)

    def swapped(self, pair):
        r = self.random
        w, k, t = list(pair["w"]), list(pair["k"]), list(pair["t"])
        if r.random() < 0.25:
            return w, k, t
        spans = sorted(slots(t).items(), reverse=True)
        taken = set()
        for (first, last), kind in spans:
            if any(i in taken for i in range(first, last + 1)) or not stands_whole(t, first, last) or r.random() < 0.2:
                continue
            taken.update(range(first, last + 1))
            if kind == "code" and last > first:
                kind = "numbered"
            name = r.choice(self.names[kind])
            many = k[last] & KIND["plural"] and kind in ("thing", "room")
            words, kinds = (name["many"], name["manyKinds"]) if many else (name["one"], name["oneKinds"])
            quoted = k[first] & KIND["quoted"]
            if first > 0 and w[first - 1] in ("a", "an"):
                w[first - 1] = "an" if words[0][0] in VOWELS else "a"
            t = replaced(t, first, last, len(words))
            t = moved(t, first, last - first + 1, len(words) - (last - first + 1))
            t = [f"@{x[1:]}" if x.startswith("^") else x for x in t]
            w[first : last + 1] = words
            k[first : last + 1] = [x | quoted for x in kinds]
        return w, k, t

    def before(self, w, k, t):
        r = self.random
        more = r.choice(self.around["before"])
        more = {"w": list(more["w"]), "k": list(more["k"])}
        if more["w"][-1] in ".!" and r.random() < 0.5:
            # A remark that runs on into the question.
            joint = r.choice([[",", "so"], ["and"], [",", "but"], [","], [",", "and"], [",", "so", "tell", "me"]])
            more["w"][-1:] = joint
            more["k"][-1:] = [0 if x == "," else 256 for x in joint]
        if r.random() < 0.15:
            first = r.choice(self.around["before"])
            more = {"w": first["w"] + more["w"], "k": first["k"] + more["k"]}
        # Behind the marks: what is said before a question is said after the one before it.
        at = max((i + 1 for i, x in enumerate(w) if x in MARKS), default=0)
        by = len(more["w"])
        t = [f"@{int(x[1:]) + by}" if x.startswith("@") and int(x[1:]) >= at else x for x in t]
        return w[:at] + more["w"] + w[at:], k[:at] + more["k"] + k[at:], t

    def slips(self, w, k):
        r = self.random
        for i, word in enumerate(w):
            if len(word) < 4 or not word.isalpha() or r.random() > 0.15:
                continue
            at = r.randrange(1, len(word) - 1)
            how = r.randrange(4)
            if how == 0:
                word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            elif how == 1:
                word = word[:at] + word[at + 1 :]
            elif how == 2:
                word = word[:at] + word[at] + word[at:]
            else:
                word = word[:at] + r.choice("aeioustrn") + word[at + 1 :]
            w[i], k[i] = word, k[i] & (KIND["name"] | KIND["quoted"])

    def marks(self, w, k, t):
        r = self.random
        drop = set()
        if r.random() < 0.15:
            drop.update(i for i, x in enumerate(w) if x == ",")
        if r.random() < 0.2 and w and w[-1] in "?.!":
            drop.add(len(w) - 1)
        if r.random() < 0.3:
            k = [x & ~KIND["name"] if r.random() < 0.5 else x for x in k]
        if not drop or any(int(x[1:]) in drop for x in t if x.startswith("@")):
            return w, k, t
        place, n = {}, 0
        for i in range(len(w)):
            place[i] = n
            n += i not in drop
        t = [f"@{place[int(x[1:])]}" if x.startswith("@") else x for x in t]
        return [x for i, x in enumerate(w) if i not in drop], [x for i, x in enumerate(k) if i not in drop], t


def joinable(w, t):
    return len(w) < 20 and ";;" not in t and "recall(" not in t and not any(x in MARKS for x in w)


def joined(w, k, t, w2, k2, t2, r):
    if w and w[-1] in "?.!" and r.random() < 0.7:
        w, k = w[:-1], k[:-1]
        between = r.choice([["and"], [",", "and"], [","]])
    else:
        between = r.choice([[], ["and"]])
    by = len(w) + len(between)
    t2 = [f"@{int(x[1:]) + by}" if x.startswith("@") else x for x in t2]
    return w + between + w2, k + [256 if x == "and" else 0 for x in between] + k2, t + [";;"] + t2
