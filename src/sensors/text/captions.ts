import { z } from "zod";
import { LIMITS, LociError, parseOrThrow, throwIfAborted } from "../../schema/index.ts";
import { epochToUs } from "../datasets/tables.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, rateOf, type SourcePlan } from "../plan.ts";
import type { RecordingItem } from "../recording.ts";
import type { OpenSource } from "../source.ts";
import type { RecordedCaption } from "../statements.ts";

/** Duration of a caption without an end. */
const LASTS_US = 3_000_000;
/** What captioners write when they see nothing. */
const NOTHING = /^(unknown|none|null|n\/?a|nan)?\.?$/i;

const numeric = z.union([z.number(), z.string().min(1).max(64)]);
const rowSchema = z.looseObject({
  caption: z.string().max(LIMITS.bodyBytes).optional(),
  text: z.string().max(LIMITS.bodyBytes).optional(),
  time: numeric.optional(),
  timestamp: numeric.optional(),
  start_time: numeric.optional(),
  end_time: numeric.optional(),
  position: z.union([z.array(z.number()).min(2).max(3), z.string().max(256)]).nullish(),
  x: numeric.optional(),
  y: numeric.optional(),
  z: numeric.optional(),
  theta: numeric.nullish(),
});
type Row = z.infer<typeof rowSchema>;

/** Whether a row of JSON or of a table is a caption: it has text and a time. */
export function isCaption(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    ("caption" in value || "text" in value) && ["time", "timestamp", "start_time"].some((key) => key in value)
  );
}

/**
 * Sentences with a time and perhaps a place, as ReMEmbR and other tools store a drive: `caption, time, position,
 * theta`.
 */
export function captionSource(path: string, rows: readonly unknown[], options: ReadOptions): OpenSource {
  const agentId = options.agentId ?? "robot";
  const captions: RecordedCaption[] = [];
  let empty = 0;
  let placed = 0;
  rows.forEach((value, n) => {
    const row = parseOrThrow(rowSchema, value, `row ${n + 1} of ${path}`);
    const text = (row.caption ?? row.text ?? "").trim();
    if (NOTHING.test(text)) {
      empty++;
      return;
    }
    const timeUs = timeOf(row.start_time ?? row.time ?? row.timestamp, options, path, n);
    const endUs = row.end_time === undefined ? timeUs + LASTS_US : timeOf(row.end_time, options, path, n);
    const position = placeOf(row);
    const yawRad = row.theta === undefined || row.theta === null ? Number.NaN : Number(row.theta);
    if (position) placed++;
    captions.push({
      index: captions.length,
      text,
      timeUs,
      endUs: Math.max(endUs, timeUs + 1),
      agentId,
      mapFrame: options.mapFrame ?? "world",
      ...(position && { position }),
      ...(Number.isFinite(yawRad) && { yawRad }),
    });
  });
  const plan = planOf(path, captions, { empty, placed });
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    for (const caption of captions) {
      throwIfAborted(signal);
      yield { kind: "caption", caption };
    }
  }
  return { plan, info: infoOf(plan, [agentId]), items, close: async () => {} };
}

/** Seconds, or any unit that the magnitude implies, or a date; small numbers count from `startUs`. */
function timeOf(
  value: number | string | undefined,
  { startUs = 0 }: ReadOptions,
  path: string,
  n: number,
): number {
  const text = String(value ?? "").trim();
  const seconds = Number(text);
  const timeUs =
    epochToUs(text) ??
    (text !== "" && Number.isFinite(seconds) ? startUs + Math.round(seconds * 1e6) : Date.parse(text) * 1000);
  if (!Number.isSafeInteger(timeUs))
    throw new LociError(
      "invalid-input",
      `row ${n + 1} of ${path}: expected a time, got "${text.slice(0, 64)}"`,
    );
  return timeUs;
}

function placeOf(row: Row) {
  const list =
    typeof row.position === "string"
      ? row.position
          .replace(/[[\](),]/g, " ")
          .split(/\s+/)
          .filter(Boolean)
          .map(Number)
      : (row.position ??
        [row.x, row.y, row.z ?? 0].map((value) => (value === undefined ? Number.NaN : Number(value))));
  const [x, y, z = 0] = list;
  const isPlace = [x, y, z].every((value) => Math.abs(value!) <= LIMITS.coordinateM);
  return isPlace ? { x: x!, y: y!, z } : undefined;
}

function planOf(
  path: string,
  captions: readonly RecordedCaption[],
  { empty, placed }: { empty: number; placed: number },
): SourcePlan {
  const startUs = captions.length
    ? captions.reduce((at, { timeUs }) => Math.min(at, timeUs), Infinity)
    : null;
  const endUs = captions.length
    ? captions.reduce((at, { endUs: end }) => Math.max(at, end), -Infinity)
    : null;
  const count = captions.length;
  const noPlace = count - placed;
  return {
    path,
    format: "captions",
    streams: [
      { name: "captions", type: "text", count, rateHz: rateOf(count, startUs, endUs), use: "captions" },
    ],
    frames: 0,
    captions: count,
    graphs: 0,
    startUs,
    endUs,
    poses: placed > 0 ? { from: "position of each caption", count: placed } : null,
    conventions: ["Positions are in metres with z up; theta is counter-clockwise from +X in radians."],
    missing: [
      ...(count === 0 ? ["No captions."] : []),
      ...(empty > 0
        ? [
            empty === 1
              ? "1 row has no caption and is left out."
              : `${empty} rows have no caption and are left out.`,
          ]
        : []),
      ...(noPlace > 0
        ? [noPlace === 1 ? "1 caption has no position." : `${noPlace} captions have no position.`]
        : []),
    ],
  };
}
