import type { z } from "zod";

/** Returned by a part that cannot decide: the schema itself then decides. */
const UNSURE = Symbol("unsure");
type Part = (value: unknown) => unknown;

/** The parts of a schema's definition that are read here, by zod's own names. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly check?: string;
  readonly format?: string;
  readonly innerType?: Node;
  readonly element?: Node;
  readonly in?: Node;
  readonly out?: Node;
  readonly shape?: Readonly<Record<string, Node>>;
  readonly catchall?: Node;
  readonly options?: readonly Node[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly coerce?: boolean;
  readonly error?: unknown;
  readonly defaultValue?: unknown;
  readonly transform?: (value: unknown) => unknown;
}

interface Check {
  readonly check: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly fn?: (value: unknown) => unknown;
}

interface Node {
  readonly _zod: { readonly def: Definition };
}

/**
 * A fast path of a schema for valid input, which nearly all of it is: returns the schema's result, or undefined when
 * unsure; then the schema decides and words the error. It follows the schema's own definition, so it applies every
 * limit of the schema; an unknown construct makes it unsure.
 */
export function quickParser<S extends z.ZodType>(schema: S): (value: unknown) => z.output<S> | undefined {
  const part = partOf(schema as unknown as Node);
  return (value) => {
    const result = part(value);
    return result === UNSURE ? undefined : (result as z.output<S>);
  };
}

const never: Part = () => UNSURE;

function partOf(node: Node): Part {
  const { def } = node._zod;
  const plain = def.coerce ? never : (KINDS[def.type] ?? (() => never))(def);
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def);
  // z.int() is its own check.
  if (def.check !== undefined) checks.push(def as Check);
  if (checks.length === 0) return plain;
  const passes = testOf(checks);
  if (passes === undefined) return never;
  return (value) => {
    const result = plain(value);
    return result !== UNSURE && passes(result) ? result : UNSURE;
  };
}

/** All checks of one value as one test; undefined if one of them is not known here. */
function testOf(checks: readonly Check[]): ((value: unknown) => boolean) | undefined {
  const [first, ...rest] = checks;
  const test = first === undefined ? () => true : oneTest(first);
  if (rest.length === 0 || test === undefined) return test;
  const others = testOf(rest);
  return others && ((value) => test(value) && others(value));
}

function oneTest({ check, format, pattern, minimum, maximum, length, value, inclusive, fn }: Check) {
  const size = (of: unknown) => (of as { readonly length: number }).length;
  switch (check) {
    case "min_length":
      return (of: unknown) => size(of) >= minimum!;
    case "max_length":
      return (of: unknown) => size(of) <= maximum!;
    case "length_equals":
      return (of: unknown) => size(of) === length!;
    case "string_format":
      // A pattern that remembers where it stopped would answer differently the second time.
      if (format !== "regex" || pattern === undefined || pattern.global || pattern.sticky) return undefined;
      return (text: unknown) => pattern.test(text as string);
    case "number_format":
      return format === "safeint" ? (number: unknown) => Number.isSafeInteger(number) : undefined;
    case "greater_than":
      return (number: unknown) => (inclusive ? (number as number) >= value! : (number as number) > value!);
    case "less_than":
      return (number: unknown) => (inclusive ? (number as number) <= value! : (number as number) < value!);
    case "custom":
      return fn === undefined ? undefined : (of: unknown) => Boolean(fn(of));
    default:
      return undefined;
  }
}

const KINDS: Readonly<Record<string, (def: Definition) => Part>> = {
  string: () => (value) => (typeof value === "string" ? value : UNSURE),
  number: () => (value) => (typeof value === "number" && Number.isFinite(value) ? value : UNSURE),
  boolean: () => (value) => (typeof value === "boolean" ? value : UNSURE),
  literal: ({ values }) => oneOf(new Set(values)),
  enum: ({ entries = {} }) => {
    const values = Object.values(entries);
    // A numeric enum lists its names among its values, and they are none.
    return values.every((value) => typeof value === "string") ? oneOf(new Set(values)) : never;
  },
  nullable: ({ innerType }) => {
    const inner = partOf(innerType!);
    return (value) => (value === null ? null : inner(value));
  },
  optional: ({ innerType }) => {
    // An optional default is no part of any record, and has rules of its own.
    if (innerType!._zod.def.type === "default") return never;
    const inner = partOf(innerType!);
    return (value) => (value === undefined ? undefined : inner(value));
  },
  default: (def) => {
    const inner = partOf(def.innerType!);
    const { defaultValue } = def;
    if (Array.isArray(defaultValue) && defaultValue.length === 0)
      return (value) => (value === undefined ? [] : inner(value));
    // A getter: each record gets a value of its own.
    return (value) => (value === undefined ? def.defaultValue : inner(value));
  },
  pipe: ({ in: from, out }) => {
    const { type, transform } = out!._zod.def;
    if (type !== "transform" || transform === undefined) return never;
    const inner = partOf(from!);
    return (value) => {
      const result = inner(value);
      return result === UNSURE ? UNSURE : transform(result);
    };
  },
  array: ({ element }) => {
    const inner = partOf(element!);
    return (value) => {
      if (!Array.isArray(value)) return UNSURE;
      const result: unknown[] = [];
      for (let i = 0; i < value.length; i++) {
        const item = inner(value[i]);
        if (item === UNSURE) return UNSURE;
        result.push(item);
      }
      return result;
    };
  },
  object: objectPart,
  union: ({ options, discriminator }) => {
    if (discriminator === undefined) return never;
    const byValue = new Map<unknown, Part>();
    for (const option of options ?? []) {
      const { values } = option._zod.def.shape?.[discriminator]?._zod.def ?? {};
      if (values === undefined) return never;
      const part = partOf(option);
      for (const value of values) byValue.set(value, part);
    }
    return (value) => (isPlain(value) ? (byValue.get(value[discriminator]) ?? never)(value) : UNSURE);
  },
};

function oneOf(values: ReadonlySet<unknown>): Part {
  return (value) => (values.has(value) ? value : UNSURE);
}

function objectPart({ shape, catchall }: Definition): Part {
  if (shape === undefined || catchall !== undefined) return never;
  const keys = Object.keys(shape);
  const parts = keys.map((key) => partOf(shape[key]!));
  return (value) => {
    if (!isPlain(value)) return UNSURE;
    // A key that is present but undefined has rules of its own.
    for (const key in value) if (value[key] === undefined) return UNSURE;
    const result: Record<string, unknown> = {};
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const field = parts[i]!(value[key]);
      if (field === UNSURE) return UNSURE;
      if (field !== undefined) result[key] = field;
    }
    return result;
  };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
