import { z } from "@hono/zod-openapi";

/** The fields of an operation as a query string gives them: numbers, flags and lists as text. */
export function fromQuery(shape: Readonly<Record<string, z.ZodType>>): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, fromText(schema)])),
  );
}

function fromText(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return fromText(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodDefault)
    return fromText(schema.unwrap() as z.ZodType).default(schema.def.defaultValue as never);
  if (schema instanceof z.ZodNumber)
    return (schema.format === "safeint" ? z.coerce.number().int() : z.coerce.number()).pipe(schema);
  if (schema instanceof z.ZodBoolean) return z.stringbool();
  if (schema instanceof z.ZodArray)
    return z
      .string()
      .max(LIST_CHARS)
      .openapi({ description: "separated by commas" })
      .transform((said) => said.split(","))
      .pipe(schema as z.ZodType<unknown, string[]>);
  // A number, or words: a moment.
  if (schema instanceof z.ZodUnion)
    return z
      .string()
      .transform((said) => (/^-?\d+$/.test(said) ? Number(said) : said))
      .pipe(schema as z.ZodType<unknown, number | string>);
  return schema;
}

/** Longest list in a query string. */
const LIST_CHARS = 200;
