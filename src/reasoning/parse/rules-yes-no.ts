import type { Relation, Subgoal } from "../need.ts";
import { type Draft, draft, goal, thingIn } from "./ask-kinds.ts";
import { COLOURS, COMPARATIVES, EGO_VERBS, MATERIALS, STATES } from "./lexicon.ts";
import { readPhrase, startsWithRelation } from "./noun-phrase.ts";
import { afterVerb } from "./rules-what.ts";

/** Rules for questions that begin with a verb: is, are, did, does, can, will, have. */
export function readYesNo(text: string): Draft | undefined {
  const match =
    /^(is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|should|might|may)\b\s*(.*)$/.exec(
      text,
    );
  if (!match) return undefined;
  const negated = /^(?:not|n't)\b/.test(match[2]!);
  const rest = match[2]!.replace(/^not\s+/, "");
  const made = readBy(match[1]!, rest);
  return made && (negated ? { ...made, negated: true } : made);
}

function readBy(verb: string, rest: string): Draft | undefined {
  if (/^(?:will|would)$/.test(verb)) {
    const thing = readPhrase(rest);
    if (thing && !/^(?:i|you|we)\b/.test(rest)) return draft("predict", "binary", [goal(thing)]);
  }
  if (/^(?:can|could|may|might|should)$/.test(verb) || (verb === "would" && /^(?:i|you|we|it)\b/.test(rest)))
    return readCan(rest);
  if (/^(?:did|have|has|had|do|does)$/.test(verb)) return readDid(rest);
  return readThere(rest) ?? readIs(rest);
}

/** "is there a mug on the table", "are there any chairs", "is there room on my desk". */
function readThere(rest: string): Draft | undefined {
  const match = /^there\b\s*(?:still |also |currently )?(.*)$/.exec(rest);
  if (!match) return undefined;
  const after = match[1]!;
  const room =
    /^(?:enough |sufficient |any |some |still |more |free )*(?:room|space|capacity)\b\s*(?:left )?(.*)$/.exec(
      after,
    );
  if (room) {
    const place = readPhrase(`object ${room[1]!}`);
    const fits = /\b(?:for|to (?:add|put|place|fit|park|store))\s+(.*)$/.exec(room[1]!);
    const thing = fits ? readPhrase(fits[1]!) : undefined;
    return draft("capacity", "binary", [
      thing
        ? goal(thing)
        : {
            ...goal(readPhrase("space")),
            relations: place?.relations ?? [],
            ...(place?.region && { region: place.region }),
          },
    ]);
  }
  const somewhere =
    /^(?:somewhere|some place|a place|any place|anywhere|a spot|something|anything|an object|a thing|a room)\b(.*)$/.exec(
      after,
    );
  const use = somewhere
    ? /\b(?:i can|i could|you can|we can|to|for|where i can|where i could)\s+(?:use (?:to|for) )?(.*)$/.exec(
        somewhere[1]!,
      )
    : null;
  if (use) return draft("function", "binary", [goal(thingIn(use[1]!))], { verb: use[1]!, level: "implicit" });
  const thing = readPhrase(after);
  if (!thing) return undefined;
  const compare = /^\s*(?:more|fewer|less)\b/.exec(after);
  if (compare) return readMore(after);
  return draft("exist", "binary", [goal(thing)], { quantifier: "any", alternatives: orAt(thing.rest) });
}

/** "are there more chairs in the kitchen than in the hall". */
function readMore(after: string): Draft | undefined {
  const match = /^(more|fewer|less)\s+(.*?)\s+than\s+(.*)$/.exec(after);
  if (!match) return undefined;
  const first = readPhrase(match[2]!);
  const second = startsWithRelation(match[3]!)
    ? readPhrase(`${first?.description.phrase ?? "object"} ${match[3]!}`)
    : readPhrase(match[3]!);
  if (!first || !second) return undefined;
  return draft("compare", "binary", [goal(first), goal(second)], {
    compare: { op: match[1] === "more" ? "more" : "less", dimension: "count" },
  });
}

/** "is the door open", "is the mug on the table", "is the sofa bigger than the bed". */
function readIs(rest: string): Draft | undefined {
  const ego = /^(?:i|you|we)\b\s*(.*)$/.exec(rest);
  if (ego) {
    const still = thingIn(afterVerb(ego[1]!));
    return draft("ego", "binary", [goal(still)], { verb: EGO_VERBS[ego[1]!.split(" ")[0]!] ?? "stay" });
  }
  const some = /^(any|some|one|all|each|every one|none) of\s+(?=(?:the|my|your|these|those|our)\b)/.exec(
    rest,
  );
  if (some) {
    const made = readIs(rest.slice(some[0].length));
    return made && { ...made, quantifier: /all|each|every/.test(some[1]!) ? "all" : "any" };
  }
  const subject = readSubject(rest);
  if (!subject) return undefined;
  const { things, predicate } = subject;
  const first = things[0]!;
  const after = predicate.replace(
    /^(?:still|currently|now|also|always|already|both|all|usually|really|switched|turned|plugged|left|completely|fully)\s+/g,
    "",
  );
  const comparison = readComparison(things, after);
  if (comparison) return comparison;
  const same =
    /^(?:in|on|of|at)?\s*(?:the )?same\s+([a-z]+)/.exec(after) ?? /^(?:(identical)|(alike))\b/.exec(after);
  if (same || /\bsame\b/.test(after)) {
    const what = same?.[1] ?? "colour";
    const dimension = /colou?r/.test(what)
      ? "colour"
      : /material/.test(what)
        ? "material"
        : /size|height|tall/.test(what)
          ? "size"
          : "place";
    return draft("relate", "binary", things, { compare: { op: "same", dimension } });
  }
  const made = optionsOf(after, MATERIALS) ? "material" : optionsOf(after, COLOURS) ? "colour" : undefined;
  if (made) return draft("attribute", "text", [{ ...first, property: made }]);
  const options = orAt(after);
  const state = stateIn(after);
  if (options.length >= 2) {
    const isState = options.some((option) => STATES[option] !== undefined);
    const isColour = options.some((option) => COLOURS.has(option));
    return draft(
      isState ? "state" : isColour ? "attribute" : "state",
      "text",
      [isColour ? { ...first, property: "colour" } : first],
      { alternatives: options },
    );
  }
  const relation = startsWithRelation(after);
  if (relation && relation[1] !== "with") {
    const read = readPhrase(`object ${after}`);
    if (read && (read.relations.length > 0 || read.region)) {
      const stranded = read.relations.some(({ anchor }) => anchor !== undefined) || read.region;
      if (stranded)
        return draft(/^(?:any|an?|some)\b/.test(rest) ? "exist" : "relate", "binary", [
          {
            ...first,
            relations: [...first.relations, ...read.relations],
            ...(read.region && { region: read.region }),
          },
        ]);
    }
  }
  const between = /^(?:to |on )?(?:my|your|the) (left|right)\b/.exec(after);
  if (between) {
    const ego: Relation = { predicate: between[1] as "left" | "right", frame: { kind: "ego" } };
    return draft("relate", "binary", [{ ...first, relations: [...first.relations, ego] }]);
  }
  if (state)
    return draft("state", "binary", [{ ...first, property: state.attribute }], {
      alternatives: [state.value],
    });
  const word = after.split(" ")[0]!;
  if (COLOURS.has(word) || MATERIALS.has(word)) {
    return draft("attribute", "binary", [{ ...first, property: COLOURS.has(word) ? "colour" : "material" }], {
      alternatives: [word],
    });
  }
  if (
    /^(?:moving|walking|driving|running|going|turning|rotating|spinning|carried|being carried)\b/.test(after)
  )
    return draft("motion", "binary", [first], { verb: word });
  if (
    /^(?:been )?(?:moved|displaced|relocated|taken away|carried away|put somewhere|rearranged|shifted)\b/.test(
      after,
    )
  )
    return draft("change", "binary", [first], { verb: "move" });
  if (/^(?:there|here|present|visible|around|gone|missing|where)\b/.test(after) || after === "")
    return draft("exist", "binary", [first], { quantifier: "any" });
  return draft("state", "binary", [{ ...first, property: word }], { alternatives: [after] });
}

/** The subject of "is …" and what is said of it: the phrase is read short, since its place may be the question. */
function readSubject(rest: string): { things: Subgoal[]; predicate: string } | undefined {
  const full = readPhrase(rest);
  if (!full) return undefined;
  const and = /^\s*(?:,|and)\s+((?:the|a|an|my|your|this|that|both)\b.*)$/.exec(full.rest);
  const second = and ? readPhrase(and[1]!) : undefined;
  if (second) {
    const short = second.rest.trim() === "" ? shortSubject(and![1]!) : undefined;
    return short
      ? { things: [goal(full), ...short.things], predicate: short.predicate }
      : { things: [goal(full), goal(second)], predicate: second.rest.trim() };
  }
  const leftover = full.rest.replace(/^[\s,)]+/, "");
  if (leftover !== "") return { things: [goal(full)], predicate: leftover };
  // Nothing is left to be asked: the last words of the phrase are the question ("is the tv on", "is the door open").
  return shortSubject(rest);
}

