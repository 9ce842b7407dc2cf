import type { Description } from "../need.ts";
import { type Draft, draft, goal, UNKNOWN, unknownAt } from "./ask-kinds.ts";
import { COMPARATIVES, STATES } from "./lexicon.ts";
import { isRoom, readPhrase } from "./noun-phrase.ts";

/** Forms that mean something of their own and would be misread word by word; tried before all others. */
export function readSetForm(text: string): Draft | undefined {
  return (
    readPrinted(text) ??
    readBetweenThem(text) ??
    readSeats(text) ??
    readRoomsWith(text) ??
    readSame(text) ??
    readLooks(text) ??
    readSide(text) ??
    readStateChange(text) ??
    readAnything(text) ??
    readKindOfRoom(text) ??
    readHouse(text) ??
    readNextRoom(text) ??
    readTowards(text)
  );
}

/** "what says EXIT", "which object has EXIT written on it", "on what is EXIT written". */
function readPrinted(text: string): Draft | undefined {
  const match =
    /^(?:what|which)\b(?:\s+(?:object|thing|item)s?)?\s*(?:is it that )?(?:that )?(?:says?|reads?|has|have|had|is|are|bears?|shows?|displays?|carr(?:y|ies)|contains?|features?)\b[^"]*"(\s*[^"\s][^"]*)"(.*)$/.exec(
      text,
    ) ??
    /^(?:on |where )(?:what|which|is|does|do)?\b[^"]*"(\s*[^"\s][^"]*)"\s*(?:is |it )?(?:written|printed|appear|stand|say|to be read)\b(.*)$/.exec(
      text,
    );
  if (!match) return undefined;
  const where = readPhrase(
    `object ${match[2]!.replace(/^\s*(?:(?:written|printed)\s*)?(?:on (?:it|them))?\s*/, "")}`,
  );
  const target: Description = {
    ...UNKNOWN,
    attributes: { text: match[1]!.trim() },
    phrase: match[1]!.trim(),
  };
  return draft("recognise", "text", [unknownAt(where?.relations ?? [], where?.region, target)]);
}

/** "what is the distance between A and B", "how many metres are between A and B", "the speed of A". */
function readBetweenThem(text: string): Draft | undefined {
  const speed = /^(?:what|at what)\b.*?\b(?:speed|velocity|pace)\b\s*(?:of|did|was|does|is)?\s*(.*)$/.exec(
    text,
  );
  const mover = speed ? readPhrase(speed[1]!.replace(/^(?:did|was|is)\s+/, "")) : undefined;
  if (mover) return draft("motion", "quantity", [goal(mover)], { verb: "speed" });
  const match =
    /^what (?:is|was|are) (?:the )?(?:approximate |shortest |rough )?(?:distance|gap|separation|space) (?:between|from)\s+(.*)$/.exec(
      text,
    ) ??
    /^how (?:many met(?:re|er)s|much (?:space|distance))\s+(?:is|are|lies?)?\s*(?:there )?(?:between|separates?)\s+(.*)$/.exec(
      text,
    ) ??
    /^how (?:large|big|great) (?:is|was) the (?:distance|gap) (?:between|from)\s+(.*)$/.exec(text) ??
    /^how far apart (?:are|is|were)\s+(.*)$/.exec(text);
  if (!match) return undefined;
  const first = readPhrase(match[1]!);
  // "from A to B": what follows "to" is the other end, not a place of A.
  const near = first?.relations.find(({ predicate }) => predicate === "near");
  const and = first ? /^[\s,]*(?:and|to)\s+(.*)$/.exec(first.rest) : null;
  const second = and ? readPhrase(and[1]!) : undefined;
  if (!first || !(second ?? near?.anchor)) return undefined;
  return draft("distance", "quantity", [
    goal({ ...first, relations: second ? first.relations : first.relations.filter((one) => one !== near) }),
    second ? goal(second) : { target: near!.anchor!, relations: [] },
  ]);
}

