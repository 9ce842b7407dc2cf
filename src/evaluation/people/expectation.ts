import { z } from "zod";
import type { AnswerRecord } from "../../schema/index.ts";

/**
 * The requirements of a right answer, fixed before anything is asked and marked without a language model (`mark.ts`).
 * The page for writers is bench/people/README.md.
 */
const MOST = { alternatives: 24, items: 64, chars: 200 } as const;
const word = z.string().trim().min(1).max(MOST.chars);
/** Any one of these is accepted. */
const anyWord = z.array(word).min(1).max(MOST.alternatives);
/** One of each of these is required. */
const eachWord = z.array(anyWord).min(1).max(MOST.items);

/** Units of numbers, with their size in metres, square metres, seconds or degrees. */
export const UNITS = {
  m: { kind: "length", factor: 1 },
  cm: { kind: "length", factor: 0.01 },
  m2: { kind: "area", factor: 1 },
  s: { kind: "time", factor: 1 },
  min: { kind: "time", factor: 60 },
} as const;
export type Unit = keyof typeof UNITS;
export type Measure = (typeof UNITS)[Unit]["kind"];

export const DIRECTIONS = ["left", "right", "ahead", "behind", "up", "down"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Why a question must not be answered. */
export const REASONS = ["act", "ambiguous", "taste", "unknown", "false-premise"] as const;
export type Reason = (typeof REASONS)[number];

const item = z.strictObject({
  any: anyWord,
  colour: anyWord.optional(),
  /** Required number of it. */
  count: z.int().min(1).max(1_000).optional(),
});

const CLOCK = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

const forms = {
  yes: z.strictObject({ yes: z.boolean() }),
  count: z.strictObject({
    count: z.int().min(0).max(10_000),
    tolerance: z.int().min(0).max(10_000).default(0),
  }),
  number: z.strictObject({
    number: z.number(),
    unit: z.enum(Object.keys(UNITS) as [Unit, ...Unit[]]),
    tolerance: z.number().positive("expected how far off, in the same unit, is still right"),
  }),
  things: z.strictObject({
    things: z.array(item).max(MOST.items),
    /** Whether additional items are wrong; those in `may` are optional. */
    exactly: z.boolean().default(true),
    may: anyWord.optional(),
  }),
  room: z.strictObject({ room: anyWord }),
  words: z.strictObject({
    words: z
      .strictObject({ all: eachWord.optional(), none: anyWord.optional() })
      .refine(({ all, none }) => all !== undefined || none !== undefined, "expected all or none"),
  }),
  time: z.strictObject({
    time: z.string().regex(CLOCK, "expected a time such as 09:03 or 09:03:20"),
    toleranceS: z.number().positive().max(86_400),
  }),
  place: z.strictObject({
    place: z
      .strictObject({ room: anyWord.optional(), on: anyWord.optional(), near: anyWord.optional() })
      .refine((place) => Object.keys(place).length > 0, "expected room, on or near"),
  }),
  route: z.strictObject({ route: z.array(word).min(2).max(32) }),
  direction: z.strictObject({ direction: z.array(z.enum(DIRECTIONS)).min(1).max(3) }),
  refuse: z.strictObject({ refuse: z.enum(REASONS), says: eachWord.optional() }),
} as const;

export type FormName = keyof typeof forms;
export type Form<N extends FormName> = z.output<(typeof forms)[N]>;
type Simple = { readonly [N in FormName]: Form<N> }[FormName];
/** One form, or some of them of which one (`anyOf`) or all (`allOf`) must hold. */
export type Expectation =
  | Simple
  | { readonly anyOf: readonly Expectation[] }
  | { readonly allOf: readonly Expectation[] };

/** The marked parts of an answer: the sentence for people and the fields for programs. */
export type Marked = Pick<
  AnswerRecord,
  | "question"
  | "askedAtUs"
  | "status"
  | "text"
  | "binary"
  | "count"
  | "quantity"
  | "durationS"
  | "time"
  | "set"
  | "position"
>;

const FORM_NAMES = Object.keys(forms) as FormName[];
const GROUPS = ["anyOf", "allOf"] as const;
const MAX_DEEP = 4;

/** The key determines the form, so that errors refer to that form and not to all of them. */
export const expectationSchema: z.ZodType<Expectation> = z.unknown().transform((value, context) => {
  const parsed = parseForm(value, 0);
  if (typeof parsed !== "string") return parsed;
  context.addIssue({ code: "custom", message: parsed });
  return z.NEVER;
}) as unknown as z.ZodType<Expectation>;

function parseForm(value: unknown, depth: number): Expectation | string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return 'expected an object such as {"yes": true}';
  const group = GROUPS.find((name) => name in value);
  if (group !== undefined) return parseGroup(group, value as Record<string, unknown>, depth);
  const name = FORM_NAMES.find((one) => one in value);
  if (name === undefined) return `expected one of ${[...FORM_NAMES, ...GROUPS].join(", ")}`;
  const parsed = forms[name].safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  return `${[...issue.path.map(String)].join(".") || name}: ${issue.message}`;
}

function parseGroup(
  name: (typeof GROUPS)[number],
  value: Record<string, unknown>,
  depth: number,
): Expectation | string {
  const list = value[name];
  if (depth >= MAX_DEEP) return `${name}: nested too deep`;
  if (Object.keys(value).length > 1) return `${name}: expected nothing beside it`;
  if (!Array.isArray(list) || list.length < 2 || list.length > MOST.alternatives)
    return `${name}: expected 2 to ${MOST.alternatives} expectations`;
  const parsed = list.map((one) => parseForm(one, depth + 1));
  const wrong = parsed.find((one) => typeof one === "string");
  if (wrong !== undefined) return `${name}: ${wrong}`;
  const all = parsed as Expectation[];
  return name === "anyOf" ? { anyOf: all } : { allOf: all };
}

/** Which form it is. */
export function formOf(expect: Expectation): FormName | (typeof GROUPS)[number] {
  return [...GROUPS, ...FORM_NAMES].find((name) => name in expect)!;
}

/** The reasons for which the question may rightly be refused. */
export function reasonsOf(expect: Expectation): Reason[] {
  if ("anyOf" in expect) return expect.anyOf.flatMap(reasonsOf);
  if ("allOf" in expect) return expect.allOf.flatMap(reasonsOf);
  return "refuse" in expect ? [expect.refuse] : [];
}
