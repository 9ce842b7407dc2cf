import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Building } from "./adjectives.ts";
import { isFunctionWord } from "./function-words.ts";
import { FLOORS, GENERIC, GRADES, PEOPLE, WHOLE_PLACE } from "./lexicon.ts";
import type { Parse } from "./pattern.ts";
import { type Noun, noun } from "./phrases.ts";
import type { Sentence } from "./sentence.ts";
import { nounAt, roomAt, singularOf } from "./vocabulary.ts";

export const NO_DETERMINER = 0.15;

const UNKNOWN_NOUN = 0.6;

/** The noun itself: a room, a storey, the place, a person, a thing by a name that is known, or by one that is not. */
export function headsAt(
  s: Sentence,
  at: number,
  { options, floors, grade, cost, room: inRoom }: Building,
  { article, number }: { article: boolean; number: number | undefined },
): Parse<Noun>[] {
  const word = s.words[at] ?? "";
  const token = s.tokens[at];
  const found: Parse<Noun>[] = [];
  const bare = article || number !== undefined || grade ? 0 : NO_DETERMINER;
  const more = { ...(grade && { grade: { ...grade } }), ...(number !== undefined && { number }) };
  const within = (set: Expression) =>
    inRoom === undefined ? set : node("in", [set, node("rooms", [], { name: inRoom })]);
  const on = (set: Expression) =>
    floors.reduce((all, name) => node("in", [all, node("floors", [], { name })]), within(set));
  const push = (length: number, extra: number, value: Noun) =>
    found.push({ end: at + length, cost: cost + extra, value: { ...value, ...more } });
  const noDetails =
    Object.keys(options).length === 0 ||
    (Object.keys(options).length === 1 && options["owner"] !== undefined);
  if (token === undefined) return found;
  const room = inRoom === undefined ? roomAt(s, at) : undefined;
  if (room) {
    const label = options["owner"] === undefined ? room.name : `${options["owner"]}'s ${room.name}`;
    const said = (options["words"] as string[] | undefined) ?? [];
    const name =
      room.name === "room" && Object.keys(options).length === 0 ? undefined : [...said, label].join(" ");
    if (Object.keys(options).every((key) => key === "owner" || key === "words" || key === "size"))
      push(
        room.length,
        0.02,
        noun("rooms", on(node("rooms", [], name === undefined ? {} : { name })), { plural: room.plural }),
      );
  }
  const storey = /^(?:floor|floors|storey|storeys|story|stories|level|levels)$/.test(word);
  if (storey && floors.length === 0 && noDetails)
    push(1, 0.1, noun("floors", node("floors"), { plural: word.endsWith("s") }));
  if (WHOLE_PLACE.has(word) && noDetails && (word === "house" || s.words[at - 1] !== "a"))
    push(1, 0.05, noun("rooms", node("house"), { definite: true }));
  const floorPhrase = FLOORS.get(word) ?? FLOORS.get(`${word} ${s.words[at + 1] ?? ""}`);
  if (floorPhrase && noDetails)
    push(
      FLOORS.has(word) ? 1 : 2,
      0.02,
      noun("floors", node("floors", [], { name: floorPhrase }), { definite: true }),
    );
  if (PEOPLE.has(word))
    push(
      1,
      bare,
      noun("things", on(node("things", [], { category: "person", ...options })), {
        plural: /people|persons|humans|folks|visitors|individuals/.test(word),
      }),
    );
  if (
    GENERIC.has(word) &&
    // "another one like this" is no thing of its own.
    !(s.context.shown && /^ones?$/.test(word) && noDetails) &&
    !(word === "one" && at + 1 < s.words.length && !isFunctionWord(s.words[at + 1]!))
  ) {
    const again = word === "one" || word === "ones" ? s.sameKind() : undefined;
    push(
      1,
      again ? 0.02 : word.startsWith("one") ? 0.4 : bare * 0.5,
      noun("things", on(node("things", [], { ...(again && { category: again }), ...options })), {
        generic: Object.keys(options).length === 0,
        plural: /s$|stuff/.test(word),
      }),
    );
  }
  if (token.quoted)
    push(1, 0.2, noun("things", on(node("things", [], { ...options, text: token.raw })), { definite: true }));
  const known = nounAt(s, at);
  if (known)
    push(
      known.length,
      (room ? 0.06 : 0) + (known.plural ? bare * 0.2 : bare) + (known.sure ? 0 : 0.15),
      noun("things", on(node("things", [], { category: known.name, ...options })), { plural: known.plural }),
    );
  const isName = /^[A-Z][a-z]+$/.test(token.raw) && at > 0 && !room && !known && !isFunctionWord(word);
  if (isName || s.isPersonName(word))
    push(
      1,
      0.05,
      noun("things", node("things", [], { category: "person", name: token.raw, ...options }), {
        definite: true,
      }),
    );
  if (
    !known &&
    !room &&
    !isFunctionWord(word) &&
    !token.quoted &&
    /^\p{L}/u.test(word) &&
    !GRADES.has(word)
  ) {
    for (const length of [1, 2]) {
      const last = s.words[at + length - 1];
      if (
        last === undefined ||
        isFunctionWord(last) ||
        (length === 2 && (s.tokens[at + 1]!.parted || nounAt(s, at + 1)))
      )
        break;
      const name = s.words
        .slice(at, at + length - 1)
        .concat(singularOf(last))
        .join(" ");
      push(
        length,
        bare + UNKNOWN_NOUN + (length - 1) * 0.2,
        noun("things", on(node("things", [], { category: name, ...options })), {
          plural: singularOf(last) !== last,
        }),
      );
    }
  }
  return found;
}
