import { LIMITS } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { type EventRecord, type Happening, madeEvent, stateAfter } from "./happening.ts";
import { pathOf } from "./labels.ts";
import { printedOn } from "./matching.ts";
import { heldChanges } from "./misreadings.ts";
import { isFixed, isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import { isGlimpsed } from "./presence.ts";
import { CHANGING } from "./settings/changes.ts";
import type { Span } from "./span.ts";
import { canBe } from "./states.ts";
import { goneUs, isElsewhere, placesOf } from "./stays.ts";
import type { KnownThing } from "./thing.ts";

/** The name of a change, with the types of the records that report it. */
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

/** An attribute or value that is asked for explicitly takes precedence over the kind of change. */
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

/** All changes in a span of time: once for each thing, and a moved thing does not also count as gone. */
export async function changesIn(span: Span, wanted: Wanted, memory: Belief): Promise<Happening[]> {
  const types = [...new Set(wanted.kinds.flatMap((name) => CHANGES[name]?.type ?? []))];
  // Moves are always read, because a moved thing must not count as gone.
  const read =
    types.includes("disappear") || types.includes("appear") ? [...new Set([...types, "move"])] : types;
  const all = await sinceSeen(
    (await memory.events(read, span)).filter(({ p }) => p >= CHANGING.leastP),
    memory,
  );
  const happenings = (await believable(await withThings(all, memory), memory)).filter(({ event }) =>
    reaches(event, span),
  );
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

/** A change of state that several robots noticed is one change, within the narrowest of their intervals. */
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

/** Departures since the last sighting by any robot at the old place, even if one robot alone noticed the absence. */
async function sinceSeen(events: readonly EventRecord[], memory: Belief): Promise<EventRecord[]> {
  const before = ({ type, who, detail }: EventRecord) =>
    type === "disappear" ? (who[0] ?? "") : type === "move" ? String(detail["from"] ?? "") : "";
  const presence = await memory.presence(events.map(before).filter((id) => id !== ""));
  return events.map((event) => {
    const seenUs = presence.get(before(event))?.lastSeenUs ?? event.validFromUs;
    const isWithin = seenUs > event.validFromUs && seenUs < (event.validToUs ?? seenUs);
    return isWithin ? { ...event, validFromUs: seenUs } : event;
  });
}

/** Whether a change may lie in a span; sightings by other robots narrow its interval. */
function reaches({ validFromUs, validToUs }: EventRecord, { fromUs, toUs }: Span): boolean {
  return validFromUs < toUs && (validToUs ?? validFromUs + 1) > fromUs;
}

function endOf({ event }: Happening): number {
  return event.validToUs ?? event.validFromUs + 1;
}

function lengthOf(one: Happening): number {
  return endOf(one) - one.event.validFromUs;
}

/** Changes without those of a state that reverted at once. */
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
      if (!isBack || next.event.validFromUs - one.event.validFromUs > CHANGING.lastingUs) continue;
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

/** Changes of portable things with enough sightings; most others are duplicate detections. */
async function believable(happenings: readonly Happening[], memory: Belief): Promise<Happening[]> {
  const presence = await memory.presence(happenings.flatMap(({ thing }) => (thing ? [thing.state.id] : [])));
  const froms = await memory.staysById(
    happenings.flatMap(({ event }) => (event.type === "move" ? String(event.detail["from"] ?? "") : [])),
  );
  const kept: Happening[] = [];
  for (const one of happenings) {
    const { event, thing } = one;
    if (event.type === "state-change" && thing) {
      const held = (await statesOf(thing, memory)).find(({ id }) => id === event.id);
      if (held) kept.push({ event: held, thing });
      continue;
    }
    if (event.type !== "state-change") {
      if (!thing || isMover(thing.category)) continue;
      if (isRackPart(thing)) continue;
      const from = event.type === "move" ? froms.get(String(event.detail["from"] ?? "")) : undefined;
      if (from && from.state.id !== thing.state.id && !isElsewhere(from, thing)) continue;
      if (event.type === "disappear" && !(await isAway(thing, memory))) continue;
      if (event.type !== "move" && (await isInItsSlot(event, thing, memory))) continue;
      const seen = presence.get(thing.state.id);
      if (event.type === "appear" && isFixed(thing.category)) continue;
      if (event.type === "disappear" && isGlimpsed(thing.state, seen)) continue;
      if (event.type === "appear" && (await isDoubtful(event, thing, seen?.seenCount ?? 0, memory))) continue;
    }
    kept.push(one);
  }
  return kept;
}

function attributeIn(detail: EventRecord["detail"]): string {
  return String(detail["attribute"] ?? "");
}

/** A board of a rack, recognised by its slot code: racks do not move. */
function isRackPart({ state }: KnownThing): boolean {
  return isFixed(state.category) && printedOn(state).some((text) => (pathOf(text)?.length ?? 0) > 2);
}

/** Whether a like thing, with the same text if any, lies in the slot that this one left, or lay there before. */
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

/** Whether the thing itself is away now: a thing that is elsewhere, or back, is not gone. */
async function isAway(thing: KnownThing, memory: Belief): Promise<boolean> {
  const now = (await memory.thingOfState(thing.state.id, 1)) ?? thing;
  return (await memory.standing(now)).status !== "there";
}

/** Seen rarely or briefly, or where another of its category stood: then probably that one, misrecognised. */
async function isDoubtful(
  event: EventRecord,
  { state }: KnownThing,
  seen: number,
  memory: Belief,
): Promise<boolean> {
  if (seen < CHANGING.leastLooks) return true;
  if (state.validToUs !== null && state.validToUs - state.validFromUs < CHANGING.passingUs) return true;
  const at = state.anchor && inWorld(await memory.options.reader.frames(), state.anchor);
  if (!at) return false;
  const near = await memory.around(
    { type: "radius", centre: at, radiusM: CHANGING.twinM },
    { fromUs: -LIMITS.timeUs, toUs: event.validFromUs },
  );
  return near.some((other) => other.category === state.category && other.state.id !== state.id);
}

/** The changes of one thing in a span: its places in order, the events that tracking recorded, its states. */
export async function changesOf(
  thing: KnownThing,
  span: Span,
  wanted: Wanted,
  memory: Belief,
): Promise<Happening[]> {
  const own = new Set(await memory.recordsOf(thing));
  const said = (await memory.events(["move", "appear", "disappear", "state-change"], span)).filter(
    ({ who, detail, p }) =>
      p >= CHANGING.leastP && (who.some((id) => own.has(id)) || detail["trackId"] === thing.trackId),
  );
  const states = new Map((await statesOf(thing, memory)).map((event) => [event.id, event]));
  const told = (await sinceSeen(said, memory))
    .flatMap((event) => (event.type === "state-change" ? (states.get(event.id) ?? []) : event))
    .filter((event) => reaches(event, span));
  const leftUs = await goneUs(thing, memory);
  const happenings: Happening[] = told
    // A thing that is elsewhere now is not gone.
    .filter(({ type }) => type !== "move" && (type !== "disappear" || leftUs !== undefined))
    .map((event) => ({ event, thing }));
  const lasted = lasting(happenings, () => thing.trackId).filter(({ event }) => isWanted(event, wanted));
  // A state that was entered and left at once is reported only where no other change is.
  const meant = lasted.length > 0 ? lasted : happenings.filter(({ event }) => isWanted(event, wanted));
  if (wanted.kinds.includes("moved")) meant.push(...(await movesOf(thing, span, told, memory)));
  return eachOnce(meant, () => thing.trackId);
}

/**
 * The changes of a thing's states that are believed, earliest first: each attribute's changes lead from one to the next
 * and at last to the present value. A change that leads elsewhere was a misreading. A listing, a card and an answer
 * that go back over them therefore agree.
 */
export function statesOf(thing: KnownThing, memory: Belief): Promise<readonly EventRecord[]> {
  return memory.once(`states ${thing.trackId}`, async () =>
    readStates((await memory.thingOfState(thing.state.id, 1)) ?? thing, memory),
  );
}

async function readStates(thing: KnownThing, memory: Belief): Promise<readonly EventRecord[]> {
  const own = new Set(await memory.recordsOf(thing));
  const span = { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  const believed: EventRecord[] = [];
  for (const event of await memory.events(["state-change"], span)) {
    const { who, detail, p } = event;
    const isOwn = who.some((id) => own.has(id)) || detail["trackId"] === thing.trackId;
    if (p >= CHANGING.leastP && isOwn && canBe(thing.category, attributeIn(detail))) believed.push(event);
  }
  const groups = Map.groupBy(believed, ({ detail }) => attributeIn(detail));
  const held = [...groups].map(async ([attribute, changes]) =>
    leadingTo(thing.state.attributes[attribute]?.value, await heldChanges(changes, thing, memory)),
  );
  const kept = (await Promise.all(held)).flat();
  return kept.sort((a, b) => a.validFromUs - b.validFromUs || (a.id < b.id ? -1 : 1));
}

/** The changes of an attribute that lead to its present value, each from the value that the one before ended with. */
function leadingTo(now: unknown, changes: readonly EventRecord[]): readonly EventRecord[] {
  // Without a present value, no change can be called a misreading.
  if (now === undefined) return changes;
  const kept: EventRecord[] = [];
  let value = String(now);
  for (const event of changes.toSorted((a, b) => b.validFromUs - a.validFromUs)) {
    // A change that several robots noticed, each between its own observations, counts once.
    const after = kept[0];
    const isSame =
      after !== undefined &&
      event.detail["to"] === after.detail["to"] &&
      (event.validToUs ?? event.validFromUs + 1) >= after.validFromUs;
    if (String(event.detail["to"]) !== value && !isSame) continue;
    kept.unshift(event);
    value = String(event.detail["from"]);
  }
  return kept;
}

/** A thing was moved when it has another place, or none; its first place counts only where its arrival was seen. */
async function movesOf(
  thing: KnownThing,
  span: Span,
  told: readonly EventRecord[],
  memory: Belief,
): Promise<Happening[]> {
  const inSpan = (us: number) => us >= span.fromUs && us < span.toUs;
  const moveTo = ({ state }: KnownThing) =>
    told.find((event) => event.type === "move" && stateAfter(event) === state.id);
  const places = await placesOf(thing, memory);
  // What moves by itself is nobody's to miss: it left after the last look at its old place, and had come by the first at the new one.
  if (isMover(thing.category)) return ownMoves(places).filter(({ event }) => reaches(event, span));
  const moves: Happening[] = places
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
  // A certain move counts however short the stay; a move to a stay that was seen counts however short the distance.
  const stays = new Set((await memory.stays(thing.trackId)).map(({ state }) => state.id));
  for (const event of told) {
    const isKnown = event.p >= CHANGING.certainP || stays.has(stateAfter(event));
    if (event.type === "move" && isKnown && !moves.some((move) => move.event.id === event.id))
      moves.push({ event, thing });
  }
  const leftUs = await goneUs(thing, memory);
  if (leftUs !== undefined && inSpan(leftUs))
    moves.push({
      event:
        told.find(({ type }) => type === "disappear") ??
        madeEvent(thing.state.id, "disappear", { fromUs: leftUs, toUs: null }, { who: [thing.state.id] }),
      thing,
    });
  return moves;
}

/** From each place of something that moves by itself to the next: between the last look there and the first here. */
function ownMoves(places: readonly KnownThing[]): Happening[] {
  return places.slice(1).map((place, n) => {
    const fromUs = (places[n]!.state.validToUs ?? place.state.validFromUs) - 1;
    const key = `${place.state.id} ${place.state.validFromUs}`;
    const span = { fromUs, toUs: place.state.validFromUs };
    return { event: madeEvent(key, "move", span, { who: [place.state.id] }), thing: place };
  });
}
