import type { Cell } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";
import { countedTotals, notedHead, storedHead } from "./head.ts";
import { sumOf } from "./sums.ts";

/** Set by a writer that found the end of the log missing, until the memory is repaired. */
export const LOST = "lostCommits";

/** The cells in a row's sum, where it covers all other cells in order. */
const CELLS = {
  sighting: "recorded_at, state, time, outcome, agent, labels, observation, detection, submap, x, y, z",
  frame_edge: "recorded_at, parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz",
  forgotten: "at, id, reason, head",
  vector: "meaning, data",
  heard: "commit_us, memory, at, derived",
  meta: "key, value",
} as const;

/** Holds the rows against their sums, the sums against their totals, and the tables against what they should be. */
export function checkSums(connection: Connection, problem: (text: string) => void): void {
  for (const [table, columns] of Object.entries(CELLS)) {
    const [row] = "meta vector heard".includes(table) ? columns.split(", ") : ["row"];
    for (const [name, sum, ...cells] of connection.each(`SELECT ${row}, sum, ${columns} FROM ${table}`)) {
      if (sumOf(cells as Cell[]) !== sum) problem(`${table} ${name}: its row is not what was written`);
    }
  }
  const head = storedHead(connection);
  if (head === undefined) {
    // Nothing was written since the file was made, or brought up to date.
    return;
  }
  for (const [table, [rows, sum]] of Object.entries(countedTotals(connection))) {
    const [knownRows, knownSum] = head.totals[table as keyof typeof head.totals];
    if (rows !== knownRows) problem(`${table}: has ${rows} rows, ${knownRows} were written`);
    else if (sum !== knownSum) problem(`${table}: its rows are not those that were written`);
  }
  for (const [table, last] of connection.rows("SELECT name, seq FROM sqlite_sequence")) {
    const column = ["meaning", "name", "label_set"].includes(String(table)) ? "id" : "row";
    const [used] = connection.row(`SELECT coalesce(max(${column}), 0) FROM ${table}`)!;
    if (Number(last) < Number(used)) problem(`${table}: numbers would be used again`);
  }
}

/** Whether the note of the last commit names missing commits, or an earlier writer found some missing. */
export function hasLost(connection: Connection): boolean {
  // Read first: a writer notes a commit after it is durable.
  const note = notedHead(connection.path);
  if (connection.meta(LOST) !== undefined) return true;
  if (note === undefined || note === "damaged" || note.database !== connection.meta("databaseId"))
    return false;
  return note.commit > (storedHead(connection)?.commit ?? 0);
}

/** Commits that the note of the last commit knows and the tables lack. */
export function chainProblems(connection: Connection, note: ReturnType<typeof notedHead>): string[] {
  const problems: string[] = [];
  const lost = connection.meta(LOST);
  if (lost !== undefined) problems.push(`${lost} commits were lost before the last ones were made`);
  if (note === undefined) return problems;
  if (note === "damaged") return [...problems, "the note of the last commit cannot be read"];
  const head = storedHead(connection);
  if (note.database !== connection.meta("databaseId"))
    return [...problems, "the note of the last commit is of another memory"];
  const missing = note.commit - (head?.commit ?? 0);
  if (missing > 0)
    problems.push(
      `${missing} commits that were acknowledged are missing: the log is damaged or cut, or the file is an older one`,
    );
  else if (missing === 0 && note.chain !== head?.chain)
    problems.push("the last commit is not the one that was noted");
  return problems;
}