function shortSubject(rest: string): { things: Subgoal[]; predicate: string } | undefined {
  const words = rest.split(" ");
  const last = words.at(-1)!;
  if (
    STATES[last] !== undefined ||
    COLOURS.has(last) ||
    MATERIALS.has(last) ||
    /^(?:still|there|here|visible|moving|walking)$/.test(last) ||
    /(?:ed|ing)$/.test(last)
  ) {
    const thing = readPhrase(
      words
        .slice(0, -1)
        .join(" ")
        .replace(/\s+(?:switched|turned|plugged|still|fully|completely|currently|now)$/, ""),
    );
    if (thing) return { things: [goal(thing)], predicate: last };
  }
  // The first relation is the question: "is the mug on the table".
  const bare = readPhrase(rest);
  if (!bare) return undefined;
  const relation = firstRelationIn(rest);
  if (relation !== undefined) {
    const thing = readPhrase(rest.slice(0, relation).trim());
    if (thing) return { things: [goal(thing)], predicate: rest.slice(relation).trim() };
  }
  if (words.length > 2) {
    const thing = readPhrase(words.slice(0, -1).join(" "));
    if (thing) return { things: [goal(thing)], predicate: last };
  }
  return { things: [goal(bare)], predicate: "" };
}

/** Where the last relation phrase that has something after it starts. */
function firstRelationIn(text: string): number | undefined {
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    const found = startsWithRelation(text.slice(at + 1));
    if (found && found[1] !== "with") return at + 1;
  }
  return undefined;
}

