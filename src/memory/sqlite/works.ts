import { LociError } from "../../schema/core.ts";
import type { Work, WorkBegin, WriteBatch } from "../port.ts";
import type { Connection } from "./connection.ts";

const PREFIX = "work:";

/** A work as it is kept: `lastUs` is the memory time of its last write, or of what was there before. */
interface Kept extends Omit<Work, "isAlone"> {
  readonly lastUs: number;
}

/** Begins a work of many writes, or takes up one that was cut off; inside a write transaction. */
export function beginWork(connection: Connection, begin: WorkBegin, lastCommitUs: number): Work {
  const known = connection.meta(PREFIX + begin.id) as Kept | undefined;
  if (known !== undefined) return workOf(known, lastCommitUs);
  const { id, what, labels = [], settings = null } = begin;
  const work: Kept = {
    id,
    what,
    labels,
    settings,
    beganUs: lastCommitUs,
    steps: 0,
    state: null,
    lastUs: lastCommitUs,
  };
  connection.setMeta(PREFIX + id, work);
  return workOf(work, lastCommitUs);
}

/** Notes one write of a work, in its transaction. */
export function stepWork(
  connection: Connection,
  { id, state = null }: NonNullable<WriteBatch["work"]>,
  commitUs: number,
): void {
  const work = connection.meta(PREFIX + id) as Kept | undefined;
  if (work === undefined) throw new LociError("unknown-id", `work "${id}" was not begun, or is finished`);
  connection.setMeta(PREFIX + id, { ...work, steps: work.steps + 1, state, lastUs: commitUs });
}

/** From now on the memory is whole again, as far as this work goes. */
export function finishWork(connection: Connection, id: string): void {
  connection.run("DELETE FROM meta WHERE key = ?", PREFIX + id);
}

/** Everything that was begun and not finished. */
export function unfinishedWorks(connection: Connection): Work[] {
  const lastCommitUs = Number(connection.meta("lastCommitUs") ?? 0);
  return connection
    .rows("SELECT value FROM meta WHERE key >= ? AND key < ? ORDER BY key", PREFIX, `${PREFIX}~`)
    .map(([value]) => workOf(JSON.parse(String(value)) as Kept, lastCommitUs));
}

function workOf({ lastUs, ...work }: Kept, lastCommitUs: number): Work {
  return { ...work, isAlone: lastUs === lastCommitUs };
}