/** "how many people can sit in the kitchen", "how many can sleep here", "how many seats are free". */
function readSeats(text: string): Draft | undefined {
  const people =
    /^(?:for )?how many (?:people|persons|guests|adults|of us|visitors|friends)?\b.*?\b(sit|sits|seated|seats?|sleep|sleeps|sleeping|asleep|accommodated|spend the night|stay overnight|lie down)\b(.*)$/.exec(
      text,
    );
  const seats =
    /^(?:how many|what number of) (?:(?:free|empty|vacant|unoccupied|available|open) )?(seats?|seating places|places to sit|sleeping places|places to sleep|beds for)\b(.*)$/.exec(
      text,
    );
  const match = people ?? seats;
  if (!match) return undefined;
  const verb = /sleep|accommodat|overnight|night|lie/.test(match[1]!) ? "sleep" : "sit";
  const where = readPhrase(
    `object ${match[2]!
      .replace(
        /^[\s,]*(?:down|are|is|there|free|available|unoccupied|empty|for|can i find|do you see|left|were)\b/g,
        "",
      )
      .replace(/^\s*(?:there|free|available|left)\b/, "")
      .trim()}`,
  );
  return draft("capacity", "count", [goal(undefined, where?.region ? { region: where.region } : {})], {
    quantifier: "count",
    verb,
  });
}

/** "how many rooms have a bed", "in how many rooms is there a lamp", "which room has the most chairs". */
function readRoomsWith(text: string): Draft | undefined {
  const many =
    /^(?:in )?how many (?:different )?rooms (?:have|has|contain|hold|are there with|with|did you see|do you (?:see|find)|can you find|is there|are there|is|are|include|feature|do i find)\s+(?:there )?(?:at least )?(.*)$/.exec(
      text,
    );
  const thing = many ? readPhrase(many[1]!.replace(/\s+in (?:it|them)$/, "")) : undefined;
  if (thing && thing.description.head !== "object" && !/^there\b/.test(many![1]!))
    return draft("count", "count", [goal(thing, { property: "room" })], { quantifier: "count" });
  const more =
    /^(?:which|what) room (?:has|have|contains|holds) (more|fewer|less) ([a-z ]+?)[,:]\s*(.+?) or (.+)$/.exec(
      text,
    );
  const [kind, one, other] = more ? [readPhrase(more[2]!), readPhrase(more[3]!), readPhrase(more[4]!)] : [];
  if (kind && one && other)
    return draft(
      "compare",
      "text",
      [goal(kind, { region: one.description }), goal(kind, { region: other.description })],
      { compare: { op: more![1] === "more" ? "more" : "less", dimension: "count" } },
    );
  const most =
    /^(?:(?:in|on) )?(?:which|what) room(?:s)?\b(?:.*?)\b(?:the )?(most|fewest|least|highest number of|largest number of|greatest number of)\s+(.*)$/.exec(
      text,
    );
  const noun = most ? readPhrase(most[2]!) : undefined;
  return noun && noun.description.head !== "object"
    ? draft("compare", "text", [goal(noun, { property: "room" })], {
        quantifier: "superlative",
        compare: { op: /fewest|least/.test(most![1]!) ? "least" : "most", dimension: "count" },
      })
    : undefined;
}

/** "do A and B have the same colour", "is A in the same room as B", "does A share a room with B". */
function readSame(text: string): Draft | undefined {
  const match =
    /^(?:is|are|was|were|do|does|did|has|have)\s+(.+?)\s+(?:(?:have|has|share|shares|sharing|of|in|on|at|made (?:of|from)|stand(?:ing)?|located|found|kept|placed|both|also|got)\s+)*(?:(?:exactly )?the |a )?same ([a-z]+)\b\s*(?:as|with|like)?\s*(.*)$/.exec(
      text,
    ) ??
    /^(?:do|does|did|is|are)\s+(.+?)\s+shar(?:e|es|ing) (?:a|an|the|its|one) ([a-z]+)\b\s*(?:with)?\s*(.*)$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, subject, what, other] = match;
  const first = readPhrase(subject!);
  const and = first ? /^[\s,]*and\s+(.*)$/.exec(first.rest) : null;
  const second = readPhrase(and?.[1] ?? other!);
  if (!first || !second || second.description.head === "object") return undefined;
  const dimension = /colou?r|shade/.test(what!)
    ? "colour"
    : /material/.test(what!)
      ? "material"
      : /size|height/.test(what!)
        ? "size"
        : "place";
  return draft("relate", "binary", [goal(first), goal(second)], { compare: { op: "same", dimension } });
}

