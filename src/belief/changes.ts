import { LIMITS } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { type EventRecord, type Happening, madeEvent, stateAfter } from "./happening.ts";
import { pathOf } from "./labels.ts";
import { printedOn } from "./matching.ts";
import { isMisread } from "./misreadings.ts";
import { isFixed, isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import type { Span } from "./span.ts";
import { canBe } from "./states.ts";
import { goneUs, isElsewhere, placesOf } from "./stays.ts";
import type { KnownThing } from "./thing.ts";

/** What a change is called, with the records that tell of it. */
export const CHANGES: Readonly<
  Record<string, { readonly type: EventRecord["type"]; readonly attribute?: string; readonly to?: string }>
> = {
  moved: { type: "move" },
  new: { type: "appear" },
  gone: { type: "disappear" },
  switched: { type: "state-change", attribute: "power" },
  "switched-on": { type: "state-change", attribute: "power", to: "on" },
  "switched-off": { type: "state-change", attribute: "power", to: "off" },
  opened: { type: "state-change", attribute: "openness", to: "open" },
  closed: { type: "state-change", attribute: "openness", to: "closed" },
  filled: { type: "state-change", attribute: "fill", to: "full" },
  emptied: { type: "state-change", attribute: "fill", to: "empty" },
  state: { type: "state-change" },
};

/** The kinds that stand for any change. */
export const ANY_CHANGE = ["moved", "new", "gone", "state"] as const;

/** Which changes are asked for. */
export interface Wanted {
  readonly kinds: readonly string[];
  readonly attribute?: string | undefined;
  readonly to?: string | undefined;
}

/** Less likely ones are mostly not so. */
const LEAST_P = 0.5;
const CERTAIN_P = 0.99;
const LEAST_LOOKS = 3;
const PASSING_US = 2_000_000;
/** One of a kind this near to where another was is taken for the same one. */
const TWIN_M = 0.6;

/** An attribute or a value that is asked for by itself goes before that of the kind. */
function isWanted({ type, detail }: EventRecord, { kinds, attribute, to }: Wanted): boolean {
  return kinds.some((name) => {
    const kind = CHANGES[name];
    if (kind?.type !== type) return false;
    if (type !== "state-change") return true;
    const [wanted, value] = [
      attribute ?? kind.attribute,
      to ?? (attribute === undefined ? kind.to : undefined),
    ];
    return (
      (wanted === undefined || detail["attribute"] === wanted) &&
      (value === undefined || detail["to"] === value)
    );
  });
}

/** What changed in a span of time, of anything: once for each thing, and what was moved is not gone. */
export async function changesIn(span: Span, wanted: Wanted, memory: Belief): Promise<Happening[]> {
  const types = [...new Set(wanted.kinds.flatMap((name) => CHANGES[name]?.type ?? []))];
  // What was moved is needed to tell what is gone, asked for or not.
  const read =
    types.includes("disappear") || types.includes("appear") ? [...new Set([...types, "move"])] : types;
  const all = (await memory.events(read, span)).filter(({ p }) => p >= LEAST_P);
  const happenings = await believable(await withThings(all, memory), memory);
  const trackOf = ({ event: { detail }, thing }: Happening) =>
    String(detail["trackId"] ?? thing?.trackId ?? "");
  const moved = new Set(happenings.filter(({ event }) => event.type === "move").map(trackOf));
  const kept = happenings.filter(
    (one) =>
      isWanted(one.event, wanted) &&
      (one.event.type === "move" || one.event.type === "state-change" || !moved.has(trackOf(one))),
  );
  const isAnyState =
    wanted.kinds.includes("state") && wanted.attribute === undefined && wanted.to === undefined;
  return eachOnce(isAnyState ? lasting(kept, trackOf) : kept, trackOf).filter(
    (one, n, kept) =>
      trackOf(one) === "" ||
      one.event.type === "state-change" ||
      kept.findLastIndex(
        (other) => other.event.type === one.event.type && trackOf(other) === trackOf(one),
      ) === n,
  );
}

/** A change of state that several robots noticed, each between two looks of its own, is one, between the narrowest of them. */
function eachOnce(happenings: readonly Happening[], trackOf: (one: Happening) => string): Happening[] {
  const kept: Happening[] = [];
  for (const one of happenings.toSorted((a, b) => a.event.validFromUs - b.event.validFromUs)) {
    const { event } = one;
    const isState = event.type === "state-change" && trackOf(one) !== "";
    const n = kept.findLastIndex(
      (other) =>
        other.event.type === "state-change" &&
        trackOf(other) === trackOf(one) &&
        other.event.detail["attribute"] === event.detail["attribute"],
    );
    const same = isState ? kept[n] : undefined;
    if (!same || same.event.detail["to"] !== event.detail["to"] || endOf(same) < event.validFromUs) {
      kept.push(one);
      continue;
    }
    const [narrow, wide] = lengthOf(one) < lengthOf(same) ? [one, same] : [same, one];
    const toUs = Math.min(endOf(narrow), endOf(wide));
    const narrowed = { ...narrow.event, validFromUs: event.validFromUs, validToUs: toUs };
    kept[n] = { ...narrow, event: narrowed };
  }
  return kept;
}

function endOf({ event }: Happening): number {
  return event.validToUs ?? event.validFromUs + 1;
}

function lengthOf(one: Happening): number {
  return endOf(one) - one.event.validFromUs;
}

/** A state that is left again so soon was mostly misread; asked what changed, people mean what stayed so. */
const LASTING_US = 10_000_000;

/** Changes without those of a state that turned back at once. */
function lasting(happenings: readonly Happening[], trackOf: (one: Happening) => string): Happening[] {
  const passing = new Set<Happening>();
  const states = happenings.filter(
    ({ event, thing }) => event.type === "state-change" && thing !== undefined,
  );
  const groups = Map.groupBy(states, (one) => `${trackOf(one)} ${one.event.detail["attribute"]}`);
  for (const group of groups.values()) {
    const inOrder = group.toSorted((a, b) => a.event.validFromUs - b.event.validFromUs);
    for (let n = 0; n + 1 < inOrder.length; n++) {
      const [one, next] = [inOrder[n]!, inOrder[n + 1]!];
      const isBack = one.event.detail["from"] === next.event.detail["to"];
      if (!isBack || next.event.validFromUs - one.event.validFromUs > LASTING_US) continue;
      passing.add(one).add(next);
      n++;
    }
  }
  return happenings.filter((one) => !passing.has(one));
}

/** Events with the things they happened to, as these are after it. */
export async function withThings(events: readonly EventRecord[], memory: Belief): Promise<Happening[]> {
  const things = await memory.staysById(events.map(stateAfter));
  return events.map((event) => ({ event, thing: things.get(stateAfter(event)) }));
}

/** Comings and goings of things that come and go, seen more than in passing: the rest is mostly second sight. */
async function believable(happenings: readonly Happening[], memory: Belief): Promise<Happening[]> {
  const presence = await memory.presence(happenings.flatMap(({ thing }) => (thing ? [thing.state.id] : [])));
  const froms = await memory.staysById(
    happenings.flatMap(({ event }) => (event.type === "move" ? String(event.detail["from"] ?? "") : [])),
  );
  const kept: Happening[] = [];
  for (const one of happenings) {
    const { event, thing } = one;
    if (event.type === "state-change" && thing && !(await isSo(event, thing, memory))) continue;
    if (event.type !== "state-change") {
      if (!thing || isMover(thing.category)) continue;
      if (isRackPart(thing)) continue;
      const from = event.type === "move" ? froms.get(String(event.detail["from"] ?? "")) : undefined;
      if (from && from.state.id !== thing.state.id && !isElsewhere(from, thing)) continue;
      if (event.type === "disappear" && !(await isAway(thing, memory))) continue;
      if (event.type !== "move" && (await isInItsSlot(event, thing, memory))) continue;
      if (event.type === "appear" && isFixed(thing.category)) continue;
      if (
        event.type === "appear" &&
        (await isDoubtful(event, thing, presence.get(thing.state.id)?.seenCount ?? 0, memory))
      )
        continue;
    }
    kept.push(one);
  }
  return kept;
}

/** A change of a state that such a thing can be in, and that was not misread. */
async function isSo(event: EventRecord, thing: KnownThing, memory: Belief): Promise<boolean> {
  return canBe(thing.category, attributeIn(event.detail)) && !(await isMisread(event, thing, memory));
}

function attributeIn(detail: EventRecord["detail"]): string {
  return String(detail["attribute"] ?? "");
}

/** A board of a rack, by the code of a slot on it: racks stay. */
function isRackPart({ state }: KnownThing): boolean {
  return isFixed(state.category) && printedOn(state).some((text) => (pathOf(text)?.length ?? 0) > 2);
}

/** Where one of its kind, with what is written on it if anything is, lies in the very slot that it left, or lay there before it came. */
async function isInItsSlot(event: EventRecord, thing: KnownThing, memory: Belief): Promise<boolean> {
  const { slot } = thing;
  if (!slot || thing.spot) return false;
  const { fromUs, toUs } =
    event.type === "appear"
      ? { fromUs: -LIMITS.timeUs, toUs: event.validFromUs }
      : { fromUs: memory.nowUs, toUs: memory.nowUs + 1 };
  const others = await memory.around({ type: "box", ...slot.box }, { fromUs, toUs });
  const [text] = printedOn(thing.state);
  return others.some((other) => {
    const [own] = printedOn(other.state);
    const isAlike = text === undefined || own === undefined || own === text;
    return other.trackId !== thing.trackId && other.slot?.code === slot.code && isAlike;
  });
}

/** Whether the thing itself is away now: what is somewhere else, or back, is not gone. */
async function isAway(thing: KnownThing, memory: Belief): Promise<boolean> {
  const now = (await memory.thingOfState(thing.state.id, 1)) ?? thing;
  return (await memory.standing(now)).status !== "there";
}

/** Seen hardly or briefly, or where one of its kind stood before: then it is that one, taken for another. */
async function isDoubtful(
  event: EventRecord,
  { state }: KnownThing,
  seen: number,
  memory: Belief,
): Promise<boolean> {
  if (seen < LEAST_LOOKS) return true;
  if (state.validToUs !== null && state.validToUs - state.validFromUs < PASSING_US) return true;
  const at = state.anchor && inWorld(await memory.options.reader.frames(), state.anchor);
  if (!at) return false;
  const near = await memory.around(
    { type: "radius", centre: at, radiusM: TWIN_M },
    { fromUs: -LIMITS.timeUs, toUs: event.validFromUs },
  );
  return near.some((other) => other.category === state.category && other.state.id !== state.id);
}

/** What changed of one thing in a span: its places one after the other, what tracking told of it, its states. */
export async function changesOf(
  thing: KnownThing,
  span: Span,
  wanted: Wanted,
  memory: Belief,
): Promise<Happening[]> {
  const own = new Set(await memory.recordsOf(thing));
  const said = (await memory.events(["move", "appear", "disappear", "state-change"], span)).filter(
    ({ who, detail, p }) =>
      p >= LEAST_P && (who.some((id) => own.has(id)) || detail["trackId"] === thing.trackId),
  );
  const told: EventRecord[] = [];
  for (const event of said)
    if (event.type !== "state-change" || (await isSo(event, thing, memory))) told.push(event);
  const leftUs = await goneUs(thing, memory);
  const happenings: Happening[] = told
    // What is somewhere else now is not gone.
    .filter(({ type }) => type !== "move" && (type !== "disappear" || leftUs !== undefined))
    .map((event) => ({ event, thing }));
  const lasted = lasting(happenings, () => thing.trackId).filter(({ event }) => isWanted(event, wanted));
  // What became so and turned back at once is told where nothing else became so.
  const meant = lasted.length > 0 ? lasted : happenings.filter(({ event }) => isWanted(event, wanted));
  if (wanted.kinds.includes("moved")) meant.push(...(await movesOf(thing, span, told, memory)));
  return eachOnce(meant, () => thing.trackId);
}

/** A thing was moved when it has another place, or none any more; to its first one only where that was seen. */
async function movesOf(
  thing: KnownThing,
  span: Span,
  told: readonly EventRecord[],
  memory: Belief,
): Promise<Happening[]> {
  const inSpan = (us: number) => us >= span.fromUs && us < span.toUs;
  const moveTo = ({ state }: KnownThing) =>
    told.find((event) => event.type === "move" && stateAfter(event) === state.id);
  const moves: Happening[] = (await placesOf(thing, memory))
    .filter((place, n) => inSpan(place.state.validFromUs) && (n > 0 || moveTo(place)))
    .map((place) => ({
      event:
        moveTo(place) ??
        madeEvent(
          place.state.id,
          "move",
          { fromUs: place.state.validFromUs, toUs: null },
          { who: [place.state.id] },
        ),
      thing: place,
    }));
  // However short the stay, a move that is certain was one; however short the way, one to a stay that was seen.
  const stays = new Set((await memory.stays(thing.trackId)).map(({ state }) => state.id));
  for (const event of told) {
    const isKnown = event.p >= CERTAIN_P || stays.has(stateAfter(event));
    if (event.type === "move" && isKnown && !moves.some((move) => move.event.id === event.id))
      moves.push({ event, thing });
  }
  // Who went out of sight was not moved.
  const leftUs = isMover(thing.category) ? undefined : await goneUs(thing, memory);
  if (leftUs !== undefined && inSpan(leftUs))
    moves.push({
      event:
        told.find(({ type }) => type === "disappear") ??
        madeEvent(thing.state.id, "disappear", { fromUs: leftUs, toUs: null }, { who: [thing.state.id] }),
      thing,
    });
  return moves;
}
