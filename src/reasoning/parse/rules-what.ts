import type { Subgoal } from "../need.ts";
import { type Draft, draft, goal, thingIn, UNKNOWN, unknownAt } from "./ask-kinds.ts";
import { COMPARATIVES, EGO_VERBS, GENERIC, PROPERTIES } from "./lexicon.ts";
import { isRoom, readPhrase, startsWithRelation } from "./noun-phrase.ts";

const PROPERTY = Object.keys(PROPERTIES).join("|");
const BE = "(?:is|are|was|were|has been|have been|will be|do|does|did)";

/** Rules for "what" and "which", most particular first. */
export function readWhat(text: string): Draft | undefined {
  const match = /^(?:(?:in|on|at|to|from|of|by|for|into|through) )?(what|which|who|whose)\b\s*(.*)$/.exec(
    text,
  );
  if (!match) return undefined;
  const wh = match[1]!;
  const rest = match[2]!.replace(/^else\s+/, "");
  const preposition = /^(in|on|at|to|from|into|through)\b/.exec(text)?.[1];
  return (
    readChange(rest) ??
    readCarry(rest) ??
    readEgoWhat(rest) ??
    readDirection(rest) ??
    readTime(rest) ??
    readRoom(rest, preposition) ??
    readProperty(rest) ??
    readComparison(rest) ??
    readNeed(rest) ??
    readPlaceKind(rest) ??
    readKind(rest, wh, preposition) ??
    readRecognise(rest, wh)
  );
}

function readChange(rest: string): Draft | undefined {
  const match =
    /^(?:things? |objects? |items? )?(?:has |have |had |is |was |were |are |got |did )?(?:been )?(changed|moved|different|new|missing|gone|removed|disappeared|vanished|added|appeared|taken away|rearranged|change|move|disappear|appear)\b(.*)$/.exec(
      rest,
    ) ??
    /^(?:is|are|was|were) (?:the )?(?:changes?|differences?)\b()(.*)$/.exec(rest) ??
    /^(?:things?|objects?|items?) (?:changed|moved|disappeared|appeared)()(.*)$/.exec(rest);
  if (!match) return undefined;
  const where = readPhrase(match[2]!.replace(/^\s*(?:in|at|inside|within)\s+/, "").trim());
  return draft("change", "set", [goal(undefined, where ? { region: where.description } : {})], {
    quantifier: "all",
    verb: match[1] || "change",
  });
}

function readCarry(rest: string): Draft | undefined {
  const match =
    /^(?:object |thing |item )?(?:is|was|were|are|did|has|had)\s+(.+?)\s+(?:last )?(?:carry|carrying|carried|holding|hold|transporting|bringing|taking|been carrying)\b(.*)$/.exec(
      rest,
    );
  const who = match ? readPhrase(match[1]!) : undefined;
  return who && draft("carry", "text", [goal(who)], { verb: "carry" });
}

function readEgoWhat(rest: string): Draft | undefined {
  const order =
    /^(?:(?:object|thing|item|room|place|landmark)s? )?(?:did|do|have|had) (?:i|you|we|the robot) (?:(see|saw|seen|notice|spot|observe|encounter|find)|([a-z]+))\b\s*(.*)$/.exec(
      rest,
    );
  if (!order) return undefined;
  const [, sees, verb, after = ""] = order;
  if (verb !== undefined && EGO_VERBS[verb] === undefined && verb !== "do") return undefined;
  const where = thingIn(after.replace(/^(?:by|past|at|in|into|to|through)\s+/, ""));
  const head =
    /^(?:object|thing|item)/.test(rest) || !/^[a-z]+ (?:did|do|have|had)/.test(rest)
      ? undefined
      : thingIn(rest.split(" ")[0]!);
  const relation = startsWithRelation(after);
  const placed = relation ? readPhrase(`object ${after}`) : undefined;
  const subgoal: Subgoal =
    placed && placed.relations.length > 0
      ? unknownAt(placed.relations, placed.region, head?.description)
      : goal(head, placed?.region ? { region: placed.region } : where ? { region: where.description } : {});
  if (sees !== undefined) return draft(relation ? "recognise" : "order", "text", [subgoal], { verb: "see" });
  return draft("ego", "text", [goal(head ?? where)], { verb: EGO_VERBS[verb!] ?? verb! });
}

