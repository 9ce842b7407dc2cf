import type { MemoryReader } from "../memory/index.ts";
import type { MemoryView } from "./memory-view/memory-view.ts";

/** So many of the latest stays tell what things this memory knows by name. */
const MOST_READ = 2_000;
const MOST_SPOTS = 500;

interface Kept {
  readonly key: string;
  readonly atMs: number;
  readonly names: Promise<readonly string[]>;
  readonly people: Promise<ReadonlySet<string>>;
}

/** What each reader last saw. Asked about the same moment again so soon, nothing else is called anything. */
const kept = new WeakMap<MemoryReader, Kept>();
const KEPT_MS = 5_000;

function keptFor(memory: MemoryView): Kept {
  const { reader, nowUs, sceneId } = memory.options;
  const key = JSON.stringify([nowUs, sceneId]);
  const known = kept.get(reader);
  const atMs = performance.now();
  if (known?.key === key && atMs - known.atMs < KEPT_MS) return known;
  const read = { key, atMs, names: namesIn(memory), people: peopleNamed(memory) };
  // Whoever asks hears of a failure; nobody else need.
  for (const one of [read.names, read.people]) one.catch(() => kept.delete(reader));
  kept.set(reader, read);
  return read;
}

/** The names that a memory holds, for mending spellings. */
export function memoryNames(memory: MemoryView): (prefix: string) => Promise<readonly string[]> {
  return async (prefix) => {
    const names = await keptFor(memory).names;
    const wanted = prefix.toLowerCase();
    return wanted === "" ? names : names.filter((name) => name.toLowerCase().startsWith(wanted));
  };
}

/** The names of people and pets, in small letters. */
export function peopleIn(memory: MemoryView): Promise<ReadonlySet<string>> {
  return keptFor(memory).people;
}

async function peopleNamed(memory: MemoryView): Promise<ReadonlySet<string>> {
  const seen = await memory.ofCategory("person", "dog", "cat");
  return new Set(
    seen.flatMap(({ name }) => (name.match(/\b\p{Lu}[\p{L}'-]+/gu) ?? []).map((one) => one.toLowerCase())),
  );
}

async function namesIn(memory: MemoryView): Promise<readonly string[]> {
  const [states, rooms, spots] = await Promise.all([
    memory.search({ kinds: ["state"], rank: "latest", limit: MOST_READ }),
    memory.rooms(),
    memory.search({ kinds: ["region"], where: { category: ["spot"] }, rank: "id", limit: MOST_SPOTS }),
  ]);
  const all = new Set(rooms.map(({ name }) => name));
  for (const { record } of spots)
    if (record.kind === "region") for (const word of record.name.split(/\s+/)) all.add(word);
  for (const { record } of states) {
    if (record.kind !== "state") continue;
    all.add(record.category);
    for (const word of record.name.split(/\s+/)) if (/^\p{L}/u.test(word)) all.add(word);
  }
  return [...all].sort();
}
