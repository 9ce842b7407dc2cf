import { singularOf } from "../../ontology/index.ts";
import { type Expression, LIMITS } from "../../schema/index.ts";
import type { Value, WordsValue } from "../algebra/value.ts";
import { perhaps, perhapsWho, toldApart } from "./naming.ts";
import { sayNumber, sayTimes } from "./numbers.ts";
import { sayRivals } from "./rivals.ts";
import { sayRoute } from "./routes.ts";
import { type Said, type SayContext, type Spoken, setOf } from "./said.ts";
import { sayEvents, sayFloors, sayRooms, sayThings, storeyName } from "./things.ts";
import { sayTruth } from "./truths.ts";
import { sayUnknown } from "./unknowns.ts";
import { sayWords } from "./word-values.ts";

/** Operators that do not change the kind of answer. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "usual", "likely"]);

/** The operator that decides the question: below times, viewers and habits. */
export function rootOf(expression: Expression): Expression {
  let root = expression;
  while (AROUND.has(root.op) && root.of[0]) root = root.of[0];
  return root;
}

/**
 * A value in words, with the typed fields of an answer: one voice for each kind of value. The same value is always
 * worded in the same way.
 */
export async function say(expression: Expression, value: Value, context: SayContext): Promise<Said> {
  const root = rootOf(expression);
  const speak = async (one: Value) => voiceOf(root, one, context);
  const first = await speak(value);
  const spoken = (context.rivals && (await sayRivals(context.rivals, first, speak, context, root))) ?? first;
  const status = spoken.status ?? "answered";
  const who = value.evidence[0] && perhapsWho(value.evidence[0].why);
  const isTold = who === undefined || spoken.text.includes(perhaps(who));
  const told = isTold ? spoken.text : `${spoken.text}, if the person I saw is ${who}`;
  const text = (status === "answered" ? hedged(expression, told) : spoken.text).trim();
  const rivals = "rivals" in value ? (value.rivals ?? []) : [];
  return {
    ...spoken,
    status: text === "" ? "insufficient" : status,
    text: text.slice(0, LIMITS.lineChars),
    evidence: spoken.evidence ?? value.evidence,
    ...(rivals.length > 0 &&
      status === "answered" && { contradictions: [`${rivals.length + 1} things fit`] }),
  };
}

function voiceOf(root: Expression, value: Value, context: SayContext): Promise<Spoken> | Spoken {
  switch (value.kind) {
    case "things":
      if (value.things.length === 0)
        return { type: "text", status: "looked-absent", text: "nothing", set: [] };
      return sayThings(value, context);
    case "rooms":
      if (value.rooms.length === 0)
        return { type: "text", status: "looked-absent", text: "no room", set: [] };
      return sayRooms(value);
    case "floors":
      return sayFloors(value);
    case "events":
      return sayEvents(value, context);
    case "times":
      return sayTimes(value, context);
    case "number":
      return sayNumber(
        value,
        context,
        root.op === "duration" && root.of.length === 1 && root.of[0]!.op === "when",
      );
    case "words":
      if (value.about === "each") return sayEach(root, value, context);
      return sayWords(value, context, askedKind(root));
    case "truth":
      return sayTruth(root, value, context);
    case "route":
      return sayRoute(value, context);
    case "self":
      return saySelf(value, context);
    case "unknown":
      return sayUnknown(root, value, context);
  }
}

/** "kitchen: two; bedroom: one", each worded by its kind. */
async function sayEach(root: Expression, { items }: WordsValue, context: SayContext): Promise<Spoken> {
  const inner = rootOf(root.of[1] ?? root);
  const things = items.flatMap(({ thing }) => thing ?? []);
  const labels = await toldApart(things, context.surroundings);
  const lines: string[] = [];
  for (const { thing, room, storey, value } of items) {
    const said = value && (await voiceOf(inner, value, context));
    // Empty results are reported only where the question is about a number or a yes or no.
    if (!said || (said.status ?? "answered") !== "answered") continue;
    const who = room?.name ?? (storey === undefined ? "" : storeyName(storey));
    const label = thing ? labels[things.indexOf(thing)]! : who;
    lines.push(`${label}: ${said.text}`);
  }
  if (lines.length === 0) return { type: "text", status: "looked-absent", text: "nothing", set: [] };
  return { type: "text", text: lines.join("; "), set: setOf(lines) };
}

/** The kind of things that a question selects from: "which of the irons is on". */
function askedKind({ op, of }: Expression): string | undefined {
  const [set] = op === "name" ? of : [];
  return set === undefined || set.op === "things" ? undefined : kindIn(set);
}

/** The one kind of a set, by its words. */
function kindIn({ op, of, with: { category } }: Expression): string | undefined {
  if (op === "things" || op === "known")
    return typeof category === "string" ? singularOf(category) : undefined;
  const kinds = (op === "or" ? of : of.slice(0, 1)).map(kindIn);
  return SETS.has(op) && kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;
}

const SETS = new Set("filter minus most least nth relate in and or the affected changes".split(" "));

async function saySelf(
  { position, yawRad }: Extract<Value, { kind: "self" }>,
  { roomAt }: SayContext,
): Promise<Spoken> {
  const room = await roomAt?.(position);
  return {
    type: "position",
    text: room ? room.name : "here",
    position: { point: position, frame: "world", ...(room && { region: room.name }) },
    yawRad,
  };
}

/** Habits are reported as habits, and unobserved facts as guesses. */
function hedged({ op }: Expression, text: string): string {
  const word = /^(?:yes|no)\b/.exec(text)?.[0];
  const rest = word === undefined ? text : text.slice(word.length);
  if (op === "likely") {
    if (word !== undefined) return `${word}, probably${word === "no" ? " not" : ""} (a guess)${rest}`;
    return /^probably\b/.test(text) ? text : `probably ${text} (a guess)`;
  }
  if (op === "usual" && word === undefined && !/\busual/.test(text)) return `usually ${text}`;
  return text;
}
