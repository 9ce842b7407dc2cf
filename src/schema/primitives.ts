import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** The basic values of records. Non-finite numbers and integers past 2^53 are refused. */

export const idSchema = z
  .string()
  .min(1)
  .max(LIMITS.idChars)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/,
    "an id starts with a letter or digit and has only A-Z a-z 0-9 _ . : -",
  );

/** Half a surrogate pair cannot be stored: it would be read back as another text. */
const isWellFormed = (text: string): boolean => text.isWellFormed();
const WELL_FORMED = "a text is whole characters (no lone surrogates)";

/** Access labels are a set: sorted and without repeats, so that equal sets are equal values. */
export const labelsSchema = z
  .array(z.string().min(1).max(LIMITS.labelChars).refine(isWellFormed, WELL_FORMED))
  .max(LIMITS.labelsPerRecord)
  .default([])
  .transform((labels) => (labels.length < 2 ? labels : [...new Set(labels)].sort()));
export const nameSchema = z.string().min(1).max(LIMITS.nameChars).refine(isWellFormed, WELL_FORMED);
export const timeUsSchema = z.int().min(-LIMITS.timeUs).max(LIMITS.timeUs);
export const probabilitySchema = z.number().min(0).max(1);
export const lineSchema = z.string().min(1).max(LIMITS.lineChars).refine(isWellFormed, WELL_FORMED);

/** Any JSON of bounded depth; checked without recursion, so that no input can exhaust the stack. */
export const boundedJsonSchema = z
  .custom<z.core.util.JSONType>(
    isBoundedJson,
    `expected JSON of at most ${LIMITS.jsonDepth} levels, of finite numbers and whole characters`,
  )
  // Schema generators cannot look into a function.
  .meta({ type: ["object", "array", "string", "number", "boolean", "null"] });

/** Whether a value is JSON with at most this nesting depth. */
export function isBoundedJson(value: unknown, depth: number = LIMITS.jsonDepth): boolean {
  let level: unknown[] = [value];
  for (let at = 0; level.length > 0; at++) {
    if (at > depth) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (
        typeof item === "string" ? !item.isWellFormed() : typeof item === "number" && !Number.isFinite(item)
      )
        return false;
      if (item === null || typeof item === "string" || typeof item === "number" || typeof item === "boolean")
        continue;
      if (typeof item !== "object") return false;
      if (!Array.isArray(item)) for (const key in item) if (!key.isWellFormed()) return false;
      for (const inner of Object.values(item)) next.push(inner);
    }
    level = next;
  }
  return true;
}

const coordinate = z.number().min(-LIMITS.coordinateM).max(LIMITS.coordinateM);
export const vec3Schema = z.object({ x: coordinate, y: coordinate, z: coordinate });

const size = z.number().min(0).max(LIMITS.coordinateM);
export const extentSchema = z.object({ x: size, y: size, z: size });

export const quatSchema = z
  .object({ w: z.number(), x: z.number(), y: z.number(), z: z.number() })
  .refine((q) => Math.abs(Math.hypot(q.w, q.x, q.y, q.z) - 1) < 1e-3, "a rotation is a unit quaternion");

/** sha256 of the content, in hex: the blob's storage key. */
export const blobRefSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "a blob is named by the sha256 of its content");

/**
 * A position relative to a submap: when a loop closure or an alignment moves the submap, the record moves with it and
 * is not rewritten (docs/formulas.md#frames).
 */
export const anchorSchema = z.object({
  submap: idSchema,
  p: vec3Schema,
  q: quatSchema.optional(),
  /** 3×3 row-major, square metres. */
  cov: z.array(z.number()).length(9).optional(),
});

export type Anchor = z.infer<typeof anchorSchema>;
