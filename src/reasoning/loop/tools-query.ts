import { z } from "zod";
import { yawOf } from "../../geometry/index.ts";
import { type Expression, LociError } from "../../schema/index.ts";
import { signatureOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { scan } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { operators } from "../algebra/table.ts";
import type { Value } from "../algebra/value.ts";
import { say } from "../say/say.ts";
import { surroundingsOf } from "../say/surroundings.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, momentUs } from "./tool.ts";

/** Things a value rests on that are told as cards. */
const MOST_CARDS = 24;

/** One example for each kind of measure that is asked for most; with `FORMS` all that a model is told before it asks. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  size: 'size(rooms(name: "bathroom"), dimension: "area")',
  distance: 'distance(the(things(category: "sofa")), the(things(category: "television")))',
  direction: 'direction(the(things(category: "front door")))',
  count: 'count(in(things(category: "chair", colour: "white"), rooms(name: "kitchen")))',
  most: 'name(most(in(things(), rooms(name: "kitchen")), size(it(), dimension: "height")))',
  relate: 'name(relate(things(), the(things(category: "table")), relation: "on"))',
  changes: 'when(changes(the(things(category: "door")), kinds: ["opened"]), which: "last")',
  at: 'at(place(the(things(category: "mug"))), moment("09:05"))',
};
const FORMS =
  "name place is attribute exists least filter and or minus duration stay route; help(NAME) is free";

export const query = defineTool(
  "query",
  `Computes. ${Object.values(EXAMPLES).join("; ")}; ${FORMS}`,
  z.object({ expr: z.string().trim().min(1).max(2_000) }),
  async ({ expr: text }, memory) => {
    const asked = /^help\(\s*"?([\w-]*)"?\s*\)$/.exec(text)?.[1];
    if (asked !== undefined) return { facts: { help: helpFor(asked) }, isHelp: true };
    const expression = readExpression(text, memory);
    const scope = scopeOf(memory, text);
    const value = await evaluate(expression, scope).catch((error: unknown) => {
      throw mendable(error, expression);
    });
    const { nowUs } = memory;
    const context = { nowUs, surroundings: surroundingsOf(memory.belief) };
    const said = await say(expression, value, context);
    const items = await memory.get(restsOn(value).slice(0, MOST_CARDS));
    const missing = "complete" in value ? value.complete.missing : [];
    return {
      items,
      facts: {
        value: said.text,
        ...(value.kind !== "unknown" && { sure: Math.round(value.p * 100) / 100 }),
        ...(missing.length > 0 && { notLookedAt: missing }),
      },
      count: value.kind === "number" && Number.isInteger(value.value) ? value.value : undefined,
    };
  },
);

/** The expression, with clock times in quotes where the algebra has microseconds. */
function readExpression(text: string, memory: LoopMemory): Expression {
  const timed = text.replaceAll(/moment\(\s*(?:at:\s*)?"([^"]*)"\s*\)/g, (_, said: string) => {
    const atUs = momentUs(memory, said);
    if (atUs === undefined)
      throw new LociError("invalid-input", `a moment is a clock time such as "09:05:23", got "${said}"`);
    return `moment(atUs: ${atUs})`;
  });
  try {
    return scan(timed);
  } catch (error) {
    throw new LociError("invalid-input", `${(error as Error).message}. ${FORM}`, { cause: error });
  }
}

const FORM =
  'An expression is operator(argument, …, option: "value"), such as count(in(things(category: "chair"), rooms(name: "kitchen"))).';

/** The same error with how the operators that were used are written, or those that may be meant by one that does not exist. */
function mendable(error: unknown, expression: Expression): unknown {
  if (!(error instanceof LociError) || error.code !== "invalid-input") return error;
  const known = new Set(operators().map(({ name }) => name));
  const used = [...new Set(namesIn(expression))];
  const unknown = used.find((name) => !known.has(name));
  const problem = unknown === undefined ? error.message : `there is no operator ${unknown}`;
  const helped = unknown === undefined ? used.slice(0, 4).map(helpFor) : [meantBy(unknown)];
  return new LociError("invalid-input", `${problem}. ${helped.join(". ")}`, { cause: error });
}

function namesIn({ op, of }: Expression): string[] {
  return [op, ...of.flatMap(namesIn)];
}

/** Operators that are told where one is named that does not exist. */
const MOST_MEANT = 3;

/** The operators that speak of a word: "area" is a dimension of size. */
function meantBy(word: string): string {
  const asked = new RegExp(`\\b${word.replaceAll(/[^a-z]/gi, "")}`, "i");
  const meant = operators().filter(({ name, says }) => asked.test(`${name} ${says}`));
  return meant.length === 0
    ? helpFor("")
    : meant
        .slice(0, MOST_MEANT)
        .map(({ name }) => helpFor(name))
        .join(". ");
}

/** The syntax and result of an operator; without a valid name, the list of all. */
function helpFor(name: string): string {
  const all = operators();
  const operator = all.find((one) => one.name === name);
  if (!operator) return `the operators are ${all.map((one) => one.name).join(" ")}`;
  const options = Object.keys(operator.options?.shape ?? {});
  const told = options.length > 0 ? `; options ${options.join(", ")}` : "";
  const example = EXAMPLES[name];
  return `${signatureOf(operator)}${told}: ${operator.says}${example === undefined ? "" : `; as in ${example}`}`;
}

/** The scope of evaluation: this question's memory, and the robot's pose. */
export function scopeOf(memory: LoopMemory, question: string): Scope {
  const { pose, map } = memory.options;
  return {
    memory: memory.belief,
    broadened: 0,
    question: question.toLowerCase(),
    map,
    ...(pose && {
      pose: {
        agentId: "local",
        timeUs: memory.nowUs,
        position: pose.p,
        yawRad: yawOf(pose.q),
        observationId: "asked",
      },
    }),
  };
}

/** The stays and records that a value is of, those of the value itself first. */
function restsOn(value: Value): string[] {
  const own = value.kind === "things" ? value.things.map(({ state }) => state.id) : [];
  const events = value.kind === "events" ? value.events.map(({ id }) => id) : [];
  return [...new Set([...own, ...events, ...value.evidence.map(({ ref }) => ref)])];
}
