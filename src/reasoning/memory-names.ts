import type { Recall } from "./recall/recall.ts";

/** So many of the latest stays tell what things this memory knows by name. */
const MOST_READ = 2_000;
const MOST_SPOTS = 500;

/** The names that a memory holds, for mending spellings; read when somebody first asks, once for a question. */
export function memoryNames(recall: Recall): (prefix: string) => Promise<readonly string[]> {
  let names: Promise<readonly string[]> | undefined;
  return async (prefix) => {
    names ??= namesIn(recall);
    const wanted = prefix.toLowerCase();
    return (await names).filter((name) => name.toLowerCase().startsWith(wanted));
  };
}

/** The names of people and pets, in small letters. */
export async function peopleIn(recall: Recall): Promise<ReadonlySet<string>> {
  const seen = await recall.ofCategory("person", "dog", "cat");
  return new Set(
    seen.flatMap(({ name }) => (name.match(/\b\p{Lu}[\p{L}'-]+/gu) ?? []).map((one) => one.toLowerCase())),
  );
}

async function namesIn(recall: Recall): Promise<readonly string[]> {
  const [states, rooms, spots] = await Promise.all([
    recall.search({ kinds: ["state"], rank: "latest", limit: MOST_READ }),
    recall.rooms(),
    recall.search({ kinds: ["region"], where: { category: ["spot"] }, rank: "id", limit: MOST_SPOTS }),
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
