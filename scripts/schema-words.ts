/** JSON schemas in a few words, for people. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly description?: string;
}

/** Deeper than this a reader is better served by `/docs`. */
const DEEPEST = 3;
const MAX_SHAPES = 3;

/** A line for each field of an object. */
export function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    const fallback =
      schema.default === undefined ? "" : `, ${code(JSON.stringify(schema.default))} unless said`;
    const about = schema.description ? `: ${schema.description}` : "";
    return `- \`${name}${optional}\` ${typeOf(schema)}${fallback}${about}`;
  });
}

export function isObject(schema: Schema, named: Readonly<Record<string, Schema>>): boolean {
  return !schema.$ref && Object.keys(schema.properties ?? {}).length > 0 && !(nameOf(schema) in named);
}

/** A type in one piece: `{x number, y number, z number}[]`. */
export function typeOf(schema: Schema): string {
  const words = typeWords(schema, 0);
  return schema.$ref ? `[${words}](#${words.toLowerCase()})` : code(words);
}

const code = (words: string) => `\`${words}\``;

const nameOf = ({ $ref = "" }: Schema) => $ref.split("/").at(-1) ?? "";

function typeWords(schema: Schema, depth: number): string {
  if (schema.$ref) return nameOf(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && choices.length > MAX_SHAPES && choices.every(({ properties }) => properties))
    return `object of ${choices.length} shapes`;
  if (choices) return [...new Set(choices.map((choice) => typeWords(choice, depth)))].join(" or ");
  if (schema.allOf) return schema.allOf.map((part) => typeWords(part, depth)).join(" and ");
  if (schema.type === "array") {
    const items = typeWords(schema.items ?? {}, depth);
    return items.includes(" or ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
  }
  if (schema.properties) return objectWords(schema, depth + 1);
  if (schema.format === "date-time") return "ISO 8601";
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any";
}

function objectWords({ properties = {}, required = [] }: Schema, depth: number): string {
  if (depth > DEEPEST) return "{…}";
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"} ${typeWords(schema, depth)}`,
  );
  return `{${fields.join(", ")}}`;
}
