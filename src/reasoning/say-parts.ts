import type { Vec3 } from "../geometry/index.ts";
import type { Expression } from "../schema/index.ts";
import type { Scope } from "./algebra/operator.ts";
import { type UnknownValue, unknownValue, type Value } from "./algebra/value.ts";
import { ahead, type Part } from "./answer.ts";
import { conditionOf, couldBe, hardlyIt } from "./could-be.ts";
import { noteBeside } from "./from-notes.ts";
import type { Nearest } from "./nearest-kind.ts";
import type { Reading } from "./read/reading.ts";
import { isKnownWord } from "./read/spell.ts";
import { rivalValues, takenFor } from "./rival-values.ts";
import { isPerhaps } from "./say/naming.ts";
import type { Said } from "./say/said.ts";
import { rootOf, say } from "./say/say.ts";
import { surroundingsOf } from "./say/surroundings.ts";

interface Telling {
  readonly nowUs: number;
  /** The kinds that replace names of unseen things, by part. */
  readonly nearest: ReadonlyMap<Expression, Nearest>;
  /** False premises of parts. */
  readonly otherwise: ReadonlyMap<Expression, UnknownValue>;
  /** The expression was given by the caller: it is about observations, and notes are not used. */
  readonly isGiven: boolean;
  /** The question is about the future. */
  readonly isAhead: boolean;
}

const NOT_READ: Expression = { op: "refuse", of: [], with: { reason: "not-understood" } };
/** An answer that tells its doubt itself. */
const HEDGED = /\b(?:perhaps|may be)\b/;
/** Operators whose answers notes may contradict: the place of a thing, and whether there is one. */
const BESIDE_NOTES: ReadonlySet<string> = new Set(["place", "exists", "within"]);

/** The result of each part of a question, in words: with substitutions, and notes that contradict it. */
export async function sayParts(
  reading: Reading,
  values: readonly Value[],
  scope: Scope,
  telling: Telling,
): Promise<Part[]> {
  const { memory } = scope;
  const context = {
    nowUs: telling.nowUs,
    surroundings: surroundingsOf(memory),
    roomAt: (point: Vec3) => memory.roomAt(point),
    knows: isKnownWord,
  };
  const parts: Part[] = [];
  for (const [n, found] of values.entries()) {
    const expression = reading.parts[n] ?? NOT_READ;
    const likeliest = (await couldBe(expression, found, scope)) ?? found;
    const rivals = await rivalValues(expression, likeliest, scope);
    const near = telling.nearest.get(expression);
    const ofLikeliest = await say(expression, likeliest, { ...context, ...(rivals && { rivals }) });
    const doubt = isFirm(likeliest) ? await hardlyIt(expression, ofLikeliest.goal, scope) : undefined;
    const value = doubt ?? likeliest;
    const said = doubt ? await say(expression, doubt, context) : ofLikeliest;
    const taken = said.goal && takenFor(expression, said.goal);
    // A thing that was mistaken for it and does not even match needs no question back.
    const isNone = taken !== undefined && value.kind === "unknown";
    const known = isNone ? unknownValue("never-seen", `I have not seen a ${taken.kind}`) : value;
    const meant = isNone
      ? await say(expression, known, context)
      : taken
        ? { ...said, text: `If you mean the ${taken.category}: ${said.text}` }
        : near
          ? { ...said, text: `If you mean the ${near.category}, nearest to “${near.kind}”: ${said.text}` }
          : said;
    const isOpen = !isFirm(value) || HEDGED.test(meant.text);
    const condition = isOpen ? undefined : conditionOf(expression, meant.goal);
    const held = condition === undefined ? meant : { ...meant, text: `${meant.text}, ${condition}` };
    const not = telling.otherwise.get(expression);
    const whole = telling.isGiven ? held : await withNote(expression, known, held, scope);
    parts.push({
      expression,
      value: known,
      said: telling.isAhead
        ? ahead(whole)
        : not?.reason === "looked-absent"
          ? { ...whole, text: `${not.says}; ${whole.text}` }
          : whole,
      rivals: rivals?.length ?? 0,
      isTaken:
        condition !== undefined ||
        near !== undefined ||
        not !== undefined ||
        (taken !== undefined && !isNone) ||
        isPerhaps(value),
    });
  }
  return parts;
}

/** Neither open nor a count, which tells its own doubt. */
function isFirm({ kind }: Value): boolean {
  return kind !== "unknown" && kind !== "number";
}

/** The observation first, then a note that contradicts it. */
async function withNote(expression: Expression, value: Value, said: Said, scope: Scope): Promise<Said> {
  const isBeside =
    BESIDE_NOTES.has(rootOf(expression).op) && value.kind !== "unknown" && said.binary !== true;
  const note = isBeside ? await noteBeside(expression, said.text, scope) : undefined;
  if (!note) return said;
  return { ...said, text: `${said.text}; ${note.text}`, evidence: [...said.evidence, ...note.evidence] };
}