function readDirection(rest: string): Draft | undefined {
  const ego =
    /^(?:way|direction)\b\s*(?:did|do|have|were|was|are|had)\s+(?:i|you|we|the robot)\s+([a-z]+)\b(.*)$/.exec(
      rest,
    );
  if (ego)
    return draft("ego", "text", [goal(thingIn(ego[2]!.replace(/^\s*(?:at|by|past|in|into|to)\s+/, "")))], {
      verb: EGO_VERBS[ego[1]!] ?? ego[1]!,
    });
  const motion =
    /^(?:way|direction)\b\s*(?:is|was|did|does|were|are)\s+(.+?)\s+(?:go|going|move|moving|walk|walking|drive|driving|turn|turning|head|heading|travel|travelling|traveling|rotate|rotating|spin|spinning|run|running|fly|flying|facing|face)\b/.exec(
      rest,
    );
  const mover = motion ? thingIn(motion[1]!) : undefined;
  if (mover) return draft("motion", "motion", [goal(mover)], { verb: "move" });
  const towards = /^(?:way|direction|side)\b\s*(?:of .+? )?(?:is|was|are|were)\s+(.*)$/.exec(rest);
  const thing = towards ? thingIn(towards[1]!) : undefined;
  return thing && draft("direction", "text", [goal(thing)]);
}

function readTime(rest: string): Draft | undefined {
  const match =
    /^(?:time|day|date|hour|moment)\b(?: of day)?\s*(?:is|was|were|did|do|have|has|had)?\s*(?:i|you|we|it)?\s*(?:that |when )?(.*)$/.exec(
      rest,
    );
  if (!match || !/^(?:time|day|date|hour|moment)\b/.test(rest)) return undefined;
  return draft("when", "time", [goal(thingIn(afterVerb(match[1]!)))], egoVerb(match[1]!));
}

/** "which room is the orchid in", "in which room", "on which floor". */
function readRoom(rest: string, preposition: string | undefined): Draft | undefined {
  const match = /^(room|floor|level|storey|area|part of the house|rooms)\b\s*(.*)$/.exec(rest);
  if (!match) return undefined;
  const after = match[2]!;
  const be =
    /^(?:is|are|was|were|did|do|does|has|have|can|could)\s+(?:(?:i|you|we)\s+(?:last |first )?(?:see|find|saw|spot|notice|leave|put|left)\s+)?(.*)$/.exec(
      after,
    );
  if (!be) return undefined;
  const thing = readPhrase(be[1]!);
  if (/^(?:this|that|it|i|you|we|here)\b/.test(be[1]!) && (!thing || be[1]!.length < 12)) {
    return draft("room", "text", [goal(undefined)]);
  }
  if (!thing) return undefined;
  if (COMPARATIVES[thing.description.head]) return undefined;
  const comparative = firstComparative(after);
  if (comparative && !thing.description.phrase.includes(comparative.word)) return undefined;
  if (preposition === undefined && /^(?:has|have)\b/.test(after)) {
    return draft("locate", "text", [goal(thing, { property: match[1]! })], {
      quantifier: firstComparative(after) ? "superlative" : "one",
    });
  }
  return draft("locate", "text", [goal(thing, { property: match[1]!.replace(/s$/, "") })]);
}

/** "what colour is the couch", "what is the colour of", "what are colours of". */
function readProperty(rest: string): Draft | undefined {
  const direct = new RegExp(`^(${PROPERTY})\\b\\s*(?:${BE})\\s+(.*)$`).exec(rest);
  const of = new RegExp(
    `^(?:${BE})\\s+(?:the |their |its )?(?:[a-z]+ )?(${PROPERTY})\\b\\s*(?:of|on|printed on|written on)\\s+(.*)$`,
  ).exec(rest);
  const written =
    /^(?:is|are|was|were|does|do)\s+(?:it )?(?:(?:written|printed|said) on|say on)\s+(.*)$/.exec(rest) ??
    /^does\s+(.+?)\s+(?:say|read)$/.exec(rest);
  const made = /^(?:is|are|was|were)\s+(.+?)\s+made (?:of|from|out of)$/.exec(rest);
  const property = direct ?? of;
  const thing = property
    ? thingIn(property[2]!)
    : (written ?? made)
      ? thingIn((written ?? made)![1]!)
      : undefined;
  if (!thing) return undefined;
  const name = property ? PROPERTIES[property[1]!]! : written ? "text" : "material";
  const sized = ["height", "width", "length", "depth", "longest"].includes(name);
  if (name === "state") return draft("state", "text", [goal(thing)]);
  return draft(sized ? "size" : "attribute", sized ? "quantity" : "text", [goal(thing, { property: name })]);
}

function firstComparative(text: string): { word: string; at: number } | undefined {
  for (const match of text.matchAll(/\b[a-z]+\b/g))
    if (COMPARATIVES[match[0]]) return { word: match[0], at: match.index };
  return undefined;
}

