import { withThings } from "../../belief/changes.ts";
import type { EventRecord } from "../../belief/happening.ts";
import { yawOf } from "../../geometry/index.ts";
import { type Evidence, serialise } from "../../retrieval/index.ts";
import type { RecordOf, Stored } from "../../schema/core.ts";
import {
  captionLines,
  cardOf,
  factsOfAll,
  roomCard,
  roomFact,
  spanText,
  timeText,
} from "../evidence/index.ts";
import { WITNESSED_US } from "../say/figures.ts";
import { happening } from "../say/things.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { sideText } from "./viewer-in.ts";

/** Characters that a token of such lines has. */
const CHARS = 4;

interface LineOptions {
  readonly tokens: number;
  readonly notes?: ReadonlyMap<string, string> | undefined;
}

/**
 * Records as lines for a model, in the given order: things as cards, equal captions as one, events with whether they
 * were witnessed. Records that do not fit are left out whole; `shown` lists the records in the lines.
 */
export async function linesOf(
  items: readonly Evidence[],
  memory: LoopMemory,
  { tokens, notes }: LineOptions,
): Promise<{ readonly lines: string[]; readonly shown: Evidence[] }> {
  const texts = await textsOf(items, memory);
  const sides = notes ?? (await sidesOf(items, memory));
  const lines: string[] = [];
  const shown: Evidence[] = [];
  const told = new Set<string>();
  let used = 0;
  for (const item of items) {
    const text = texts.get(item.id);
    if (text === undefined) continue;
    const line = sides.has(item.id) ? `${text} · ${sides.get(item.id)}` : text;
    // Captions that say the same share a line.
    const isNew = !told.has(line);
    const cost = isNew ? Math.ceil(line.length / CHARS) : 0;
    if (shown.length > 0 && used + cost > tokens) break;
    used += cost;
    told.add(line);
    if (isNew) lines.push(line);
    shown.push(item);
  }
  return { lines, shown };
}

/** On which side of the robot things are that are in its room now. */
async function sidesOf(items: readonly Evidence[], memory: LoopMemory): Promise<ReadonlyMap<string, string>> {
  const { pose } = memory.options;
  const here = pose && (await memory.belief.roomAt(pose.p));
  const sides = new Map<string, string>();
  if (!pose || !here) return sides;
  const viewer = { position: pose.p, yawRad: yawOf(pose.q) };
  for (const { id, record, position } of items) {
    if (record.kind !== "state" || !position || (record.validToUs ?? Infinity) <= memory.nowUs) continue;
    const { regionId: roomId, category } = record;
    if ((await memory.belief.roomOf({ roomId, position, category }))?.id === here.id)
      sides.set(id, sideText(viewer, position));
  }
  return sides;
}

/** The same as one text, which says how many of them it has. */
export async function recordsText(
  items: readonly Evidence[],
  memory: LoopMemory,
  tokens: number,
): Promise<string> {
  const { lines, shown } = await linesOf(items, memory, { tokens });
  const cut = shown.length < items.length ? [`${shown.length} of ${items.length} shown`] : [];
  return [...lines, ...cut].join("\n");
}

async function textsOf(items: readonly Evidence[], memory: LoopMemory): Promise<Map<string, string>> {
  const context = memory.evidence;
  const texts = new Map<string, string>();
  const ofKind = <K extends Stored["kind"]>(kind: K) =>
    items.flatMap(({ record }) => (record.kind === kind ? [record as Stored<RecordOf<K>>] : []));
  const things = await memory.stays(ofKind("state").map(({ id }) => id));
  const facts = await factsOfAll([...things.values()], context);
  for (const one of facts) texts.set(one.stateId, cardOf(one, context));
  // Records named in a card can be cited as well.
  const held = facts.flatMap(({ heldBy, carries }) => [...(heldBy ? [heldBy] : []), ...carries]);
  await memory.name(held.map(({ trackId }) => trackId));
  for (const { text, recordIds } of captionLines(ofKind("caption"), context, memory.options.question))
    for (const id of recordIds) texts.set(id, text);
  for (const [id, text] of await eventLines(ofKind("event"), memory)) texts.set(id, text);
  for (const region of ofKind("region")) texts.set(region.id, await regionLine(region, memory));
  for (const view of ofKind("view")) texts.set(view.id, viewLine(view, memory));
  for (const item of items)
    if (!texts.has(item.id)) texts.set(item.id, serialise([item], { nowUs: memory.nowUs }).text);
  return texts;
}

/** "e3 between 09:05:23 and 09:07:36, not witnessed · the door was opened · t13 · hallway". */
async function eventLines(
  events: readonly EventRecord[],
  memory: LoopMemory,
): Promise<ReadonlyMap<string, string>> {
  const { belief, evidence } = memory;
  const lines = new Map<string, string>();
  for (const { event, thing } of await withThings(events, belief)) {
    const parts = [
      `${evidence.ids.of(event.id, "event")} ${whenText(event, memory)}`,
      happening(event, thing),
    ];
    const rooms = await belief.rooms();
    const room = thing ? await belief.roomOf(thing) : rooms.find(({ id }) => id === event.regionId);
    if (thing) parts.push(memory.shortOf(thing));
    if (room) parts.push((await roomFact(room, evidence)).name);
    lines.set(event.id, parts.join(" · "));
  }
  return lines;
}

/** Events that are changes: their span is between the last look before and the first after. */
export const CHANGE_EVENTS: ReadonlySet<string> = new Set(["move", "appear", "disappear", "state-change"]);

function whenText({ type, validFromUs, validToUs }: EventRecord, { nowUs }: LoopMemory): string {
  const toUs = Math.min(validToUs ?? nowUs, nowUs);
  if (!CHANGE_EVENTS.has(type)) return spanText(validFromUs, toUs, nowUs);
  if (toUs - validFromUs <= WITNESSED_US) return `${timeText(toUs, nowUs)}, witnessed`;
  return `between ${timeText(validFromUs, nowUs)} and ${timeText(toUs, nowUs)}, not witnessed`;
}

async function regionLine(region: Stored<RecordOf<"region">>, memory: LoopMemory): Promise<string> {
  const room = (await memory.belief.rooms()).find(({ id }) => id === region.id);
  if (room) return roomCard(room, memory.evidence);
  const about = region.text.join(" ");
  const short = memory.evidence.ids.of(region.id, "place");
  return `${short} ${region.name} (${region.type})${about === "" ? "" : `: ${about}`}`;
}

function viewLine(view: Stored<RecordOf<"view">>, { nowUs, evidence }: LoopMemory): string {
  const short = evidence.ids.of(view.id, "picture");
  const room = view.room === undefined ? "" : ` · ${view.room}`;
  return `${short} picture · ${timeText(view.validFromUs, nowUs)}${room}: ${view.text.join(" ")}`;
}
