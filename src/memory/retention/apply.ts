import { LIMITS, type LociRecord } from "../../schema/core.ts";
import type { ForgetReport, MemoryReader, MemoryWriter } from "../port.ts";
import { planRetention, type RetentionPlan, type RetentionTools } from "./plan.ts";
import type { RetentionPolicy } from "./policy.ts";
import type { Slimmed } from "./slim.ts";

/** Estimates are not pages on a disk: what is still over after a round is planned anew. */
const MOST_ROUNDS = 10;

/** Kept with every id that goes, so it is short. */
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

/**
 * Does what a plan says. Merged captions and slimmer records are written first, so that no moment knows less than both
 * sides: cut off in between, the versions before are past ones that the next round gives up.
 */
export async function applyRetention(
  writer: MemoryWriter,
  plan: RetentionPlan,
): Promise<ForgetReport | null> {
  const { merges, slimmed, evictions, passes, past, sightings } = plan;
  const anew: readonly Pick<Slimmed, "record" | "blobs">[] = [
    ...merges.map(({ into }) => ({ record: into as LociRecord })),
    ...slimmed,
  ];
  for (let from = 0; from < anew.length; from += LIMITS.recordsPerBatch) {
    const some = anew.slice(from, from + LIMITS.recordsPerBatch);
    await writer.write({
      records: some.map(({ record }) => record),
      blobs: some.flatMap(({ blobs }) => blobs ?? []),
    });
  }
  const ids = [...merges.flatMap(({ forgotten }) => forgotten), ...evictions.map(({ id }) => id), ...passes];
  const replaced = slimmed.flatMap(({ record: { id }, versions }) =>
    versions.map((version) => ({ id, version })),
  );
  if (ids.length + past.length + replaced.length + sightings.length === 0) return null;
  return writer.forget({
    ids,
    reason: REASON,
    past: [...past, ...replaced],
    sightings,
    strikeLog: true,
    onlyRecords: true,
  });
}

/** Plans and applies until the memory is within its budget or nothing more may go. */
export async function keepWithin(
  reader: MemoryReader,
  writer: MemoryWriter,
  policy: RetentionPolicy,
  tools: RetentionTools = {},
): Promise<RetentionReport> {
  const { bytes: bytesBefore } = await reader.stats();
  // Forgetting nothing folds the write-ahead log into the file: what is counted then is what is kept.
  await writer.forget({ ids: [], reason: REASON, onlyRecords: true });
  const plans: RetentionPlan[] = [];
  let { bytes: bytesAfter } = await reader.stats();
  // What is slimmed frees more or less than was thought: views and captions go only for what is over after that.
  let onlySlim = policy.maxBytes !== undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let plan = await planRetention(reader, policy, { ...tools, onlySlim });
    if (onlySlim && isIdle(plan)) {
      onlySlim = false;
      plan = await planRetention(reader, policy, tools);
    }
    plans.push(plan);
    if ((await applyRetention(writer, plan)) === null) break;
    // A budget of bytes is worth more than the names of what it took.
    if (policy.maxBytes !== undefined && (await reader.stats()).bytes > policy.maxBytes)
      await writer.forget({ ids: [], reason: REASON, strikeLog: true, onlyRecords: true });
    bytesAfter = (await reader.stats()).bytes;
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

function isIdle({ merges, slimmed, evictions, passes, past, sightings }: RetentionPlan): boolean {
  return [merges, slimmed, evictions, passes, past, sightings].every(({ length }) => length === 0);
}
