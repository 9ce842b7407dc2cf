import { type Draft, draft, goal, thingIn } from "./ask-kinds.ts";
import { readPhrase } from "./noun-phrase.ts";
import { afterVerb, egoVerb } from "./rules-what.ts";

const SIZED: Readonly<Record<string, string>> = {
  tall: "height",
  high: "height",
  low: "height",
  wide: "width",
  broad: "width",
  long: "length",
  deep: "depth",
  big: "size",
  large: "size",
  small: "size",
  thick: "depth",
};

/** Rules for "how" and "when". */
export function readHow(text: string): Draft | undefined {
  const when =
    /^(?:since |until )?when\b\s*(.*)$/.exec(text) ??
    /^at what time\b\s*(.*)$/.exec(text) ??
    /^how (?:long|many (?:minutes|seconds|hours|days|mins)) ago\b\s*(.*)$/.exec(text);
  if (when) {
    const sight =
      /^(?:(?:is|was|were) )?(?:it )?(?:(?:that )?(?:i|you|we) )?(?:saw|seen|noticed|spotted)\s+(.*)$/.exec(
        when[1]!,
      );
    const sighted = sight ? readPhrase(sight[1]!) : undefined;
    if (sighted) return draft("when", "time", [goal(sighted)]);
    const ego = egoVerb(when[1]!);
    const passive = /^(?:is|was|were|did|has|are|will|does)\s+(.*)$/.exec(when[1]!);
    const isEgo = /^(?:did|do|have|had|was|were|are)?\s*(?:i|you|we|the robot)\b/.test(when[1]!);
    const thing = isEgo
      ? thingIn(afterVerb(when[1]!))
      : passive
        ? readPhrase(passive[1]!)
        : thingIn(when[1]!);
    return draft("when", "time", [goal(thing)], isEgo ? ego : {});
  }
  const match = /^how\b\s*(.*)$/.exec(text);
  if (!match) return undefined;
  const rest = match[1]!;
  return readCount(rest) ?? readMeasure(rest) ?? readLong(rest) ?? readWay(rest);
}

function readCount(rest: string): Draft | undefined {
  const times = /^(?:many times|often|frequently)\b\s*(.*)$/.exec(rest);
  if (times) {
    const isEgo = /\b(?:i|you|we|the robot)\b/.test(times[1]!);
    const thing = isEgo
      ? thingIn(afterVerb(times[1]!))
      : readPhrase(times[1]!.replace(/^(?:is|was|were|did|does|do|has|have)\s+/, ""));
    return draft("frequency", "count", [goal(thing)], isEgo ? egoVerb(times[1]!) : {});
  }
  const long = /^(?:many (?:minutes|seconds|hours|days|mins|secs)|much time)\b\s*(.*)$/.exec(rest);
  if (long) return draft("duration", "duration", [goal(thingIn(afterVerb(long[1]!)))], egoVerb(long[1]!));
  const room = /^(?:much|many)\s+(?:more |other |additional |free |empty )?(.*)$/.exec(rest);
  if (!room) return undefined;
  const more =
    /^(?:much|many) (?:more|additional|other)\b/.test(rest) ||
    /\b(?:fit|hold|room for|free (?:seats?|slots?|spaces?|spots?|places?))\b/.test(rest);
  const thing = readPhrase(room[1]!);
  if (!thing) return undefined;
  const where = readPhrase(
    `object ${thing.rest.replace(/^\s*(?:is|are|was|were|do|does|did|can|could|will|have|has)\b\s*(?:there|you see|i have|you count|we have|fit|be|placed|left)?\s*/, "")}`,
  );
  const has = /^\s*(?:does|do|did)\s+(.+?)\s+(?:have|contain|hold|include)\b/.exec(thing.rest);
  const container = has ? readPhrase(has[1]!) : undefined;
  const base = goal(thing);
  const subgoal = {
    ...base,
    relations: [
      ...base.relations,
      ...(where?.relations ?? []),
      ...(container && !container.region && !roomLike(container.description.head)
        ? [{ predicate: "on" as const, anchor: container.description }]
        : []),
    ],
    ...((base.region ??
      where?.region ??
      (container && roomLike(container.description.head) ? container.description : undefined)) && {
      region: base.region ?? where?.region ?? container!.description,
    }),
  };
  if (more) return draft("capacity", "count", [subgoal], { quantifier: "count" });
  return draft("count", "count", [subgoal], { quantifier: "count" });
}

