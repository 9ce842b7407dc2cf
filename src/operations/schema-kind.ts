import { z } from "zod";

/** Whether a field has this schema, be it described in other words. */
export function isOf(schema: z.ZodType, known: z.ZodType): boolean {
  for (let one: z.core.$ZodType | undefined = schema; one !== undefined; one = one._zod.parent)
    if (one === known) return true;
  return false;
}

/** What is given where a field may be left out, has a default, or is tidied up. */
export function innerOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return innerOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? innerOf(schema.in as z.ZodType) : schema;
}
