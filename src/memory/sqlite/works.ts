import type { Work, WorkBegin, WriteBatch } from "../port.ts";
import { parsedCell } from "../rows/codec.ts";
import { type KeptWork, newWork, steppedWork, workOf } from "../rows/works.ts";
import type { Connection } from "./connection.ts";

const PREFIX = "work:";

/** Begins a work of many writes, or resumes an interrupted one; inside a write transaction. */
export function beginWork(connection: Connection, begin: WorkBegin, lastCommitUs: number): Work {
  const known = connection.meta(PREFIX + begin.id) as KeptWork | undefined;
  if (known !== undefined) return workOf(known, lastCommitUs);
  const work = newWork(begin, lastCommitUs);
  connection.setMeta(PREFIX + begin.id, work);
  return workOf(work, lastCommitUs);
}

/** Notes one write of a work, in its transaction. */
export function stepWork(
  connection: Connection,
  step: NonNullable<WriteBatch["work"]>,
  commitUs: number,
): void {
  const known = connection.meta(PREFIX + step.id) as KeptWork | undefined;
  connection.setMeta(PREFIX + step.id, steppedWork(known, step, commitUs));
}

/** Ends a work: the memory is complete again, as far as this work goes. */
export function finishWork(connection: Connection, id: string): void {
  connection.run("DELETE FROM meta WHERE key = ?", PREFIX + id);
}

/** Everything that was begun and not finished. */
export function unfinishedWorks(connection: Connection): Work[] {
  const lastCommitUs = Number(connection.meta("lastCommitUs") ?? 0);
  return connection
    .rows("SELECT value FROM meta WHERE key >= ? AND key < ? ORDER BY key", PREFIX, `${PREFIX}~`)
    .map(([value]) => workOf(parsedCell(value) as KeptWork, lastCommitUs));
}
