import type { Presence } from "../../schema/core.ts";
import { outcomeNumber } from "./codec.ts";
import type { Connection } from "./connection.ts";
import type { ReadView } from "./read-view.ts";

const SEEN = outcomeNumber("seen");
const ABSENT = outcomeNumber("absent");

/** The four stamps of A-R7 for one state, from the sightings this reader may see. */
export function foldPresence(connection: Connection, view: ReadView, stateId: string): Presence {
  const state = connection.names.find(stateId);
  const until = view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  const hidden = state === undefined || (!view.unrestricted && !view.maySeeState(state));
  const rows = hidden
    ? []
    : connection
        .rows(
          "SELECT time, outcome, labels FROM sighting WHERE state = ? AND recorded_at <= ? ORDER BY time",
          state,
          until,
        )
        .filter((row) => view.mayRead(Number(row[2])));
  const times = (outcome: number) =>
    rows.filter((row) => Number(row[1]) === outcome).map((row) => Number(row[0]));
  const seen = times(SEEN);
  const absent = times(ABSENT);
  const firstSeenUs = seen[0] ?? null;
  const lastSeenUs = seen.at(-1) ?? null;
  return {
    stateId,
    firstSeenUs,
    lastSeenUs,
    lastAbsentBeforeUs: firstSeenUs === null ? null : (absent.findLast((t) => t < firstSeenUs) ?? null),
    firstAbsentAfterUs: lastSeenUs === null ? null : (absent.find((t) => t > lastSeenUs) ?? null),
    seenCount: seen.length,
  };
}
