import * as chrono from "chrono-node";
import type { TimeNeed } from "../need.ts";
import { EGO_VERBS, NUMBERS, ORDINALS } from "./lexicon.ts";
import { readPhrase } from "./noun-phrase.ts";

/** A text without its time expressions, and what they meant. */
export interface Timed {
  readonly text: string;
  readonly times: TimeNeed[];
}

const UNIT_S: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
  h: 3600,
  hr: 3600,
  hrs: 3600,
  hour: 3600,
  hours: 3600,
  day: 86_400,
  days: 86_400,
  week: 604_800,
  weeks: 604_800,
};
const UNITS = "seconds?|secs?|s|minutes?|mins?|min|hours?|hrs?|h|days?|weeks?";
const AMOUNT = `(\\d+(?:\\.\\d+)?|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|a few|a couple of|half an?|(?:a )?quarter of an)`;

const AGO = new RegExp(
  `\\b(?:about |around |roughly )?${AMOUNT}\\s*(${UNITS})(?:(?:,| and|, and)?\\s+${AMOUNT}\\s*(${UNITS}))?\\s+(?:ago|earlier|before now|back)\\b`,
);
const LAST_LOOK =
  /\b(?:the|when|at your|on your)? ?(?:(last|first) time (?:that )?(?:i|you|we) (?:saw|looked at|passed|noticed|came across|were near)|when (?:i|you|we) (last|first) (?:saw|looked at|passed|noticed))(?: (?:it|them|her|him))?(?=$|[,;:])|\bwhen it was (last|first) seen\b/;
const WITHIN = new RegExp(
  `\\b(?:in|over|during|within|for|throughout|across)\\s+(?:the|these)\\s+(?:(?:very )?(?:last|past|previous|preceding|latest|most recent)\\s+(?:(?:span|stretch|period) of )?(?:${AMOUNT}\\s*)?(${UNITS})|(?:${AMOUNT}\\s*)?(${UNITS}) (?:(?:just )?(?:gone|past|passed)|gone by|leading up to now|up to now))\\b`,
);
const EVENT = new RegExp(
  `\\b(right before|just before|right after|just after|immediately after|immediately before|before|after|since|when|while|until)\\s+(?:i|you|we|the robot|it|they)?\\s*(?:had |have |has |were |was |last |first |just )*(${Object.keys(
    EGO_VERBS,
  )
    .filter((verb) => !/^(?:be|been|left)$/.test(verb))
    .join("|")}|saw|seeing|see|left|looked|started)\\b\\s*`,
);
/** "after your first visit to the kitchen", "before you were in the hall". */
const VISIT =
  /\b((?:right |just |immediately |directly )?(?:before|after|following))\s+(?:(?:your|my|our|the|that) (?:first |last |initial )?(?:visit to|stay in|time in|stop in)|(?:first |last )?(?:leaving|visiting|entering|being in|exiting)|(?:i|you|we) (?:were|was|had been|left|visited|entered|went into|came out of|came from) (?:first |last )?(?:in|inside|at)?(?: for the first time)?|(?:i|you|we) (?:first|last) (?:were in|was in|left|visited|entered|went into))\s+(?=the |a |your |my )/;
