import { computed, signal } from "@preact/signals";
import { readStates, type StatesBlock } from "../../../src/exchange/feed/decode.ts";
import { getBytes } from "./api.ts";
import { linkTracks } from "./rows.ts";
import * as store from "./store.ts";
import { believedRows, memoryTimeAt, SLACK_S, type Versions, versionsOf } from "./versions.ts";

const A_PAGE = 4_096;
/** Beyond this, beliefs about the latest states are left out. */
const MOST_VERSIONS = 200_000;
const versions = signal<Versions | null>(null);

/** Shows what the memory believed beside what was true; the data is requested on first use. */
export async function showBelief(isShown: boolean): Promise<void> {
  store.belief.value = isShown;
  if (!isShown) return;
  store.other.value = null;
  const revision = store.loaded.value?.scene.revision ?? "";
  if (versions.value?.revision === revision) return;
  try {
    versions.value = await load(revision);
  } catch (error) {
    store.belief.value = false;
    store.say((error as Error).message);
  }
}

async function load(revision: string): Promise<Versions> {
  const blocks: StatesBlock[] = [];
  let count = 0;
  let after: string | null = null;
  do {
    const query: string = after === null ? "" : `&after=${encodeURIComponent(after)}`;
    const block = readStates(await getBytes(`v1/feed/states?versions=true&limit=${A_PAGE}${query}`));
    blocks.push(block);
    count += block.count;
    after = block.next;
  } while (after !== null && count < MOST_VERSIONS);
  return versionsOf(blocks, store.loaded.value?.originUs ?? 0, revision);
}

const memoryTime = computed(() =>
  store.belief.value && versions.value !== null ? memoryTimeAt(versions.value, store.time.value) : null,
);

/** Memory time of the belief shown, µs; null while none is. */
export const believedAtUs = computed(() =>
  memoryTime.value === null ? null : Math.ceil(versions.value!.originUs + (memoryTime.value + SLACK_S) * 1e6),
);

/** What the memory believed when it had reached the moment shown. */
export const believed = computed((): store.Loaded | null => {
  const found = store.loaded.value;
  if (memoryTime.value === null || found === null) return null;
  const rows = believedRows(versions.value!, memoryTime.value).filter(
    ({ map }) => map === store.shownMap.value,
  );
  return { ...found, rows, tracks: linkTracks(rows) };
});
