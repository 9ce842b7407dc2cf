import { LociError } from "../../schema/core.ts";
import type { Work, WorkBegin, WriteBatch } from "../port.ts";

/** A work as it is kept: `lastUs` is the memory time of its last write, or of what was there before. */
export interface KeptWork extends Omit<Work, "isAlone"> {
  readonly lastUs: number;
}

export function newWork(begin: WorkBegin, lastCommitUs: number): KeptWork {
  const { id, what, labels = [], settings = null } = begin;
  const beganUs = lastCommitUs;
  return { id, what, labels, settings, beganUs, steps: 0, state: null, lastUs: lastCommitUs };
}

/** The work after one more write of it. */
export function steppedWork(
  work: KeptWork | undefined,
  { id, state = null }: NonNullable<WriteBatch["work"]>,
  commitUs: number,
): KeptWork {
  if (work === undefined) throw new LociError("unknown-id", `work "${id}" was not begun, or is finished`);
  return { ...work, steps: work.steps + 1, state, lastUs: commitUs };
}

export function workOf({ lastUs, ...work }: KeptWork, lastCommitUs: number): Work {
  return { ...work, isAlone: lastUs === lastCommitUs };
}
