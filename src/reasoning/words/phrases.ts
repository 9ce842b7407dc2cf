import type { Vec3 } from "../../geometry/index.ts";
import type { Recall } from "../recall/recall.ts";
import type { Thing } from "../recall/thing.ts";

type Named = Pick<Thing, "name"> & Partial<Pick<Thing, "category">>;

/** "the red mug"; a name that is a name already stays as it is. */
export function theName(thing: Named): string {
  const own = properName(thing);
  if (own !== undefined) return own;
  return /^(?:the|an?|my|your) /i.test(thing.name) ? thing.name : `the ${thing.name}`;
}

/** Whom people call by name: detectors may say "blue fabric Olga", nobody else does. */
function properName({ name, category }: Named): string | undefined {
  return category === "person" ? /(?:^|\s)([A-Z][a-z]+)$/.exec(name)?.[1] : undefined;
}

/** What a thing is called, without what is written on it. */
export function bareName(thing: Named): string {
  return properName(thing) ?? thing.name.replace(/ that says? [“"].*$/, "");
}

/** "a, b and c", at most `most` of them. */
export function listOf(items: readonly string[], most = 8): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) shown.push(`${rest} more`);
  if (shown.length < 2) return shown[0] ?? "";
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** "2 chairs, a lamp": names with their counts, most frequent first. */
export function countedList(names: readonly string[], most = 8): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name, n]) => (n === 1 ? withArticle(name) : `${n} ${plural(name)}`));
  return listOf(parts, most);
}

export function withArticle(name: string): string {
  // Olga is one already.
  if (/^[A-Z][a-z]+$/.test(name)) return name;
  return /^(?:the|an?) /i.test(name) ? name : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

export function plural(noun: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  if (/(?:shelf|knife|leaf)$/.test(noun)) return `${noun.replace(/fe?$/, "")}ves`;
  return noun === "person" ? "people" : `${noun}s`;
}

/** "on the kitchen counter in the kitchen", as far as it is known. */
export async function placeOf(thing: Thing, recall: Recall): Promise<string> {
  const [support, holder] = await supportOf(thing, recall);
  const room = await recall.roomOf(thing);
  const parts = [
    holder ? `in ${holder}` : support ? `on ${support}` : "",
    room ? `in the ${room.name}` : "",
  ].filter((part) => part !== "");
  return parts.join(" ") || (thing.position ? `at ${coordinates(thing.position)}` : "somewhere unknown");
}

async function supportOf({ state }: Thing, recall: Recall): Promise<(string | undefined)[]> {
  const ids = [state.supportedBy, state.insideOf];
  const known = ids.filter((id) => id !== undefined);
  const records = known.length === 0 ? [] : await recall.options.reader.get(known);
  return ids.map((id) => {
    const record = records[known.indexOf(id!)];
    return record?.kind === "state" ? `the ${record.category}` : undefined;
  });
}

export function coordinates({ x, y, z }: Vec3): string {
  return `(${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)})`;
}

/** "3 minutes ago", "just now", "2 days ago". */
export function agoText(us: number): string {
  const s = Math.max(0, Math.round(us / 1e6));
  if (s < 5) return "just now";
  return `${spanText(s)} ago`;
}

export function spanText(s: number): string {
  const say = (n: number, unit: string) => `${n} ${unit}${n === 1 ? "" : "s"}`;
  if (s < 90) return say(Math.round(s), "second");
  if (s < 90 * 60) return say(Math.round(s / 60), "minute");
  if (s < 36 * 3600) return say(Math.round(s / 3600), "hour");
  return say(Math.round(s / 86_400), "day");
}

/** UTC to the minute, or to the second where minutes do not tell. */
export function clockText(us: number): string {
  return new Date(us / 1000).toISOString().slice(11, 19);
}

export function metresText(m: number): string {
  return m < 1 ? `${Math.round(m * 100)} cm` : `${m.toFixed(1)} m`;
}
