import { z } from "zod";
import { yawOf } from "../../geometry/index.ts";
import { type Expression, LociError } from "../../schema/index.ts";
import { signatureOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { scan } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { operatorNamed, operators } from "../algebra/table.ts";
import type { Value } from "../algebra/value.ts";
import { say } from "../say/say.ts";
import { surroundingsOf } from "../say/surroundings.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, momentUs } from "./tool.ts";

/** Things a value rests on that are told as cards. */
const MOST_CARDS = 24;

export const query = defineTool(
  "query",
  'count(in(things(category: "chair"), rooms(name: "kitchen"))); place the is when relate distance most at(x, moment("09:05")); help(NAME)',
  z.object({ expr: z.string().trim().min(1).max(2_000) }),
  async ({ expr: text }, memory) => {
    const asked = /^help\(\s*"?([\w-]*)"?\s*\)$/.exec(text)?.[1];
    if (asked !== undefined) return { facts: { help: helpFor(asked) } };
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

/** The same error with how the operators that were used are written. */
function mendable(error: unknown, expression: Expression): unknown {
  if (!(error instanceof LociError) || error.code !== "invalid-input") return error;
  const known = new Set(operators().map(({ name }) => name));
  const used = [...new Set(namesIn(expression))].filter((name) => known.has(name));
  return new LociError("invalid-input", `${error.message}. ${used.slice(0, 4).map(helpFor).join(". ")}`, {
    cause: error,
  });
}

function namesIn({ op, of }: Expression): string[] {
  return [op, ...of.flatMap(namesIn)];
}

/** How an operator is written and what it gives; without a name all that there are. */
function helpFor(name: string): string {
  if (name === "")
    return operators()
      .map((one) => one.name)
      .join(" ");
  const operator = operatorNamed(name);
  const options = Object.keys(operator.options?.shape ?? {});
  const told = options.length > 0 ? `; options ${options.join(", ")}` : "";
  return `${signatureOf(operator)}${told}: ${operator.says}`;
}

function scopeOf(memory: LoopMemory, question: string): Scope {
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
