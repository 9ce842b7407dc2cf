/**
 * Writes the methods of clients/python/loci.py that need no more than an operation says of itself:
 * `npx node scripts/python-client.ts`. Operations that have a method by hand there keep it. A test fails when the file is
 * not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { ALL_OPERATIONS, changesMemory, innerOf, isOf, type Operation } from "../src/operations/index.ts";
import { momentSchema, vec3Schema } from "../src/schema/index.ts";

export const CLIENT = "clients/python/loci.py";
const MARKS = {
  begin: "    # Made from the table of operations by scripts/python-client.ts.\n",
  end: "    # End of what is made.\n",
};
const LINE = 120;
const RENAMED: Readonly<Record<string, string>> = { from: "start" };

interface Argument {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The value as it is sent. */
  readonly sent: string;
}

/** The file as it should be. */
export function pythonClient(text: string): string {
  const [begin, end] = [text.indexOf(MARKS.begin), text.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) throw new Error(`${CLIENT} has lost its marks`);
  const before = text.slice(0, begin);
  const after = text.slice(end);
  const written = `${before}${after}`;
  const byHand = new Set(Array.from(written.matchAll(/^ {4}def (\w+)\(/gm), ([, name]) => name));
  const isByHand = (name: string, { http }: Operation) =>
    byHand.has(snake(name)) || written.includes(`"${http?.path}"`);
  const methods = ALL_OPERATIONS.flatMap(([name, made]) =>
    isPlain(made) && !isByHand(name, made) ? [methodOf(snake(name), made)] : [],
  );
  return `${before}${MARKS.begin}\n${methods.join("\n")}\n${after}`;
}

/** Whether an answer is JSON. */
function isPlain({ http, answers = "value" }: Operation): boolean {
  return http !== undefined && (answers === "value" || answers === "maybe" || answers === "tagged");
}

function methodOf(name: string, made: Operation): string {
  const { input, output, lead, summary } = made;
  const http = made.http!;
  const all = input instanceof z.ZodObject ? argumentsOf(input.shape as Record<string, z.ZodType>) : [];
  const first = all.filter(({ field, isRequired }) => field === lead || isRequired);
  const others = all.filter((one) => !first.includes(one));
  const signature = [
    "self",
    ...first.map(({ name, type }) => `${name}: ${type}`),
    ...(others.length > 0 ? ["*"] : []),
    ...others.map(({ name, type }) => `${name}: Optional[${type}] = None`),
  ];
  const returns = output instanceof z.ZodArray ? "List[Json]" : "Json";
  const head = listed(`    def ${name}(`, signature, `) -> ${returns}:`);
  const inPath = all.filter(({ field }) => http.path.includes(`{${field}}`));
  const rest = all.filter((one) => !inPath.includes(one));
  const path = http.path.replace(
    /\{(\w+)\}/g,
    (_, field) => `{_quoted(${all.find((one) => one.field === field)!.name})}`,
  );
  const pairs = rest.map(({ field, sent }) => `"${field}": ${sent}`);
  const asQuery = http.method !== "post" && rest.length > 0;
  const query = rest.map(({ field, sent }) => `${field}=${sent}`).join(", ");
  const place = `${inPath.length > 0 || asQuery ? "f" : ""}"${path}${asQuery ? `{_query(${query})}` : ""}"`;
  const hasBody = http.method === "post" && rest.length > 0;
  const repeats = http.repeats === true || (http.repeats === undefined && !changesMemory(made));
  const parts = [
    `"${http.method.toUpperCase()}", ${place}`,
    ...(hasBody ? ["_defined(body)"] : []),
    ...(repeats ? [] : ["is_repeatable=False"]),
  ];
  const field = http.field === undefined ? "" : `["${http.field}"]`;
  return [
    head,
    `        """${summary}."""`,
    ...(hasBody ? [listed("        body = {", pairs, "}")] : []),
    `        return self._http.json(${parts.join(", ")})${field}`,
    "",
  ].join("\n");
}

/** Items in one line, or one a line where that is too long. */
function listed(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= LINE) return line;
  const indent = " ".repeat(open.search(/\S/));
  return [open, ...items.map((item) => `${indent}    ${item},`), `${indent}${close}`].join("\n");
}

function argumentsOf(shape: Readonly<Record<string, z.ZodType>>): Argument[] {
  return Object.entries(shape).map(([field, schema]) => {
    const name = RENAMED[field] ?? snake(field);
    const inner = innerOf(schema);
    const isRequired = !schema.safeParse(undefined).success;
    return { field, name, isRequired, ...typeOf(inner, name) };
  });
}

function typeOf(schema: z.ZodType, name: string): Pick<Argument, "type" | "sent"> {
  if (isOf(schema, momentSchema)) return { type: "Moment", sent: `_moment(${name})` };
  if (isOf(schema, vec3Schema)) return { type: "Vec3", sent: `_vec3(${name})` };
  if (schema instanceof z.ZodNumber)
    return { type: schema.format === "safeint" ? "int" : "float", sent: name };
  if (schema instanceof z.ZodBoolean) return { type: "bool", sent: name };
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return { type: "str", sent: name };
  if (schema instanceof z.ZodArray) return { type: "Sequence[Any]", sent: name };
  return { type: "Any", sent: name };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

if (import.meta.main) {
  const file = new URL(`../${CLIENT}`, import.meta.url);
  writeFileSync(file, pythonClient(readFileSync(file, "utf8")));
}
