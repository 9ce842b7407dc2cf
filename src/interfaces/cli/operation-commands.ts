import { InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import {
  ALL_OPERATIONS,
  type CommandOffer,
  innerOf,
  isOf,
  type Operation,
  type OperationName,
} from "../../operations/index.ts";
import { momentSchema, placeRefSchema, saidMomentSchema, vec3Schema } from "../../schema/index.ts";
import { parseList, parseMoment, parsePoint, parseSaidMoment } from "./arguments.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** How the command line writes the fields of an operation: the name of its value, and how it is read. */
interface Field {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly help: string;
}

/** A command for each operation that offers one: its arguments and options are the fields of its input. */
export function addOperations(command: AddCommand): void {
  for (const [name, made] of ALL_OPERATIONS)
    if (made.command) addOperation(command, name, made, made.command);
}

function addOperation(command: AddCommand, name: OperationName, made: Operation, offer: CommandOffer): void {
  const { positional = [], options = {} } = offer;
  const fields = fieldsOf(made);
  const placed = positional.map((said) => said.replace(/[[\]]/g, ""));
  const called = (field: string) => options[field] ?? kebab(field);
  const added = onMemory(
    command(offer.name ?? kebab(name), lowered(made.summary), async () => {
      const { runOperation } = await import("./commands/operation.ts");
      return runOperation(name, made, { placed, called: (field) => camel(called(field)) });
    }),
  );
  if (made.scope === "read")
    added.option("--labels <list>", "as somebody who holds only these access labels", parseList);
  for (const said of positional) {
    const field = fields.get(said.replace(/[[\]]/g, ""))!;
    added.argument(said.startsWith("[") ? said : `<${said}>`, field.help, parserOf(field.schema));
  }
  for (const [field, { schema, isRequired, help }] of fields) {
    if (placed.includes(field)) continue;
    const option = new Option(`--${called(field)}${valueText(schema)}`, help);
    const parse = parserOf(schema);
    if (parse) option.argParser(parse);
    if (schema instanceof z.ZodEnum) option.choices(schema.options.map(String));
    if (isRequired) option.makeOptionMandatory();
    added.addOption(option);
  }
}

function fieldsOf({ input }: Operation): Map<string, Field> {
  if (!(input instanceof z.ZodObject)) throw new Error("a command's options are the fields of an object");
  return new Map(
    Object.entries(input.shape as Record<string, z.ZodType>).map(([name, schema]) => {
      const inner = innerOf(schema);
      const isRequired = !schema.safeParse(undefined).success;
      const help = schema.description ?? inner.description ?? words(name);
      return [name, { name, schema: inner, isRequired, help }];
    }),
  );
}

/** The value that an option takes, as its help shows it. */
function valueText(schema: z.ZodType): string {
  if (schema instanceof z.ZodBoolean) return "";
  if (isOf(schema, momentSchema) || isOf(schema, saidMomentSchema)) return " <time>";
  if (isOf(schema, vec3Schema)) return " <x,y,z>";
  if (schema instanceof z.ZodNumber) return " <n>";
  if (schema instanceof z.ZodArray) return " <list>";
  return " <text>";
}

type Parse = (text: string) => unknown;

function parserOf(schema: z.ZodType): Parse | undefined {
  if (isOf(schema, momentSchema)) return parseMoment;
  if (isOf(schema, saidMomentSchema)) return parseSaidMoment;
  if (isOf(schema, vec3Schema)) return parsePoint;
  if (isOf(schema, placeRefSchema)) return pointOrWords;
  if (schema instanceof z.ZodArray) return parseList;
  if (schema instanceof z.ZodNumber) return (text) => checked(schema, Number(text), text);
  return schema instanceof z.ZodString ? (text) => checked(schema, text, text) : undefined;
}

function checked(schema: z.ZodType, value: unknown, text: string): unknown {
  const { success, error } = schema.safeParse(value);
  if (success) return value;
  throw new InvalidArgumentError(`${error.issues[0]?.message ?? "invalid"}, got "${text.slice(0, 100)}".`);
}

function pointOrWords(text: string): unknown {
  return /^[-\d.,\s]+$/.test(text) ? parsePoint(text) : text;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function words(name: string): string {
  return kebab(name).replaceAll("-", " ");
}

/** As the list of commands writes it. */
function lowered(summary: string): string {
  return /^[A-Z][a-z]/.test(summary) ? `${summary[0]!.toLowerCase()}${summary.slice(1)}` : summary;
}