/** "what does the kitchen look like", "what is the kitchen like". */
function readLooks(text: string): Draft | undefined {
  const match =
    /^(?:what|how) (?:does|do|is|are|did|was)\s+(.+?)\s+(?:look )?(?:like|looking|look|furnished|set up|equipped|laid out)$/.exec(
      text,
    );
  const place = match ? readPhrase(match[1]!) : undefined;
  return place?.rest.trim() === "" && isRoom(place.description)
    ? draft("describe", "text", [goal(place)], { level: "global" })
    : undefined;
}

/** "how much time passed between seeing A and seeing B", "how long after you saw A did you see B", "A before B". */
export function readGap(whole: string): Draft | undefined {
  const text = whole.replace(/\s+for the first time$/, "");
  const which =
    /^(?:which|what)(?: one| of them)? (?:did|have|had) (?:you|i|we) (?:see|notice|spot|seen|pass) (first|last|earlier|later|sooner)[,:]? (the .+?),? or (the .+)$/.exec(
      text,
    );
  const [one, other] = which ? [readPhrase(which[2]!), readPhrase(which[3]!)] : [];
  if (one && other)
    return draft(
      "order",
      "text",
      /last|later/.test(which![1]!) ? [goal(other), goal(one)] : [goal(one), goal(other)],
      {
        verb: "see",
        compare: { op: /last|later/.test(which![1]!) ? "more" : "less", dimension: "time" },
      },
    );
  const see =
    "(?:(?:when )?(?:you|i|we) )?(?:first )?(?:seeing|saw|see|noticing|noticed|spotting|spotted|passing|passed)(?: for the first time)?";
  const gap =
    new RegExp(
      `^how (?:much time|long|many (?:seconds|minutes))\\b.*?\\b(?:between|from)\\s+${see}\\s+(.+?)\\s+(?:and|until|to)\\s+(?:${see}\\s+)?(.+)$`,
    ).exec(text) ??
    new RegExp(
      `^how (?:much time|long|many (?:seconds|minutes))\\b.*?\\bafter\\s+${see}\\s+(.+?)\\s+(?:did|do|was|were)\\s+(?:you|i|we)\\s+(?:first )?(?:see|notice|spot|pass|come across)\\s+(.+)$`,
    ).exec(text) ??
    /^how (?:much )?(?:long|later|time)\b.*?\bafter\s+(the .+?)\s+(?:did|do) (?:you|i|we) (?:first )?(?:see|notice|spot)\s+(.+)$/.exec(
      text,
    );
  const before =
    /^(?:did|have|had|do|was|were) (?:(?:you|i|we) )?(?:first )?(?:(?:seen|see|saw|noticed|notice|spotted|spot|passed|pass|come across)\b)?\s*(.+?)\s+(?:(?:first |last )?seen )?(?:for the first time )?(before|after|earlier than|later than|sooner than)\s+(?:(?:you|i|we) (?:first )?(?:saw|noticed|spotted|seen|passed)\s+)?(.+)$/.exec(
      text,
    );
  const [a, b] = gap ? [gap[1]!, gap[2]!] : before ? [before[1]!, before[3]!] : ["", ""];
  const first = a === "" ? undefined : readPhrase(a);
  const second = b === "" ? undefined : readPhrase(b);
  const isThing = (name: string) => /^(?:the|a|an|my|your)\b/.test(name) || /^[a-z]+$/.test(name);
  if (!first || !second || !isThing(a) || !isThing(b)) return undefined;
  if (first.rest.trim() !== "" && !gap) return undefined;
  if (gap) return draft("duration", "duration", [goal(first), goal(second)], { verb: "gap" });
  const later = /after|later/.test(before![2]!);
  return draft("order", "binary", later ? [goal(second), goal(first)] : [goal(first), goal(second)], {
    verb: "see",
  });
}

