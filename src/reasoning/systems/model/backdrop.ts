import { Belief } from "../../../belief/belief.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { roomCard, ShortIds } from "../../evidence/index.ts";
import type { LinesOptions } from "./lines.ts";
import type { ModelRun } from "./model-run.ts";
import { nowText, standOf } from "./stand.ts";
import { Things } from "./things.ts";

/** Tokens that the things of the texts may take beside them. */
const TOKENS = 1_500;
const MOST_ROOMS = 8;

/**
 * The context of texts that a system retrieved: the things in them as they are believed to be, their rooms, and the
 * time.
 */
export interface Backdrop {
  /** The moment and where the robot stands. */
  readonly now: string;
  /** Rooms and things, a line each; empty where the texts name no record. */
  readonly things: string;
  /** How the texts themselves are put down: briefly, with the ids of their things. */
  readonly lines: LinesOptions;
  /** " Shows t1 t4.": the things of several texts. */
  showsOf(items: readonly Evidence[]): string;
  /** The record of a thing's id. */
  byId(id: string): Evidence | undefined;
}

/**
 * Literally a paper's model has the retrieved texts alone; ours also has the memory's beliefs about the things in them.
 */
export async function backdropOf(
  items: readonly Evidence[],
  { question, options }: ModelRun,
): Promise<Backdrop> {
  const ids = new ShortIds();
  const things = new Things(ids);
  await things.read(items, options);
  const cards = await things.cards(question, options, TOKENS);
  const rooms = await roomsText(items, options, ids);
  return {
    now: await nowText(options),
    things: [rooms, cards].filter((part) => part !== "").join("\n"),
    lines: { brief: true, more: (...items) => things.shownIn(...items) },
    showsOf: (of) => things.shownIn(...of),
    byId: (id) => things.byId(id),
  };
}

/** The cards of the rooms that the texts were made in, and in which the robot is now. */
async function roomsText(
  items: readonly Evidence[],
  options: ModelRun["options"],
  ids: ShortIds,
): Promise<string> {
  const memory = new Belief(options);
  const rooms = new Map<string, RoomView>();
  for (const { position } of items) {
    const room = position && (await memory.roomAt(position));
    if (room && rooms.size < MOST_ROOMS) rooms.set(room.id, room);
  }
  const lines: string[] = [];
  for (const room of rooms.values())
    lines.push(await roomCard(room, { memory, ids, signal: options.signal }));
  const stand = await standOf(options);
  const here = stand && (await memory.roomAt(stand.position));
  return [...lines, ...(here === undefined ? [] : [`The robot is in the ${here.name}.`])].join("\n");
}
