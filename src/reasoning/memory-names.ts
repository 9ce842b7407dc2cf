import type { Belief } from "../belief/belief.ts";
import { keptUntilCommit } from "../belief/kept.ts";

/** So many of the latest stays tell what things this memory knows by name. */
const MOST_READ = 2_000;
const MOST_SPOTS = 500;
const MOST_PEOPLE = 200;

/** The names that a memory holds, for mending spellings. */
export async function memoryNames(memory: Belief): Promise<readonly string[]> {
  const rooms = await memory.rooms();
  const known = await kept(memory, "names", () => namesIn(memory));
  return [...new Set([...known, ...rooms.map(({ name }) => name)])].sort();
}

/** The kinds of things that a memory holds. */
export function kindsIn(memory: Belief): Promise<ReadonlySet<string>> {
  return kept(memory, "kinds", async () => {
    const states = await memory.search({ kinds: ["state"], rank: "latest", limit: MOST_READ });
    return new Set(states.flatMap(({ record }) => (record.kind === "state" ? [record.category] : [])));
  });
}

/** The names of people and pets, in small letters. */
export function peopleIn(memory: Belief): Promise<ReadonlySet<string>> {
  return kept(memory, "people", () => peopleNamed(memory));
}

/** Names are of all that the memory holds, whatever the moment asked about: who asks of yesterday spells no better. */
function kept<T>({ options }: Belief, what: string, read: () => Promise<T>): Promise<T> {
  return keptUntilCommit(options.reader, `${what} ${options.sceneId ?? ""}`, read);
}

async function peopleNamed(memory: Belief): Promise<ReadonlySet<string>> {
  const seen = await memory.search({
    kinds: ["state"],
    where: { category: ["person", "dog", "cat"] },
    rank: "latest",
    limit: MOST_PEOPLE,
  });
  const names = seen.flatMap(({ record }) => (record.kind === "state" ? [record.name] : []));
  return new Set(
    names.flatMap((name) => (name.match(/\b\p{Lu}[\p{L}'-]+/gu) ?? []).map((one) => one.toLowerCase())),
  );
}

async function namesIn(memory: Belief): Promise<ReadonlySet<string>> {
  const [states, spots] = await Promise.all([
    memory.search({ kinds: ["state"], rank: "latest", limit: MOST_READ }),
    memory.search({ kinds: ["region"], where: { category: ["spot"] }, rank: "id", limit: MOST_SPOTS }),
  ]);
  const all = new Set<string>();
  for (const { record } of spots)
    if (record.kind === "region") for (const word of record.name.split(/\s+/)) all.add(word);
  for (const { record } of states) {
    if (record.kind !== "state") continue;
    all.add(record.category);
    for (const word of record.name.split(/\s+/)) if (/^\p{L}/u.test(word)) all.add(word);
  }
  return all;
}