/** "where is the table: left, right or behind", "on which side is", "is the table on the left or on the right". */
function readSide(text: string): Draft | undefined {
  const match =
    /^(?:where|on which side|on what side|in which direction|which way|in what direction)\s*(?:of (?:you|me) )?(?:is|are|was|were|would|will|do you (?:see|find)|can you see)\s+(?:be )?(.+?)\s*(?:be |located |found )?[:,-]?\s*(?:(?:(?:to |on |in )?(?:the |your |my )?(?:left|right|front|behind|back|ahead|straight ahead)(?: of (?:you|me))?)(?:,| or|, or)\s*)+(?:(?:to |on |in )?(?:the |your |my )?(?:left|right|front|behind|back|ahead|straight ahead)(?: of (?:you|me))?)$/.exec(
      text,
    ) ??
    /^(?:is|are|was|were|would|will)\s+(.+?)\s+(?:be )?(?:to |on )(?:the |your |my )?(?:(?:front|back)[- ])?(?:left|right)(?:[- ]hand)?(?: side)?(?:,| or|, or)\s.*\b(?:left|right|behind|front|back)\b.*$/.exec(
      text,
    );
  const thing = match ? readPhrase(match[1]!) : undefined;
  if (!match || thing?.rest.trim() !== "") return undefined;
  const offered = text.slice(text.indexOf(match[1]!) + match[1]!.length).matchAll(SIDE);
  return draft("direction", "text", [goal(thing)], { alternatives: Array.from(offered, ([side]) => side) });
}

const SIDE = /\b(?:(?:front|back)[- ])?(?:left|right)\b|\b(?:front|back|behind|ahead)\b/g;

const TO_STATE: Readonly<Record<string, string>> = {
  switched: "power",
  turned: "power",
  opened: "openness",
  closed: "openness",
  shut: "openness",
  filled: "fill",
  emptied: "fill",
  made: "making",
  occupied: "occupancy",
};

/** "has the lamp been switched on or off", "was the door opened", "did the state of the bin change". */
function readStateChange(text: string): Draft | undefined {
  const match =
    /^(?:has|have|had|did)\s+(?:anyone |someone |somebody )?(.+?)\s+(?:been |get |got |ever )*(switched|turned|opened|closed|shut|filled|emptied|made|change|changed)\b\s*(.*)$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, subject, verb, after] = match;
  if (/^(?:i|you|we)$/.test(subject!)) return undefined;
  const moved = /\b(?:place|position|location|where)\b/.test(after!);
  const thing = readPhrase(subject!.replace(/^the state of\s+/, ""));
  if (thing?.rest.trim() !== "" || thing.description.head === "object") return undefined;
  const either = /\bor\b/.test(after!) || /chang/.test(verb!);
  const value = either ? undefined : /^(?:on|off)\b/.exec(after!)?.[0];
  const goes = value ?? (either ? undefined : STATES[verb!]?.value);
  return draft("change", "binary", [goal(thing, TO_STATE[verb!] ? { property: TO_STATE[verb!]! } : {})], {
    verb: moved ? "move" : "state",
    alternatives: goes === undefined ? [] : [goes],
  });
}

/** "is anything on the table", "does the shelf hold something", "is the table empty" stays a state. */
function readAnything(text: string): Draft | undefined {
  const match =
    /^(?:is|are|was|were) (?:there )?(?:anything|something|nothing|any (?:object|thing|item)s?|some(?:thing)?)\s+(?:else )?(?:(?:standing|lying|sitting|placed|kept|left|stored|put|resting|currently|at all|to be found|to be seen|visible)\s+)*(?=(?:on|in|inside|under|upon|atop|behind|above|below|next|near|at|beside)\b)(.*)$/.exec(
      text,
    ) ?? /^(?:does|do|did) (?:anything|something) (?:stand|lie|sit|rest|hang)\s+(.*)$/.exec(text);
  const read = match ? readPhrase(`object ${match[1]!}`) : undefined;
  return read && read.relations.length > 0
    ? draft("exist", "binary", [unknownAt(read.relations, read.region)], {
        quantifier: "any",
        ...(/^(?:is|are) nothing/.test(text) && { negated: true }),
      })
    : undefined;
}

