import type { WatchMember } from "../schema/core.ts";
import type { Kept } from "./store.ts";

/** What was forgotten: ids, and the names that no other record has. */
export interface Gone {
  readonly ids: ReadonlySet<string>;
  readonly names: readonly string[];
}

/** Whether a text mentions something forgotten. */
export function tells(text: string, { ids, names }: Gone): boolean {
  const lower = text.toLowerCase();
  if (names.some((name) => lower.includes(name.toLowerCase()))) return true;
  return text.split(/[^\w.-]+/).some((word) => ids.has(word));
}

/**
 * A watch without forgotten content: it holds none of it, and events that mentioned it only say that something was
 * forgotten. Undefined if the watch's question itself names it.
 */
export function withoutGone(kept: Kept, gone: Gone): Kept | undefined {
  const { watch, events } = kept;
  if (tells(`${watch.question ?? ""} ${watch.expression}`, gone)) return undefined;
  const isGone = ({ id, name }: WatchMember) => gone.ids.has(id.split(":")[0]!) || tells(name, gone);
  const isToldOf = ({ entered, left, text }: Kept["events"][number]) =>
    [...entered, ...left].some(isGone) || tells(text, gone);
  if (!watch.holds.some(isGone) && !events.some(isToldOf)) return kept;
  const without = (members: readonly WatchMember[]) => members.filter((member) => !isGone(member));
  return {
    ...kept,
    watch: { ...watch, holds: without(watch.holds) },
    events: events.map((event) =>
      isToldOf(event)
        ? { ...event, entered: without(event.entered), left: without(event.left), text: "forgotten" }
        : event,
    ),
  };
}
