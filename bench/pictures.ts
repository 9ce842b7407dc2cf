/**
 * How many states of a memory can be looked at: `node bench/pictures.ts MEMORY`. A state counts where `look` has a picture
 * of its thing; stays are states that lasted, without what merges left behind. With what the pictures take on the disk.
 */
import { pathToFileURL } from "node:url";
import { Belief } from "../src/belief/belief.ts";
import { observedSpan } from "../src/belief/span.ts";
import { isStay } from "../src/belief/thing.ts";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { eachHit } from "../src/memory/index.ts";
import { picturesOf, ShortIds } from "../src/reasoning/evidence/index.ts";

export interface Pictured {
  readonly states: number;
  /** Of them those that name views of their own. */
  readonly named: number;
  readonly shown: number;
  readonly stays: number;
  readonly staysShown: number;
  /** Names of stays that cannot be looked at. */
  readonly missing: readonly string[];
  readonly views: number;
  readonly pictureBytes: number;
  readonly overlayBytes: number;
}

export async function pictured(memory: Memory): Promise<Pictured> {
  const reader = await memory.reader();
  const nowUs = (await observedSpan(reader))?.toUs ?? 0;
  const belief = new Belief({ reader, nowUs });
  let [states, named, shown, stays, staysShown] = [0, 0, 0, 0, 0];
  const missing: string[] = [];
  for await (const { record } of eachHit(reader, "state", {})) {
    const thing = (await belief.staysById([record.id])).get(record.id);
    if (!thing) continue;
    const context = { memory: belief, ids: new ShortIds() };
    const isShown = (await picturesOf({ thing }, context, { most: 1 })).length > 0;
    states++;
    if (record.views.length > 0) named++;
    if (isShown) shown++;
    if (!isStay(record)) continue;
    stays++;
    if (isShown) staysShown++;
    else missing.push(record.name);
  }
  let [views, pictureBytes, overlayBytes] = [0, 0, 0];
  const bytesOf = async (ref: string | undefined) =>
    ref === undefined ? 0 : ((await reader.blob(ref))?.length ?? 0);
  for await (const { record } of eachHit(reader, "view", {})) {
    views++;
    pictureBytes += await bytesOf(record.thumb);
    overlayBytes += await bytesOf(record.overlay);
  }
  return { states, named, shown, stays, staysShown, missing, views, pictureBytes, overlayBytes };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [place] = process.argv.slice(2);
  if (place === undefined) {
    process.stderr.write("expected the folder of a memory: node bench/pictures.ts MEMORY\n");
    process.exit(2);
  }
  const memory = await openMemory(place);
  const found = await pictured(memory);
  await memory.close();
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
}
