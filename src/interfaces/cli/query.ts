import type { FoundHit, Memory } from "../../compose.ts";
import type { Interval, MemoryQuery, RecordKind, Stored, Vec3 } from "../../index.ts";
import { LociError, RECORD_KINDS } from "../../schema/core.ts";
import { timeText } from "./terminal.ts";

export interface QueryOptions {
  readonly text?: string;
  readonly approximate?: boolean;
  readonly near?: Vec3;
  readonly within?: number;
  readonly during?: Interval;
  readonly kind?: string[];
  readonly category?: string[];
  readonly id?: string[];
}

/** The search that the query options describe. */
export function queryOf(memory: Memory, options: QueryOptions): MemoryQuery {
  const kinds = (options.kind ?? []).map((kind) => {
    if (!(RECORD_KINDS as readonly string[]).includes(kind)) {
      throw new LociError("invalid-input", `--kind: "${kind}" is none of ${RECORD_KINDS.join(", ")}`);
    }
    return kind as RecordKind;
  });
  if (options.within !== undefined && options.near === undefined) {
    throw new LociError("invalid-input", "--within needs --near x,y,z to measure from");
  }
  let query: MemoryQuery = memory.records(...kinds);
  if (options.approximate && options.text === undefined)
    throw new LociError("invalid-input", "--approximate needs --text: only a search by meaning can be so");
  if (options.text !== undefined)
    query = options.approximate ? query.meaning(options.text).approximately() : query.like(options.text);
  if (options.near)
    query =
      options.within === undefined ? query.nearest(options.near) : query.near(options.near, options.within);
  if (options.during) query = query.during(options.during.fromUs, options.during.toUs);
  if (options.category) query = query.where({ category: options.category });
  if (options.id) query = query.where({ ids: options.id });
  return query;
}

/** The title of a record in a line of text. */
export function titleOf(record: Stored): string {
  const named = "name" in record ? record.name : undefined;
  return record.text.join(" ") || named || record.kind;
}

/** Where a thing that was found is not any more. */
const NOT_THERE = { gone: "gone from there", taken: "taken along", unknown: "not known whether it still is" };

/** One hit as a line: what, where, when, the author, and the score of each key. */
export function hitLine({
  record,
  scores,
  position,
  believed,
}: Pick<FoundHit, "record" | "scores" | "position" | "believed">): string {
  const parts = [titleOf(record)];
  if (position)
    parts.push(`at ${position.x.toFixed(2)}, ${position.y.toFixed(2)}, ${position.z.toFixed(2)} m`);
  parts.push(
    record.validToUs === null
      ? `since ${timeText(record.validFromUs)}`
      : `at ${timeText(record.validFromUs)}`,
  );
  if (believed && believed.status !== "there") parts.push(NOT_THERE[believed.status]);
  else if (believed?.room) parts.push(`now in the ${believed.room.name}`);
  const said = [
    scores.meaning === undefined ? undefined : `meaning ${scores.meaning.toFixed(2)}`,
    scores.words === undefined ? undefined : `words ${scores.words.toFixed(2)}`,
    scores.distanceM === undefined ? undefined : `${scores.distanceM.toFixed(2)} m away`,
  ].filter((part) => part !== undefined);
  return `${parts.join(" · ")}\n   ${record.kind} ${record.id} by ${record.author}${said.length ? ` · ${said.join(", ")}` : ""}`;
}
