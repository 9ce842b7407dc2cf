import type { Presence } from "../../schema/core.ts";
import { outcomeNumber } from "../rows/codec.ts";
import { presenceOf, type Seen } from "../rows/presence.ts";
import type { Connection } from "./connection.ts";
import type { ReadView } from "./read-view.ts";

const SEEN = outcomeNumber("seen");
const ABSENT = outcomeNumber("absent");

/** The four stamps of A-R7 of each state, from the sightings this reader may see; two statements, however many there are. */
export function foldPresences(
  connection: Connection,
  view: ReadView,
  stateIds: readonly string[],
): Presence[] {
  const numbers = stateIds.map((id) => connection.names.find(id));
  const visible = new Set(
    numbers.filter((state) => state !== undefined && (view.unrestricted || view.maySeeState(state))),
  );
  const readable = view.unrestricted ? undefined : JSON.stringify(view.readableLabelSets());
  const conditions = `state IN (SELECT value FROM json_each(?)) AND recorded_at <= ?${
    readable === undefined ? "" : " AND labels IN (SELECT value FROM json_each(?))"
  }`;
  const given = [
    JSON.stringify([...visible]),
    view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER,
    ...(readable === undefined ? [] : [readable]),
  ];
  const seen = new Map<number, Seen>();
  for (const [state, firstUs, lastUs, count] of connection.rows(
    `SELECT state, min(time), max(time), count(*) FROM sighting WHERE ${conditions} AND outcome = ${SEEN} GROUP BY state`,
    ...given,
  ))
    seen.set(Number(state), { firstUs: Number(firstUs), lastUs: Number(lastUs), count: Number(count) });
  const absent = new Map<number, number[]>();
  for (const [state, time] of connection.rows(
    `SELECT state, time FROM sighting WHERE ${conditions} AND outcome = ${ABSENT} ORDER BY time`,
    ...given,
  )) {
    const times = absent.get(Number(state));
    if (times) times.push(Number(time));
    else absent.set(Number(state), [Number(time)]);
  }
  return stateIds.map((stateId, n) =>
    presenceOf(stateId, seen.get(numbers[n]!), absent.get(numbers[n]!) ?? []),
  );
}