const CLOCK =
  /\b(?:at|before|after|since|until|by|around|as of|between|from)\s+(?:about\s+)?\d{1,2}(?::\d{2})?(?::\d{2})?\s*(?:am|pm|o'clock|hours)?\b/;

/** Takes the time expressions out of a lower-case question. Times without a zone are in UTC. */
export function readTimes(question: string, nowUs: number): Timed {
  let text = question;
  const times: TimeNeed[] = [];
  const take = (match: RegExpExecArray, time: TimeNeed) => {
    times.push(time);
    text = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
      .replace(/\s+/g, " ")
      .trim();
  };
  const ago = AGO.exec(text);
  if (ago && !/\bhow (?:many|long)\b[^,]*$/.test(text.slice(0, ago.index))) {
    const more = ago[3] === undefined ? 0 : amountOf(ago[3]) * UNIT_S[ago[4]!]!;
    const atUs = nowUs - Math.round((amountOf(ago[1]!) * UNIT_S[ago[2]!]! + more) * 1e6);
    take(ago, { kind: "ago", fromUs: atUs, toUs: atUs + 1 });
  }
  const within = WITHIN.exec(text);
  if (within) {
    const [amount, unit] = [within[1] ?? within[3] ?? "one", within[2] ?? within[4]!];
    const lengthUs = Math.round(amountOf(amount) * UNIT_S[unit]! * 1e6);
    take(within, { kind: "during", fromUs: nowUs - lengthUs, toUs: nowUs });
  }
  const look = LAST_LOOK.exec(text);
  if (look) take(look, { kind: (look[1] ?? look[2] ?? look[3]) === "first" ? "first" : "last" });
  for (const [pattern, kind] of ORDERS) {
    const match = pattern.exec(text);
    if (match) take(match, kind);
  }
  const nth =
    /\b(?:for )?the (first|second|third|fourth|fifth|last|most recent|previous) time\b(?: that| i| you| we)*\s*/.exec(
      text,
    );
  if (nth) {
    const n = ORDINALS[nth[1]!];
    take(nth, n === undefined ? { kind: "last" } : n === 1 ? { kind: "first" } : { kind: "nth", n });
  }
  const visit = VISIT.exec(text);
  const where = visit ? readPhrase(text.slice(visit.index + visit[0].length)) : undefined;
  if (visit && where) {
    const kind = visit[1]!.includes("before") ? "before" : "after";
    const n = /first/.test(visit[0]) ? { n: 1 } : {};
    times.push({ kind, ...n, event: { verb: "enter", target: where.description } });
    text = `${text.slice(0, visit.index)} ${where.rest}`.replace(/\s+/g, " ").trim();
  }
  const event = visit && where ? null : EVENT.exec(text);
  if (event) {
    const found = eventAt(event, text);
    if (found) {
      times.push(found.time);
      text = found.text;
    }
  }
  readClock(text, nowUs, (match, time) => take(match, time));
  return { text, times };
}

/** "last" and "first" where they say when, not which. */
const ORDERS: readonly (readonly [RegExp, TimeNeed])[] = [
  [
    /\b(?:most recently|the last time|last)\b(?= (?:seen|see|saw|spotted|observed|noticed|notice|spot|observe|visited|in|left|used|moved|opened|closed|pass|passed|enter|entered|carrying|here|stop|stopped|turned|known)\b|$)/,
    { kind: "last" },
  ],
  [
    /\b(?:for the first time|first)\b(?= (?:seen|see|saw|spotted|observed|noticed|visited|appear|appeared|pass|passed|enter|entered|met|encounter|encountered|notice|spot|observe|come|came|catch)\b|$)/,
    { kind: "first" },
  ],
];

/** "after you passed the sofa": the verb, and what it was done to. */
function eventAt(match: RegExpExecArray, text: string): { time: TimeNeed; text: string } | undefined {
  const [whole, word, verb] = [match[0], match[1]!, match[2]!];
  const after = text.slice(match.index + whole.length);
  const object = readPhrase(
    after.replace(/^(?:at|by|past|in|into|to|through|out of|from|near|around)\s+/, ""),
  );
  const kind =
    word.includes("before") || word === "until"
      ? "before"
      : word === "since"
        ? "since"
        : word.includes("after")
          ? "after"
          : "at";
  // A question about what the agent did is not itself the time: "when did you stop" asks, "when you stopped" tells.
  if (word === "when" && match.index === 0) return undefined;
  const rest = object?.rest ?? after;
  return {
    time: {
      kind,
      event: { verb: EGO_VERBS[verb] ?? "see", ...(object && { target: object.description }) },
      ...(/\bfirst\b/.test(whole) && { n: 1 }),
    },
    text: `${text.slice(0, match.index)} ${rest}`.replace(/\s+/g, " ").trim(),
  };
}

/** Clock times and calendar words, by chrono. */
function readClock(
  text: string,
  nowUs: number,
  take: (match: RegExpExecArray, time: TimeNeed) => void,
): void {
  const now = new Date(nowUs / 1000);
  const hasCalendar =
    /\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening)|(?:last|on) (?:night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|noon|midnight|\d{4}-\d{2}-\d{2})\b/.test(
      text,
    );
  if (!CLOCK.test(text) && !hasCalendar) return;
  const [found] = chrono.parse(text, { instant: now, timezone: 0 }, { forwardDate: false });
  if (!found) return;
  const before = text.slice(0, found.index).trimEnd();
  const word =
    /(as of|before|after|since|until|by|around|at|between|from)$/.exec(before)?.[1] ??
    /^(as of|before|after|since|until|by|around|at|between|from)\b/.exec(found.text)?.[1];
  const fromUs = found.start.date().getTime() * 1000;
  const isDay = !found.start.isCertain("hour");
  const startUs = isDay ? dayStart(fromUs) : fromUs;
  const toUs = found.end
    ? found.end.date().getTime() * 1000
    : isDay
      ? startUs + 86_400_000_000
      : fromUs + (found.start.isCertain("second") ? 1_000_000 : 60_000_000);
  const kind: TimeNeed["kind"] =
    word === "as of"
      ? "as-of"
      : word === "before" || word === "until" || word === "by"
        ? "before"
        : word === "after"
          ? "after"
          : word === "since"
            ? "since"
            : found.end || isDay
              ? "during"
              : "at";
  const start =
    word && before.endsWith(word)
      ? found.index - (text.slice(0, found.index).length - before.length) - word.length
      : found.index;
  const taken = text.slice(start, found.index + found.text.length);
  const match = Object.assign([taken], { index: start, input: text }) as unknown as RegExpExecArray;
  take(match, { kind, fromUs: startUs, toUs });
}

function dayStart(timeUs: number): number {
  return Math.floor(timeUs / 86_400_000_000) * 86_400_000_000;
}

function amountOf(text: string): number {
  const word = text
    .replace(/^(?:a|an)$/, "one")
    .replace("a few", "few")
    .replace("a couple of", "couple")
    .replace(/^half an?$/, "half")
    .replace(/^(?:a )?quarter of an$/, "quarter");
  return NUMBERS[word] ?? Number(word);
}