/** "which is bigger, the sofa or the bed", "which chair is closest to the door". */
function readComparison(rest: string): Draft | undefined {
  const found = firstComparative(rest);
  if (!found || startsWithRelation(rest.replace(/^(?:is|are|was|were) (?:directly |right )?/, "")))
    return undefined;
  const { op, dimension } = COMPARATIVES[found.word]!;
  const after = rest.slice(found.at + found.word.length);
  const noun = dimension === "count" ? readPhrase(after.trim()) : undefined;
  const to = dimension === "distance" ? /^\s*(?:to|from)\s+(.*)$/.exec(after) : null;
  const anchor = to ? readPhrase(to[1]!.replace(/^(?:me|us|you)\b/, "")) : undefined;
  const list = alternativesIn(rest);
  const head = readPhrase(
    rest
      .replace(/^(?:of|one of)\s+/, "")
      .replace(new RegExp(`\\b(?:the )?${found.word}\\b`), " ")
      .trim(),
  );
  const isHead = head && !/^(?:is|are|was|were|one|of)\b/.test(rest) ? head : undefined;
  const subgoals = list.length >= 2 ? list.map((one) => goal(one)) : [goal(isHead ?? noun)];
  if (noun && list.length >= 2) for (const subgoal of subgoals) subgoal.region ??= subgoal.target;
  const superlative = /(?:st|most|least)$/.test(found.word) && list.length < 2;
  // "the nearest chair" asks to be led there; "which chair is nearest to the door" compares.
  if (dimension === "distance" && superlative && !anchor)
    return draft("nearest", "position", [goal(isHead ?? readPhrase(after.trim()))], {
      quantifier: "superlative",
    });
  return draft(
    "compare",
    "text",
    noun && list.length >= 2 ? list.map((one) => goal(noun, { region: one.description })) : subgoals,
    {
      quantifier: superlative ? "superlative" : "one",
      compare: {
        op: superlative ? (op === "more" ? "most" : "least") : op,
        dimension,
        ...(anchor && { to: anchor.description }),
      },
      alternatives: list.map(({ description }) => description.phrase),
    },
  );
}

/** The things of "…: A, B or C". */
export function alternativesIn(text: string): NonNullable<ReturnType<typeof thingIn>>[] {
  const or = text.lastIndexOf(" or ");
  if (or < 0) return [];
  const before = text.slice(0, or);
  const start = Math.max(
    before.lastIndexOf(":"),
    before.search(/,\s*(?:the|a|an|my)\b/),
    before.search(/\b(?:between|of|is|are)\s+(?=(?:the|a|an|my)\b[^,]*$)/),
  );
  const list =
    start < 0
      ? [before]
      : before
          .slice(start)
          .replace(/^(?:between|of|is|are)\s+/, "")
          .split(/[,:]/);
  return [...list, text.slice(or + 4)].flatMap((part) => {
    const phrase = thingIn(part.trim().replace(/^(?:and|is|are)\s+/, ""));
    return phrase ? [phrase] : [];
  });
}

/** "what can I use to dry my hands", "what should I do to cool down", "what would I need for". */
function readNeed(rest: string): Draft | undefined {
  const match =
    /^(?:object|thing|item|device|appliance|tool|furniture|room|place)?s?\s*(?:can|could|should|would|do|must|may|might) (?:i|you|we|one|someone) (?:use|need|do|take|have|turn on|sit on|press|go)\b\s*(?:to|for|in order to|if i want to|if)?\s*(.*)$/.exec(
      rest,
    ) ??
    /^(?:object|thing|item|device|appliance|tool|furniture)s?\s*(?:is|are|was|can be)\s*(?:used|useful|needed|available|good|best|meant)\s*(?:to|for)\s+(.*)$/.exec(
      rest,
    );
  if (!match) return undefined;
  return draft("function", "text", [goal(thingIn(match[1]!) ?? undefined)], {
    verb: match[1] || rest,
    level: "implicit",
  });
}

function readPlaceKind(rest: string): Draft | undefined {
  if (
    /^(?:is|are)\s+(?:this|that) (?:room|place)$/.test(rest) ||
    /^(?:is|are) the (?:kind|type|sort) of (?:this |the )?room\b/.test(rest) ||
    /^(?:kind|type|sort) of (?:room|place|area) (?:is|are|was) (?:this|that|it)\b/.test(rest)
  )
    return draft("room", "text", [goal(undefined)]);
  if (
    /^(?:kind|type|sort) of (?:place|environment|building|area|house|home|apartment|neighbourhood)\b/.test(
      rest,
    ) ||
    /^(?:does|is|are) (?:this|the) (?:place|environment|house|home|building|area|apartment|scene|room)\s*(?:look )?like$/.test(
      rest,
    )
  )
    return draft("describe", "text", [goal(undefined)], { level: "global" });
  return undefined;
}