function roomLike(head: string): boolean {
  return /(?:room|kitchen|house|home|apartment|flat|building|garage|hall|floor|place|office|warehouse)$/.test(
    head,
  );
}

function readMeasure(rest: string): Draft | undefined {
  const far =
    /^(?:far|distant|close|near)(?: away)?\b\s*(?:is|are|was|were|apart are)?\s*(?:it from )?(.*)$/.exec(
      rest,
    );
  if (far) {
    const first = readPhrase(far[1]!.replace(/^between\s+/, ""));
    const join = first ? /^\s*(?:away |apart )?(?:from|to|and)\s+(.*)$/.exec(first.rest) : null;
    const anchored = first?.relations.find(({ predicate }) => predicate === "near");
    const second = join ? readPhrase(join[1]!) : undefined;
    const subgoals = [
      goal(first && { ...first, relations: first.relations.filter((relation) => relation !== anchored) }),
    ];
    if (second) subgoals.push(goal(second));
    else if (anchored?.anchor) subgoals.push(goal({ description: anchored.anchor, relations: [], rest: "" }));
    return draft("distance", "quantity", subgoals);
  }
  const fast = /^(?:fast|quickly|slowly|slow)\b\s*(?:is|was|did|were|are|does)\s+(.*)$/.exec(rest);
  if (fast)
    return draft(
      "motion",
      "motion",
      [
        goal(
          readPhrase(
            fast[1]!.replace(/\s+(?:go|going|move|moving|walk|walking|drive|driving|run|running)\b.*$/, ""),
          ),
        ),
      ],
      { verb: "speed" },
    );
  const sized =
    /^(tall|high|low|wide|broad|deep|big|large|small|thick|long)\b\s*(?:is|are|was|were)\s+(.*)$/.exec(rest);
  if (!sized || /^(?:i|you|we|it)\b/.test(sized[2]!)) return undefined;
  const thing = readPhrase(sized[2]!);
  if (
    !thing ||
    (sized[1] === "long" &&
      /\b(?:open|closed|on|off|there|visible|gone|away|parked|empty|full|in view)\b/.test(thing.rest))
  )
    return undefined;
  return draft("size", "quantity", [goal(thing, { property: SIZED[sized[1]!]! })]);
}

function readLong(rest: string): Draft | undefined {
  const match = /^long\b\s*(.*)$/.exec(rest);
  if (!match) return undefined;
  const isEgo = /^(?:did|do|have|had|was|were|are)\s+(?:i|you|we|the robot)\b/.test(match[1]!);
  const other = readPhrase(match[1]!.replace(/^(?:is|was|were|did|has|have|had|are|does)\s+/, ""));
  return draft(
    "duration",
    "duration",
    [goal(isEgo ? thingIn(afterVerb(match[1]!)) : other)],
    isEgo ? { verb: egoVerb(match[1]!).verb ?? "stay" } : {},
  );
}

/** "how can I heat the house", "how do I reach the shelf", "how would you describe". */
function readWay(rest: string): Draft | undefined {
  if (
    /^(?:would|can|could) you (?:describe|summari[sz]e|characteri[sz]e)\b/.test(rest) ||
    /^(?:is|are) .*\b(?:organi[sz]ed|arranged|laid out|structured)\b/.test(rest)
  )
    return draft(
      "describe",
      "text",
      [goal(readPhrase(rest.replace(/^(?:would|can|could) you \w+\s+|^(?:is|are)\s+/, "")))],
      { level: "global" },
    );
  const match =
    /^(?:can|could|do|should|would|might|to|i can|may|shall|i could)\s*(?:i|you|we|one)?\s*(?:to )?(.*)$/.exec(
      rest,
    );
  if (!match?.[1]) return undefined;
  const verb = match[1];
  const thing = readPhrase(verb.replace(/^[a-z]+\s+(?:on|off|up|down|out|away)?\s*/, "")) ?? thingIn(verb);
  return draft("function", "text", [goal(thing)], { verb, level: "implicit" });
}
