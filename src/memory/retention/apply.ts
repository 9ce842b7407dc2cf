import { LIMITS, type LociRecord } from "../../schema/core.ts";
import type { ForgetReport, MemoryReader, MemoryWriter } from "../port.ts";
import { planRetention, type RetentionPlan, type RetentionTools } from "./plan.ts";
import type { RetentionPolicy } from "./policy.ts";
import type { Slimmed } from "./slim.ts";

/** Estimates differ from pages on a disk: a remaining excess is planned again after a round. */
const MAX_ROUNDS = 10;

/** Stored with every id given up, so it is short. */
const REASON = "retention";

export interface RetentionReport {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly isWithinBudget: boolean;
  readonly merged: number;
  readonly forgotten: number;
  readonly rounds: number;
  readonly plans: readonly RetentionPlan[];
}

/** Carries out a plan in one step: if interrupted, nothing of it was done. */
export async function applyRetention(
  writer: MemoryWriter,
  plan: RetentionPlan,
): Promise<ForgetReport | null> {
  const { merges, slimmed, evictions, passes, past, sightings } = plan;
  if (isIdle(plan)) return null;
  const anew: readonly Pick<Slimmed, "record" | "blobs">[] = [
    ...merges.map(({ into }) => ({ record: into as LociRecord })),
    ...slimmed,
  ].slice(0, LIMITS.recordsPerBatch);
  const written = new Set(anew.map(({ record }) => record.id));
  const replaced = slimmed
    .filter(({ record }) => written.has(record.id))
    .flatMap(({ record: { id }, versions }) => versions.map((version) => ({ id, version })));
  const merged = merges.filter(({ into }) => written.has(into.id)).flatMap(({ forgotten }) => forgotten);
  return writer.forget({
    ids: [...merged, ...evictions.map(({ id }) => id), ...passes],
    reason: REASON,
    past: [...past, ...replaced],
    sightings,
    strikeLog: true,
    onlyRecords: true,
    ...(anew.length > 0 && {
      instead: { records: anew.map(({ record }) => record), blobs: anew.flatMap(({ blobs }) => blobs ?? []) },
    }),
  });
}

/**
 * Plans and applies until the memory is within its budget or nothing more may be removed. A round depends only on the
 * memory before it, so an interrupted one is simply run again, with the same result.
 */
export async function keepWithin(
  reader: MemoryReader,
  writer: MemoryWriter,
  policy: RetentionPolicy,
  tools: RetentionTools = {},
): Promise<RetentionReport> {
  const { bytes: bytesBefore } = await reader.stats();
  const plans: RetentionPlan[] = [];
  let bytesAfter = await foldLog(reader, writer, policy);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const plan = await nextPlan(reader, policy, tools);
    plans.push(plan);
    if ((await applyRetention(writer, plan)) === null) break;
    bytesAfter = await foldLog(reader, writer, policy);
    if (policy.maxBytes === undefined || bytesAfter <= policy.maxBytes) break;
  }
  const count = (of: (plan: RetentionPlan) => number) => plans.reduce((sum, plan) => sum + of(plan), 0);
  return {
    bytesBefore,
    bytesAfter,
    isWithinBudget: policy.maxBytes === undefined || bytesAfter <= policy.maxBytes,
    merged: count(({ merges }) => merges.reduce((sum, { forgotten }) => sum + forgotten.length, 0)),
    forgotten: count(({ evictions, passes }) => evictions.length + passes.length),
    rounds: plans.length,
    plans,
  };
}

/** Slimming frees more or less than estimated: views and captions are removed only for the remaining excess. */
async function nextPlan(
  reader: MemoryReader,
  policy: RetentionPolicy,
  tools: RetentionTools,
): Promise<RetentionPlan> {
  if (policy.maxBytes === undefined) return planRetention(reader, policy, tools);
  const slim = await planRetention(reader, policy, { ...tools, onlySlim: true });
  return isIdle(slim) ? planRetention(reader, policy, tools) : slim;
}

/**
 * Folds the log into the file, so that the size counted is the size kept. The budget takes priority over the names of
 * what was given up.
 */
async function foldLog(
  reader: MemoryReader,
  writer: MemoryWriter,
  { maxBytes }: RetentionPolicy,
): Promise<number> {
  await writer.forget({ ids: [], reason: REASON, onlyRecords: true });
  const { bytes } = await reader.stats();
  if (maxBytes === undefined || bytes <= maxBytes) return bytes;
  await writer.forget({ ids: [], reason: REASON, strikeLog: true, onlyRecords: true });
  return (await reader.stats()).bytes;
}

function isIdle({ merges, slimmed, evictions, passes, past, sightings }: RetentionPlan): boolean {
  return [merges, slimmed, evictions, passes, past, sightings].every(({ length }) => length === 0);
}