/** "what type of room has the lamp", "what kind of room is the lamp in". */
function readKindOfRoom(text: string): Draft | undefined {
  const match =
    /^(?:in |to )?(?:what|which) (?:(?:kind|type|sort) of )?room (?:has|have|contains?|holds?|houses?|does|do|is|are|was|would)\s+(.+?)(?:\s+(?:in|belong to|stand in|belong in|stand|found))?$/.exec(
      text,
    );
  const thing = match ? readPhrase(match[1]!) : undefined;
  return thing &&
    thing.rest.trim() === "" &&
    thing.description.head !== "object" &&
    !/^(?:this|that|it|i|you|we|the (?:largest|biggest|smallest))\b/.test(match![1]!) &&
    COMPARATIVES[thing.description.head] === undefined
    ? draft("locate", "text", [goal(thing, { property: "room" })])
    : undefined;
}

/** "what kind of place is this", "where are things stored in this house". */
function readHouse(text: string): Draft | undefined {
  if (
    /^(?:where|what|which|how)\b.*\b(?:things|belongings|stuff|items)\b.*\b(?:stored?|kept|keep|put away|stowed)\b/.test(
      text,
    ) ||
    /\b(?:stor(?:e|ing)|keep(?:ing)?|put(?:ting)? away) (?:things|stuff|belongings)\b/.test(text) ||
    /\b(?:storage (?:furniture|places?|options|possibilities|space)|places? for storage|places? to store things)\b/.test(
      text,
    )
  )
    return draft("describe", "text", [goal(undefined)], { level: "global", verb: "store" });
  return /^(?:what|which) (?:kind|type|sort) of (?:place|building|home|house|environment) (?:is|are) (?:this|it|here|that|we in|i in)\b/.test(
    text,
  )
    ? draft("describe", "text", [goal(undefined)], { level: "global" })
    : undefined;
}

/** What the agent did next, once the event in the question is taken out: "which room did you go to". */
function readNextRoom(text: string): Draft | undefined {
  return /^(?:(?:to )?(?:which|what) (?:room|place)|where)(?: (?:did|were|was|have|do) (?:you|i|we))?\s*(?:go|went|enter|entered|visit|visited|come|move|gone|been|be|head|walk|did you go|came)?(?: (?:to|into|in|next|then|on to))*$/.test(
    text,
  ) ||
    /^(?:which|what) room (?:did (?:you|i|we) (?:go to|enter|visit|see)|came|comes|was|were you in)(?: (?:next|then))?$/.test(
      text,
    )
    ? draft("ego", "text", [goal(undefined)], { verb: "next" })
    : undefined;
}

/** "did Anna walk towards the door", "was she going to the sofa". */
function readTowards(text: string): Draft | undefined {
  const rests =
    /^(?:was|is|were|did)\s+(.+?)\s+(?:standing still|stand still|stationary|at rest|not moving|motionless)$/.exec(
      text,
    );
  const resting = rests ? readPhrase(rests[1]!) : undefined;
  if (resting) return draft("motion", "binary", [goal(resting)], { verb: "moving", negated: true });
  const match =
    /^(?:did|was|is|were|does|has)\s+(.+?)\s+(?:move|moving|moved|walk|walking|walked|go|going|gone|head|heading|headed|come|coming|run|running|get closer|getting closer|approach|approaching)\s*(?:straight |directly |off )?(?:towards?|to|in the direction of|into|closer to|up to)?\s+((?:the|a|an|my|your)\b.*)$/.exec(
      text,
    );
  const mover = match ? readPhrase(match[1]!) : undefined;
  const to = match ? readPhrase(match[2]!) : undefined;
  if (!mover || !to || /^(?:i|you|we|anyone|someone|the robot)$/.test(match![1]!)) return undefined;
  return draft("motion", "binary", [goal(mover), goal(to)], { verb: "towards" });
}
