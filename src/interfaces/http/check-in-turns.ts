import { z } from "zod";
import { LociError } from "../../schema/core.ts";

/** The result of a check, in zod's form. */
export type Checked =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: z.ZodError };

type Issue = z.core.$ZodIssue;

/** Lists that are no longer are checked in one go. */
const SHORT_ITEMS = 64;
/** At most this many errors of one list are reported. */
const MAX_ISSUES = 32;

/**
 * Checks a long value by its schema as zod does, with others in between: a long list one member after another. A list that is
 * longer than its schema allows is refused before its members are looked at: of a million wrong ones every one would be
 * written down.
 */
export async function checkInTurns(
  schema: z.ZodType,
  value: unknown,
  othersFirst: () => Promise<void> | undefined,
): Promise<Checked> {
  const issues: Issue[] = [];
  const data = await checkedPart(schema, value, [], { issues, othersFirst });
  return issues.length === 0
    ? { success: true, data }
    : { success: false, error: new z.ZodError(issues as never) };
}

interface Run {
  readonly issues: Issue[];
  readonly othersFirst: () => Promise<void> | undefined;
}

async function checkedPart(
  schema: z.ZodType,
  value: unknown,
  path: PropertyKey[],
  run: Run,
): Promise<unknown> {
  const { def } = schema as unknown as { readonly def: SchemaDef };
  if (Array.isArray(value) && value.length > SHORT_ITEMS) {
    const list = listOf(schema);
    if (list !== undefined) return checkedList(list, value, path, run);
  }
  const isPlain = def.type === "object" && (def.checks ?? []).length === 0;
  if (isPlain && isObject(value)) return checkedObject(schema, def, value, path, run);
  return checkedWhole(schema, value, path, run);
}

async function checkedList(
  list: z.ZodType,
  items: readonly unknown[],
  path: PropertyKey[],
  run: Run,
): Promise<unknown> {
  const { element } = (list as unknown as { readonly def: SchemaDef }).def;
  const most = mostOf(list);
  if (items.length > most) refuse(path, tooBig(most));
  const data: unknown[] = [];
  for (const [n, item] of items.entries()) {
    data.push(await checkedPart(element!, item, [...path, n], run));
    if (run.issues.length >= MAX_ISSUES) break;
    await run.othersFirst();
  }
  return data;
}

/** An object with its long lists checked by themselves; in their place the rest is checked with their first members. */
async function checkedObject(
  schema: z.ZodType,
  { shape }: SchemaDef,
  value: Readonly<Record<string, unknown>>,
  path: PropertyKey[],
  run: Run,
): Promise<unknown> {
  const long = Object.entries(shape!).filter(([name, inner]) => {
    const one = value[name];
    return Array.isArray(one) && one.length > SHORT_ITEMS && listOf(inner) !== undefined;
  });
  if (long.length === 0) return checkedWhole(schema, value, path, run);
  const shortened = { ...value };
  const made: Record<string, unknown> = {};
  for (const [name, inner] of long) {
    made[name] = await checkedList(listOf(inner)!, value[name] as unknown[], [...path, name], run);
    shortened[name] = (value[name] as unknown[]).slice(0, 1);
  }
  // Errors of the first members were reported above.
  const before = run.issues.length;
  const rest = await checkedWhole(schema, shortened, path, run);
  const told = run.issues.splice(before);
  const isTold = (issue: Issue) => long.some(([name]) => issue.path[path.length] === name);
  run.issues.push(...told.filter((issue) => !isTold(issue)));
  return isObject(rest) ? { ...rest, ...made } : rest;
}

async function checkedWhole(
  schema: z.ZodType,
  value: unknown,
  path: PropertyKey[],
  { issues }: Run,
): Promise<unknown> {
  refuseTooLong(schema, value, path);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) issues.push({ ...issue, path: [...path, ...issue.path] });
  return undefined;
}

const LENGTHS = ["max_length", "min_length"];

/** The list schema inside a schema, if its only checks are on the length; wrappers such as optional are removed. */
function listOf(schema: z.ZodType): z.ZodType | undefined {
  const { def } = schema as unknown as { readonly def: SchemaDef };
  if (def.type === "array")
    return (def.checks ?? []).every(({ _zod }) => LENGTHS.includes(_zod.def.check)) ? schema : undefined;
  return ["optional", "default", "readonly"].includes(def.type) ? listOf(def.innerType!) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseTooLong(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): void {
  const where = tooLong(schema, value);
  if (where !== undefined) refuse(path, where);
}

function refuse(path: readonly PropertyKey[], where: string): never {
  const at = path.map((part) => `.${String(part)}`).join("");
  throw new LociError("invalid-input", `json${at}${where}`);
}

const tooBig = (most: number): string => `: Too big: expected array to have <=${most} items`;

function mostOf(list: z.ZodType): number {
  const { checks = [] } = (list as unknown as { readonly def: SchemaDef }).def;
  return Math.min(...checks.map(({ _zod }) => _zod.def.maximum ?? Infinity), Infinity);
}

/** Where a list is longer than its schema says, and how long it may be. */
function tooLong(schema: z.ZodType, value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return undefined;
  const { def } = schema as unknown as { readonly def: SchemaDef };
  if (def.type === "array" && Array.isArray(value)) {
    const most = mostOf(schema);
    if (value.length > most) return tooBig(most);
    for (const [n, one] of value.entries()) {
      const where = tooLong(def.element!, one);
      if (where !== undefined) return `.${n}${where}`;
    }
    return undefined;
  }
  if (def.type === "object" && !Array.isArray(value)) {
    for (const [name, one] of Object.entries(def.shape!)) {
      const where = tooLong(one, (value as Record<string, unknown>)[name]);
      if (where !== undefined) return `.${name}${where}`;
    }
    return undefined;
  }
  // A union's value is too long only if it is too long for each option.
  if (def.options) {
    const found = def.options.map((option) => tooLong(option, value));
    return found.every((where) => where !== undefined) ? found[0] : undefined;
  }
  const inner = def.innerType ?? def.in;
  return inner && tooLong(inner, value);
}

/** The parts of zod's internal schema that are read here. */
interface SchemaDef {
  readonly type: string;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number } };
  }[];
}
