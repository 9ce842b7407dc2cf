import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import type { Evidence } from "../../retrieval/index.ts";
import type { EvidenceContext } from "./context.ts";
import { type Picture, picturesOf } from "./pictures.ts";

/** What of the question says where to look; R⁴'s keys have these. */
export interface LookKeys {
  readonly semantic?: readonly string[] | undefined;
  readonly near?: string | null | undefined;
  readonly room?: string | null | undefined;
}

/** So many pictures are attached to a question unless more are asked for. */
const ATTACHED = 2;
/** Things that were found best and may be meant. */
const MOST_THINGS = 4;

/**
 * Words of questions that pictures answer better than records do: what something looks like, what it is made of, what is
 * written on it, and how a room is laid out.
 */
const LOOKS = [
  /\blooks? like|\bappearance|\bdescribe|\bdescription|\bwhat does .+ look\b|\bpicture|\bphoto|\bshow me\b/,
  /\bmade (?:of|from|out of)\b|\bmaterials?\b|\bwood(?:en)?\b|\bmetal(?:lic)?\b|\bplastic\b|\bglass\b|\bleather\b|\bfabric\b|\bceramic\b|\bstone\b|\btiles?\b|\btiled\b|\bcarpet(?:ed)?\b|\blaminate\b/,
  /\bcolou?rs?\b|\bpatterns?\b|\bpatterned\b|\bstrip(?:ed?|es)\b|\bplain\b|\bshapes?\b|\bstyles?\b|\btexture\b|\bround\b|\bsquare\b/,
  /\bwritten\b|\bsays?\b|\breads?\b|\btext\b|\blabel\b|\btitle\b|\blogo\b|\bsign\b|\bbrand\b|\bnumber on\b|\bposter\b|\bpainting\b/,
  /\blay-?out\b|\blaid out\b|\barranged?\b|\barrangement\b|\bfloor(?:ing)?\b|\bwalls?\b|\bceiling\b|\bspace for\b|\bclean\b|\bdirty\b|\btidy\b|\bmess(?:y)?\b|\bdusty\b|\bbroken\b|\bcondition\b|\bdecorat/,
] as const;

/** Whether looks, a material, something written or a layout is asked for. */
export function asksForLooks(question: string): boolean {
  const words = question.toLowerCase();
  return LOOKS.some((pattern) => pattern.test(words));
}

/**
 * The pictures that go along with a question that asks for looks: of the things that were found, in the room that is named;
 * of the room itself where none of them is. None for other questions.
 */
export async function picturesFor(
  question: string,
  keys: LookKeys,
  found: readonly Evidence[],
  context: EvidenceContext,
  most = ATTACHED,
): Promise<Picture[]> {
  if (!asksForLooks(question)) return [];
  const { memory } = context;
  const rooms = await roomsMeant(question, keys, context);
  const pictures: Picture[] = [];
  const add = (more: readonly Picture[]) => {
    for (const picture of more)
      if (pictures.length < most && !pictures.some(({ viewId }) => viewId === picture.viewId))
        pictures.push(picture);
  };
  const asked = [...(keys.semantic ?? []), keys.near ?? "", question].join(" ").toLowerCase();
  for (const thing of (await thingsOf(found, asked, rooms, context)).slice(0, MOST_THINGS)) {
    if (pictures.length >= most) break;
    add(await picturesOf({ thing }, context, { most: 1 }));
  }
  for (const room of rooms) {
    if (pictures.length >= most) break;
    add(await picturesOf({ room }, context, { most }));
  }
  if (pictures.length === 0 && rooms.length === 0 && context.pose) {
    const here = await memory.roomAt(context.pose.p);
    if (here) add(await picturesOf({ room: here }, context, { most }));
  }
  return pictures;
}

/** The rooms that the keys or the question name. */
async function roomsMeant(
  question: string,
  { room }: LookKeys,
  { memory }: EvidenceContext,
): Promise<readonly RoomView[]> {
  if (room) {
    const head = room.toLowerCase().replace(/^the\s+/, "");
    const named = await memory.roomsNamed({ head, mods: [], attributes: {}, phrase: head });
    if (named.length > 0) return named;
  }
  const words = ` ${question.toLowerCase().replaceAll(/[^\p{L}\p{N}' -]/gu, " ")} `;
  return (await memory.rooms()).filter(({ name }) => words.includes(` ${name.toLowerCase()} `));
}

/** Things among what was found that the question speaks of, in the rooms it names; the best found first. */
async function thingsOf(
  found: readonly Evidence[],
  asked: string,
  rooms: readonly RoomView[],
  { memory }: EvidenceContext,
): Promise<KnownThing[]> {
  const things = new Map<string, KnownThing>();
  for (const { record } of found) {
    if (record.kind !== "state") continue;
    const isMeant =
      asked.includes(record.category.toLowerCase()) || asked.includes(record.name.toLowerCase());
    if (!isMeant) continue;
    const thing = await memory.thingOfState(record.id, 1);
    if (!thing || things.has(thing.trackId)) continue;
    const room = await memory.roomOf(thing);
    if (rooms.length === 0 || rooms.some(({ id }) => id === room?.id)) things.set(thing.trackId, thing);
  }
  return [...things.values()];
}
