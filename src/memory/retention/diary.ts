import { type LociRecord, type RecordOf, referencesOf, type Stored } from "../../schema/core.ts";
import { eachHit } from "../each-hit.ts";
import type { MemoryReader } from "../port.ts";
import { type Holdings, LINE_BYTES, plain, ROW_BYTES } from "./gather.ts";
import type { Slimmed } from "./slim.ts";

/** Pass events that a diary can do without. */
export interface ShorterDiary {
  /** Passing a thing that was passed again later. */
  readonly repeated: readonly { readonly id: string; readonly bytes: number }[];
  /** The last time each thing was passed, in the thing's own words. */
  readonly reworded: readonly Slimmed[];
}

/**
 * Pass events come by the hundred and change nothing: of each thing only the latest is kept, with the thing's own line
 * as text. Stops, turns and rooms entered are few, and all are kept.
 */
export async function shorterDiary(
  reader: MemoryReader,
  { linesOf }: Pick<Holdings, "linesOf">,
  isHeld: (record: LociRecord) => boolean,
): Promise<ShorterDiary> {
  const lastOf = new Map<string, Stored<RecordOf<"event">>>();
  const repeated: { id: string; bytes: number }[] = [];
  for await (const { record } of eachHit(reader, "event")) {
    if (record.type !== "pass" || isHeld(record)) continue;
    const key = JSON.stringify([record.author, record.sceneId, referencesOf(record).map(({ id }) => id)]);
    const known = lastOf.get(key);
    const [earlier, later] =
      known !== undefined && known.validFromUs > record.validFromUs ? [record, known] : [known, record];
    lastOf.set(key, later as Stored<RecordOf<"event">>);
    if (earlier) repeated.push({ id: earlier.id, bytes: ROW_BYTES + JSON.stringify(earlier).length });
  }
  const reworded: Slimmed[] = [];
  for (const record of lastOf.values()) {
    const text = record.who.flatMap((state) => linesOf.get(state)?.slice(0, 1) ?? []);
    if (text.length === 0 || record.text.every((line) => text.includes(line))) continue;
    const history = record.version === 1 ? [record] : await reader.history(record.id);
    const letters = record.text.reduce((sum, line) => sum + LINE_BYTES + line.length, 0);
    reworded.push({
      record: { ...plain(record), text },
      versions: history.map(({ version }) => version),
      bytes: letters + (history.length - 1) * ROW_BYTES,
    });
  }
  return { repeated, reworded };
}