function stateIn(after: string): { attribute: string; value: string } | undefined {
  const half = /^half[- ](?:full|empty)/.exec(after);
  if (half) return { attribute: "fill", value: "half-full" };
  const words = after.replace(/^(?:switched|turned|plugged)\s+/, "").split(" ");
  return STATES[words[0]!];
}

/** "wood, metal, plastic, or something else": any of them, or another. */
function optionsOf(text: string, known: ReadonlySet<string>): boolean {
  const options = text.split(/,\s*(?:or )?|\s+or\s+/).filter((one) => one !== "");
  return (
    options.length > 1 &&
    options.every(
      (one, n) =>
        known.has(one) || (n > 0 && /^(?:what|something else|some other (?:material|colour))\b/.test(one)),
    )
  );
}

function orAt(text: string): string[] {
  const match =
    /^([a-z -]+?)(?:,\s*([a-z -]+?))?,?\s+or\s+(?:is it |are they |rather )?([a-z -]+?)(?:\s+(?:of|in|at|now|right)\b.*)?$/.exec(
      text.trim(),
    );
  if (!match) return [];
  const options = [match[1], match[2], match[3]]
    .filter((option) => option !== undefined)
    .map((option) => option.trim());
  return options.at(-1) === "not" ? [] : options;
}

function readComparison(things: Subgoal[], after: string): Draft | undefined {
  const match = /^(?:much |a lot |far )?([a-z]+)\b(.*)$/.exec(after);
  const comparative = match ? COMPARATIVES[match[1]!] : undefined;
  if (!match || !comparative) return undefined;
  const twoEnds = /^\s*(?:to|from)\s+(.+?)\s+than\s+(?:it is )?(?:to|from)\s+(.*)$/.exec(match[2]!);
  const ends = twoEnds ? [readPhrase(twoEnds[1]!), readPhrase(twoEnds[2]!)] : [];
  if (ends[0] && ends[1] && comparative.dimension === "distance")
    return draft("compare", "binary", [goal(ends[0]), goal(ends[1])], {
      compare: { ...comparative, to: things[0]!.target },
    });
  const than = /\bthan\s+(.*)$/.exec(match[2]!);
  const to = /^\s*(?:to|from)\s+(.*?)(?:\s+than\b|$)/.exec(match[2]!);
  const other = than ? readPhrase(than[1]!) : undefined;
  const anchor = to ? readPhrase(to[1]!) : undefined;
  return draft("compare", "binary", [...things, ...(other ? [goal(other)] : [])], {
    compare: {
      op: comparative.op,
      dimension: comparative.dimension,
      ...(anchor && { to: anchor.description }),
    },
  });
}

