import { contentId } from "../../schema/core.ts";
import type { ForgetReport, MemoryReader, MemoryWriter } from "../port.ts";
import { planRetention, type RetentionPlan } from "./plan.ts";
import type { RetentionPolicy } from "./policy.ts";

/** Estimates are not pages on a disk: what is still over after a round is planned anew. */
const MOST_ROUNDS = 6;

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
 * Does what a plan says. Merged captions are written first, so that no moment knows less than both sides. A piece of
 * map cannot lose its points while past versions of it hold them, so it is forgotten whole and written anew; a
 * stand-in keeps its place meanwhile, so that a crash at any point leaves the map complete.
 */
export async function applyRetention(
  writer: MemoryWriter,
  plan: RetentionPlan,
): Promise<ForgetReport | null> {
  const standIns = plan.thinned.map((record) => ({ ...record, id: contentId("thin", record.id) }));
  const before = [...plan.merges.map(({ into }) => into), ...standIns];
  if (before.length > 0) await writer.write({ records: before });
  const ids = [
    ...plan.merges.flatMap(({ forgotten }) => forgotten),
    ...plan.evictions.map(({ id }) => id),
    ...plan.thinned.map(({ id }) => id),
  ];
  if (ids.length === 0) return null;
  const report = await writer.forget({ ids, reason: REASON });
  if (plan.thinned.length === 0) return report;
  await writer.write({ records: plan.thinned });
  await writer.forget({ ids: standIns.map(({ id }) => id), reason: REASON });
  return report;
}

/** Plans and applies until the memory is within its budget or nothing more may go. */
export async function keepWithin(
  reader: MemoryReader,
  writer: MemoryWriter,
  policy: RetentionPolicy,
): Promise<RetentionReport> {
  const { bytes: bytesBefore } = await reader.stats();
  // Forgetting nothing folds the write-ahead log into the file: what is counted then is what is kept.
  await writer.forget({ ids: [], reason: REASON });
  const plans: RetentionPlan[] = [];
  let { bytes: bytesAfter } = await reader.stats();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const plan = await planRetention(reader, policy);
    plans.push(plan);
    if (plan.merges.length + plan.evictions.length + plan.thinned.length === 0) break;
    await applyRetention(writer, plan);
    bytesAfter = (await reader.stats()).bytes;
    if (policy.maxBytes === undefined || bytesAfter <= policy.maxBytes) break;
  }
  const count = (of: (plan: RetentionPlan) => number) => plans.reduce((sum, plan) => sum + of(plan), 0);
  return {
    bytesBefore,
    bytesAfter,
    isWithinBudget: policy.maxBytes === undefined || bytesAfter <= policy.maxBytes,
    merged: count(({ merges }) => merges.reduce((sum, { forgotten }) => sum + forgotten.length, 0)),
    forgotten: count(({ evictions }) => evictions.length),
    rounds: plans.length,
    plans,
  };
}
