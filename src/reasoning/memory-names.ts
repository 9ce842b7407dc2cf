import type { Belief } from "../belief/belief.ts";
import { type Concerns, keptUntilCommit } from "../belief/kept.ts";

/** The most of the latest stays that are read for the names of things. */
const MOST_READ = 2_000;
const MOST_SPOTS = 500;
const MOST_PEOPLE = 200;
const BEINGS: readonly string[] = ["person", "dog", "cat"];

/** The names in a memory, for correcting spelling. */
export async function memoryNames(memory: Belief): Promise<readonly string[]> {
  const rooms = await memory.rooms();
  const known = await kept(
    memory,
    "names",
    () => namesIn(memory),
    (record, names) =>
      (record.kind === "region" && record.type === "spot") ||
      (record.kind === "state" &&
        ![record.category, ...wordsOf(record.name)].every((word) => names.has(word))),
  );
  return [...new Set([...known, ...rooms.map(({ name }) => name)])].sort();
}

/** The kinds of things in a memory. */
export function kindsIn(memory: Belief): Promise<ReadonlySet<string>> {
  return kept(
    memory,
    "kinds",
    async () => {
      const states = await memory.search({ kinds: ["state"], rank: "latest", limit: MOST_READ });
      return new Set(states.flatMap(({ record }) => (record.kind === "state" ? [record.category] : [])));
    },
    (record, kinds) => record.kind === "state" && !kinds.has(record.category),
  );
}

/** The names of people and pets, in lower case. */
export function peopleIn(memory: Belief): Promise<ReadonlySet<string>> {
  return kept(
    memory,
    "people",
    () => peopleNamed(memory),
    (record) => record.kind === "state" && BEINGS.includes(record.category),
  );
}

/** Names are read from the whole memory, whatever the time of the question: spelling does not depend on it. */
function kept<T>(
  { options }: Belief,
  what: string,
  read: () => Promise<T>,
  concerns: Concerns<T>,
): Promise<T> {
  return keptUntilCommit(options.reader, `${what} ${options.sceneId ?? ""}`, read, concerns);
}

async function peopleNamed(memory: Belief): Promise<ReadonlySet<string>> {
  const seen = await memory.search({
    kinds: ["state"],
    where: { category: BEINGS },
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
    for (const word of wordsOf(record.name)) all.add(word);
  }
  return all;
}

function wordsOf(name: string): string[] {
  return name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
}