const TELLING =
  /^you (?:please |perhaps |maybe )?(?:tell|say|name|confirm|check|verify|estimate|give|list|recall|remember|remind|work out|figure out|find out|describe|show|identify|point|specify|state|explain|guess|judge|gauge|count|look up|let me)\b/;

/** "can I put something big under my bed", "can you see a mug". */
function readCan(rest: string): Draft | undefined {
  // Whoever is asked to tell is asked for what follows.
  if (TELLING.test(rest)) return undefined;
  const see = /^(?:you|i|we)\s+(?:still )?(?:see|find|spot|notice)\s+(.*)$/.exec(rest);
  const seen = see ? readPhrase(see[1]!) : undefined;
  if (seen) return draft("exist", "binary", [goal(seen)], { quantifier: "any" });
  const fit =
    /^(?:i|you|we|it|one)?\s*(?:fit|put|place|park|store|squeeze|add)\s+(.*)$/.exec(rest) ??
    /^(.+?)\s+fit\b(.*)$/.exec(rest);
  if (fit) return draft("capacity", "binary", [goal(readPhrase(fit[1]!))], { verb: "fit" });
  const use = /^(?:i|you|we|one|someone)\s+(.*)$/.exec(rest);
  if (!use) return undefined;
  const thing = readPhrase(
    use[1]!.replace(/^[a-z]+\s+(?:comfortably\s+)?(?:on|off|in|at|up|with|from)?\s*/, ""),
  );
  return draft("function", "binary", [goal(thing)], { verb: use[1]!, level: "implicit" });
}

/** "did you stop", "have you seen a dog", "does the house have a garage", "did anyone move the cup". */
function readDid(rest: string): Draft | undefined {
  const seen =
    /^(?:i|you|we|the robot|anyone|anybody|someone)\s+(?:ever |just |also |still )?(?:see|saw|seen|spot|spotted|notice|noticed|find|found|observe|observed|encounter|encountered|come across|have|pass by|meet|met)\s+(.*)$/.exec(
      rest,
    );
  const thing = seen ? readPhrase(seen[1]!) : undefined;
  if (thing) return draft("exist", "binary", [goal(thing)], { quantifier: "any" });
  const ego = /^(?:i|you|we|the robot)\s+(?:ever |just |also |have to )?([a-z]+)\b\s*(.*)$/.exec(rest);
  if (ego && EGO_VERBS[ego[1]!]) {
    const turn = /^(left|right|around|back)\b/.exec(ego[2]!);
    const target = readPhrase(
      ego[2]!
        .replace(/^(?:left|right|around)\s*/, "")
        .replace(/^(?:at|by|past|in|into|to|through|from|near|inside|out of)\s+/, ""),
    );
    return draft("ego", "binary", [goal(target)], {
      verb: EGO_VERBS[ego[1]!]!,
      alternatives: turn ? [turn[1]!] : [],
    });
  }
  const moved =
    /^(?:anyone|anybody|someone|somebody|anything|something)\s+(?:move|moved|take|taken|took|remove|removed|change|changed|open|opened|touch|touched)\s*(.*)$/.exec(
      rest,
    );
  if (moved) return draft("change", "binary", [goal(readPhrase(moved[1]!))], { verb: "move" });
  const subject = readPhrase(rest);
  if (!subject) return undefined;
  const has = /^\s*(?:have|has|had|contain|contains|include|own)\s+(.*)$/.exec(subject.rest);
  const part = has ? readPhrase(has[1]!) : undefined;
  if (part)
    return draft("exist", "binary", [goal(part, { region: subject.description })], { quantifier: "any" });
  if (
    /^\s*(?:been )?(?:move|moved|moving|walk|turn|drive|rotate|go|change|changed|disappear|disappeared|appear|appeared|fall|fallen|been moved)\b/.test(
      subject.rest,
    )
  ) {
    const change = /chang|disappear|appear|moved/.test(subject.rest);
    return draft(change ? "change" : "motion", "binary", [goal(subject)], {
      verb: subject.rest.trim().split(" ")[0]!,
    });
  }
  const words = subject.rest.trim().split(" ");
  return draft("state", "binary", [goal(subject, { property: words[0] || "state" })], {
    alternatives: words[0] ? [subject.rest.trim()] : [],
  });
}
