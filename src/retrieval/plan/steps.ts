import { z } from "zod";
import { LIMITS, RECORD_KINDS } from "../../schema/core.ts";
import { idSchema, nameSchema, quatSchema, timeUsSchema, vec3Schema } from "../../schema/primitives.ts";

/** The name of a step inside its plan. */
const name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,31}$/, "a step's name is a small letter, then letters and digits");
const kinds = z.array(z.enum(RECORD_KINDS)).min(1).max(RECORD_KINDS.length);
const many = z.int().min(1).max(LIMITS.hitsPerSearch);
const few = z.int().min(1).max(1_000);
const text = z.string().min(1).max(LIMITS.queryChars);
const cosine = z.number().min(-1).max(1);
const zUnits = z.number().min(-100).max(100);
const metres = z.number().min(0).max(LIMITS.coordinateM);
const names = z.array(name).min(1).max(32);

/** A place: given, the asker's own, or that of the best items of an earlier step (several: each is tried). */
const place = z.union([
  z.literal("here"),
  vec3Schema,
  z.object({ of: name, top: z.int().min(1).max(3).default(1) }),
]);
/** A time: given, the asker's now, so long before it, or when the best item of an earlier step began or ended. */
const time = z.union([
  z.literal("now"),
  timeUsSchema,
  z.object({ agoS: z.number().min(0).max(1e10) }),
  z.object({ of: name, edge: z.enum(["start", "end"]).default("start") }),
]);

const step = <O extends string, S extends z.ZodRawShape>(op: O, shape: S) =>
  z.object({ as: name, op: z.literal(op), ...shape });

/** Where items come from. */
const sources = [
  /** By meaning: the best line of a record against a text. */
  step("sem", { kinds, text, k: many.default(100), minZ: zUnits.optional(), minCosine: cosine.optional() }),
  /** By words (BM25). */
  step("lex", { kinds, text, k: many.default(100) }),
  /**
   * By words, concept by concept: a concept's own words or, at half weight, its substitutes, whichever scores higher;
   * concepts add up. A rich list of synonyms then never outweighs the words of the question.
   */
  step("concepts", {
    kinds,
    concepts: z
      .array(
        z.object({
          words: text,
          same: z.array(text).max(64).default([]),
          kinds: z.array(text).max(64).default([]),
        }),
      )
      .min(1)
      .max(16),
    k: many.default(100),
  }),
  /** By the picture given with the question. */
  step("image", { kinds, k: many.default(100), minZ: zUnits.optional() }),
  /** Views by what they show: the kinds of things in them against the kinds that a text names. */
  step("looks", { text, k: many.default(64) }),
  step("all", { kinds, k: many.default(1_000), order: z.enum(["earliest", "latest"]).default("earliest") }),
  /** Evenly spread over time. */
  step("uniform", { kinds, k: few }),
  step("recent", { kinds, k: many.default(10) }),
  step("given", { ids: z.array(idSchema).min(1).max(1_000) }),
  /** The views nearest to these times, each within `withinS` seconds. */
  step("viewsAt", {
    times: z.array(time).min(1).max(64),
    withinS: z.number().positive().max(3_600).default(3),
  }),
] as const;