/** "what device is on the chair", "which plushie is next to the picture", "which desk is the mug on". */
function readKind(rest: string, wh: string, preposition: string | undefined): Draft | undefined {
  const kind = readPhrase(rest.replace(/^(?:kind|type|sort|brand)s? of\s+/, ""));
  if (!kind || /^(?:is|are|was|were|did|do|does|has|have|can|could|will|would|should)\b/.test(rest))
    return undefined;
  const be =
    /^\s*(?:is|are|was|were|can (?:you|i) (?:see|find)|do you see|did you see|has|have)\b\s*(?:there\s+)?(.*)$/.exec(
      kind.rest,
    );
  if (!be) return undefined;
  const after = be[1]!;
  // "which desk is the turquoise mug on": where the mug is, by kind of place.
  const stranded = /^(.*?)\s+(on|in|at|under|inside|near|behind|next to|on top of|from)$/.exec(after);
  const subject = stranded
    ? readPhrase(stranded[1]!)
    : preposition !== undefined
      ? readPhrase(after)
      : undefined;
  if (subject) return draft("locate", "text", [goal(subject, { property: kind.description.head })]);
  const relation = readPhrase(`object ${after}`);
  const relations = [...kind.relations, ...(relation?.relations ?? [])];
  const region = kind.region ?? relation?.region;
  const plural = kind.description.plural;
  return draft(
    "recognise",
    plural && wh === "what" ? "set" : "text",
    [unknownAt(relations, region, kind.description)],
    { quantifier: plural ? "all" : "one" },
  );
}

/** "what is on the table", "what is the white object above the tv", "what is to the left of". */
function readRecognise(rest: string, wh: string): Draft | undefined {
  const be =
    /^(?:is|are|was|were|can (?:you|i|we) (?:see|find)|do (?:you|i|we) (?:see|have)|did (?:you|i|we) (?:see|find))\b\s*(.*)$/.exec(
      rest,
    );
  if (!be) return undefined;
  const after = be[1]!.replace(
    /^(?:there|located|situated|placed|directly|right|just|currently|immediately|lying|hanging|standing|sitting)\s+/,
    "",
  );
  const relation = startsWithRelation(after);
  if (relation && relation[1] !== "with") {
    const read = readPhrase(`object ${after}`);
    if (read && (read.relations.length > 0 || read.region)) {
      return draft("recognise", "text", [unknownAt(read.relations, read.region)], { quantifier: "one" });
    }
  }
  const thing = readPhrase(after);
  if (!thing) return undefined;
  if (wh === "who") return draft("recognise", "text", [goal(thing)]);
  const generic = GENERIC.has(thing.description.head) || thing.description.head === "object";
  if (isRoom(thing.description) && thing.relations.length === 0 && !generic)
    return draft("room", "text", [goal(thing)]);
  return draft("recognise", thing.description.plural ? "set" : "text", [
    generic
      ? unknownAt(thing.relations, thing.region, { ...UNKNOWN, ...thing.description, head: "object" })
      : goal(thing),
  ]);
}

/** What comes after "did you (last) see". */
export function afterVerb(text: string): string {
  return text
    .replace(/^(?:did|do|does|have|has|had|was|were|is|are)\s+/, "")
    .replace(/^(?:i|you|we|the robot|it|they)\s+(?:last |first |ever |most recently )?/, "")
    .replace(
      /^(?:see|saw|seen|spot|spotted|notice|noticed|observe|observed|pass|passed|enter|entered|leave|left|visit|visited|find|found|encounter|encountered|stop|stopped|turn|turned|go|went|come|came|arrive|arrived|exit|exited|get|got|been|be|stay|stayed|spend|spent|wait|waited|cross|crossed|drive|drove|walk|walked)\b\s*/,
      "",
    )
    .replace(/^(?:at|by|past|in|into|to|through|from|of|out of|near|inside)\s+/, "")
    .trim();
}

/** The agent's own verb in "did you stop at", if that is what is asked. */
export function egoVerb(text: string): { verb?: string } {
  const match =
    /^(?:(?:did|do|does|have|has|had|was|were|are|is)\s+)?(?:i|you|we|the robot)\s+(?:last |first |ever )?([a-z]+)\b/.exec(
      text,
    ) ?? /^(?:last |first |ever )?([a-z]+)\b/.exec(text);
  const verb = match ? EGO_VERBS[match[1]!] : undefined;
  return verb === undefined ? {} : { verb };
}
