import type { Value } from "../reasoning/index.ts";
import type { WatchMember } from "../schema/core.ts";

/** The current members, each with its confidence. A truth value is a set of one member, present while it is true. */
export type Snapshot = ReadonlyMap<string, WatchMember>;

/** Most members; of more, the likeliest. */
const MAX_MEMBERS = 500;

/** A value as a set of members; undefined if undecidable, which is not a change. */
export function snapshotOf(value: Value): Snapshot | undefined {
  const members = membersOf(value);
  return members && new Map(members.slice(0, MAX_MEMBERS).map((member) => [member.id, member]));
}

function membersOf(value: Value): WatchMember[] | undefined {
  switch (value.kind) {
    case "unknown":
      return undefined;
    case "truth": {
      const p = value.truth ? value.p : 1 - value.p;
      return [{ id: "so", name: "so", p }];
    }
    case "things":
      return value.things.map(({ trackId, name, fit }) => ({ id: trackId, name, p: Math.min(1, fit) }));
    case "rooms":
      return value.rooms.map(({ id, name }) => ({ id, name, p: value.p }));
    case "events":
      return value.events.map(({ id, text, type, p }) => ({ id, name: text[0] ?? type, p }));
    case "number":
      return [{ id: "value", name: String(value.value), p: value.p }];
    case "words":
      return value.items.map(({ words, p, thing }) => {
        const name = words.replace(/, near .*$/, "");
        return { id: `${thing?.trackId ?? ""}:${name}`, name, p };
      });
    case "floors":
      return value.storeys.map((storey) => ({
        id: `storey-${storey}`,
        name: `storey ${storey}`,
        p: value.p,
      }));
    case "times":
      return value.spans.map(({ fromUs, toUs }) => ({
        id: `${fromUs}-${toUs}`,
        name: `${fromUs}-${toUs}`,
        p: value.p,
      }));
    case "route":
      return value.rooms.map(({ id, name }) => ({ id, name, p: value.p }));
    case "self":
      return [];
  }
}

export interface Difference {
  readonly entered: WatchMember[];
  readonly left: WatchMember[];
  readonly told: Snapshot;
}

/**
 * The members that entered and left since the last report. A member enters at the requested confidence and leaves
 * only clearly below it, so that a confidence fluctuating around the threshold is reported once.
 */
export function differenceOf(
  told: Snapshot,
  now: Snapshot,
  { minConfidence, hysteresis }: { readonly minConfidence: number; readonly hysteresis: number },
): Difference {
  const entered: WatchMember[] = [];
  const left: WatchMember[] = [];
  const next = new Map(told);
  for (const member of told.values()) {
    const still = now.get(member.id);
    if (still !== undefined && still.p >= minConfidence - hysteresis && isSame(member, still, hysteresis))
      continue;
    left.push(member);
    next.delete(member.id);
  }
  for (const member of now.values()) {
    if (next.has(member.id) || member.p < minConfidence) continue;
    entered.push(member);
    next.set(member.id, member);
  }
  return { entered, left, told: next };
}

/** A number changes when it differs by more than the share; other members are compared by id. */
function isSame({ id, name }: WatchMember, { name: other }: WatchMember, share: number): boolean {
  if (id !== "value") return true;
  const [a, b] = [Number(name), Number(other)];
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Number.EPSILON);
}