/** Additional conditions. Constraints are part of the search below them, never a filter on its truncated list. */
const constraints = [
  step("near", { from: name, at: place, radiusM: metres }),
  step("nearest", { from: name, at: place, k: many.default(10), maxM: metres.optional() }),
  step("dir", {
    from: name,
    of: place,
    direction: z.enum(["left", "right", "front", "behind", "above", "below"]),
    /**
     * The viewpoint that defines left and right: the asker's, or the thing's own where its front is known. Above and
     * below are the world's.
     */
    frame: z.enum(["ego", "object"]).default("ego"),
    halfAngleRad: z
      .number()
      .positive()
      .max(Math.PI)
      .default(Math.PI / 4),
    rangeM: metres.default(5),
  }),
  step("inRegion", {
    from: name,
    region: z.union([idSchema, z.object({ of: name })]),
    /** Includes siblings under the same parent: the last round of broadening. */
    siblings: z.boolean().default(false),
  }),
  /** On the ground between two places: a strip from one to the other, as wide as this share of its length. */
  step("between", {
    from: name,
    a: place,
    b: place,
    widthShare: z.number().positive().max(4).default(0.5),
  }),
  /** Near a path in a span of time: within a distance of some of the positions of that time. */
  step("alongPath", {
    from: name,
    start: time,
    end: time,
    radiusM: metres.default(3),
    author: idSchema.optional(),
  }),
  step("box", { from: name, min: vec3Schema, max: vec3Schema }),
  step("visibleFrom", {
    from: name,
    /** Body frame (+X forward, +Z up); the asker's own without it. */
    pose: z.object({ p: vec3Schema, q: quatSchema }).optional(),
    horizontalRad: z.number().positive().lt(Math.PI).default(1.5),
    verticalRad: z.number().positive().lt(Math.PI).default(1.2),
    rangeM: metres.default(10),
  }),
  step("at", { from: name, time }),
  step("during", { from: name, start: time, end: time }),
  step("before", { from: name, time }),
  step("after", { from: name, time }),
  /** Still so at or after a time. */
  step("since", { from: name, time }),
  step("where", {
    from: name,
    category: z.array(nameSchema).min(1).max(64).optional(),
    author: z.array(idSchema).min(1).max(64).optional(),
    sceneId: z.array(idSchema).min(1).max(64).optional(),
    owner: z.array(idSchema).min(1).max(1_000).optional(),
    attributes: z.record(nameSchema, z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  step("asOf", { from: name, worldUs: timeUsSchema.optional(), memoryUs: timeUsSchema.optional() }),
] as const;

/** The links of a record that can be followed, named from → to. */
export const LINKS = [
  "caption-state",
  "caption-view",
  "view-state",
  "state-view",
  "state-caption",
  "state-track",
  "track-state",
  "state-region",
  "state-support",
  "state-supported",
  "place-region",
  "place-caption",
  "region-state",
  "region-parent",
  "region-children",
  "track-event",
] as const;

const rest = [
  // Logic. In `and` the first proposes; the others must accept and add their scores.
  step("and", { of: names }),
  step("or", { of: names }),
  step("minus", { from: name, without: name }),
  // Order in time.
  step("first", { from: name, k: many.default(1) }),
  step("last", { from: name, k: many.default(1) }),
  /** The second, the third…, counted from the first or, with `fromEnd`, from the last. */
  step("nth", { from: name, n: few, fromEnd: z.boolean().default(false) }),
  step("chronological", { from: name }),
  // Links.
  step("join", { from: name, along: z.enum(LINKS), k: many.default(1_000) }),
  step("inTime", {
    from: name,
    kinds,
    windowS: z.number().positive().max(86_400).default(10),
    k: many.default(100),
  }),
  // Fusion.
  step("rrf", {
    of: names,
    weights: z.array(z.number().min(0)).max(32).optional(),
    constant: z.number().positive().default(60),
  }),
  step("weighted", {
    of: names,
    weights: z.array(z.number().min(0)).min(1).max(32),
    normalise: z.enum(["zscore", "minmax", "none"]).default("zscore"),
  }),
  step("mmr", {
    from: name,
    k: few.default(6),
    lambda: z.number().min(0).max(1).default(0.7),
    by: z.enum(["words", "states", "vectors"]).default("words"),
  }),
  // Selection.
  step("topK", { from: name, k: many }),
  /** Keeps what passes the pool's own scale: z-units above the background, or min–max over the pool (paper). */
  step("threshold", {
    from: name,
    minZ: zUnits.optional(),
    minMax: z.number().min(0).max(1).optional(),
    atLeast: few.default(1),
    otherwise: few.optional(),
  }),
  step("radius", {
    from: name,
    alphaE: z.number().positive().max(10).default(1),
    minZ: zUnits.default(0.5),
    /** How many of the best are kept although they lie outside. */
    atLeast: z.int().min(0).max(1_000).default(0),
    entropy: z.enum(["ambiguity", "softmaxEmbedding", "squaredComponents"]).default("ambiguity"),
    text: text.optional(),
  }),
  step("adaptiveK", {
    from: name,
    kMin: few.default(2),
    kMax: few.default(10),
    beta: z.number().min(0).max(100).default(1),
    /** As many as match about equally well, or `kMin` and `beta` a nat. */
    by: z.enum(["equals", "nats"]).default("nats"),
    entropy: z.enum(["ambiguity", "softmaxEmbedding", "squaredComponents"]).default("ambiguity"),
    text: text.optional(),
  }),
  step("ib", {
    from: name,
    cues: z.array(text).min(1).max(16),
    nullMode: z.enum(["soft", "clio"]).default("soft"),
    alphaZ: zUnits.default(1.5),
    /** A raw cosine instead of z-units. */
    alpha: cosine.optional(),
    deltaN: z.number().min(0).optional(),
    delta: z.number().min(0).optional(),
    topK: few.default(2),
    cumulative: z.boolean().default(true),
    neighbours: z.enum(["touching", "paper"]).default("touching"),
    /** How many things take part at most: those with the best cue scores. */
    most: z.int().min(1).max(10_000).default(64),
  }),
  step("cover", {
    from: name,
    clusters: name,
    k: few.default(6),
    /** Also other times of the same things: for "when" and "last". */
    temporal: z.boolean().default(false),
    /** Which of nearly identical captions to keep. */
    prefer: z.enum(["best", "newest", "oldest"]).default("best"),
    /** One caption for each cluster, the best by similarity, as in the paper, instead of a set cover. */
    representatives: z.boolean().default(false),
    fillZ: zUnits.default(1),
  }),
  step("dedupeByTrack", { from: name }),
  /**
   * Keeps the best of records that share more than this of the things they show, or, if they show none, of their words.
   */
  step("distinct", { from: name, over: z.number().min(0).max(1).default(0.6) }),
  step("budget", { from: name, tokens: z.int().min(1).max(1_000_000) }),
  // Hierarchy.
  step("descend", {
    text,
    k: few.default(6),
    mode: z.enum(["best-first", "paper"]).default("best-first"),
    temperature: z.number().positive().max(100).default(1),
    leafShare: z.number().min(0).max(0.8).default(0.6),
    tags: z.array(z.string().max(64)).max(64).default([]),
    near: place.optional(),
  }),
  step("chains", { from: name }),
  step("summary", { text: text.optional(), minLevel: z.int().min(0).default(2), k: few.default(6) }),
  // Control.
  step("broaden", { from: name, atLeast: few.default(1), rounds: z.int().min(1).max(6).default(3) }),
  step("fallback", { of: names, atLeast: few.default(1) }),
  /** `redundant` where more than this share of the best of `from` nearly repeats a better one, else `otherwise`. */
  step("ifRedundant", {
    from: name,
    over: z.number().min(0).max(1).default(0.5),
    sample: z.int().min(2).max(100).default(24),
    redundant: name,
    otherwise: name,
  }),
  step("none", {}),
] as const;

export const stepSchema = z.discriminatedUnion("op", [...sources, ...constraints, ...rest]);

export type Step = z.infer<typeof stepSchema>;
export type StepOf<O extends Step["op"]> = Extract<Step, { op: O }>;
export type StepInput = z.input<typeof stepSchema>;
export type Link = (typeof LINKS)[number];
export type PlaceRef = z.infer<typeof place>;
export type TimeRef = z.infer<typeof time>;

export type ConstraintStep = z.infer<(typeof constraints)[number]>;

const CONSTRAINTS: ReadonlySet<string> = new Set(constraints.map((schema) => schema.shape.op.value));

export function isConstraint(step: Step): step is ConstraintStep {
  return CONSTRAINTS.has(step.op);
}
