import { polygonContains, type Vec3 } from "../geometry/index.ts";
import { roomKind } from "../ontology/index.ts";
import { nameSaid, placeSaid } from "./captioned.ts";
import type { Labelled } from "./labelled.ts";
import { labelOf } from "./labels.ts";
import { racksIn } from "./racks.ts";
import { type SignedRoom, signedRooms } from "./recut.ts";
import { floorOf, isPlainName, type RoomName, type RoomView } from "./room-names.ts";
import { PLACES } from "./settings/places.ts";

/** A sentence about where its author was. */
export interface Told {
  readonly lines: readonly string[];
  readonly position: Vec3;
  readonly byPerson: boolean;
}

/** Evidence for the names of rooms other than their contents. */
export interface NameEvidence {
  readonly labelled: readonly Labelled[];
  readonly told: readonly Told[];
}

/** Rooms with all names that signs, captions and people give them; the best supported name is the title. */
export function namedByAll(rooms: readonly RoomView[], { labelled, told }: NameEvidence): RoomView[] {
  const places = racksIn({ labelled });
  const signs = labelled.filter(
    ({ label }) => label.kind !== undefined && roomKind(label.kind) !== undefined,
  );
  const signed = signedRooms(rooms, places.rows(), signs);
  const tellings = new Map<RoomView, Told[]>();
  for (const one of told) {
    const room = signed.find((part) => stoodIn(one.position, part.room))?.room;
    if (room) tellings.set(room, [...(tellings.get(room) ?? []), one]);
  }
  return signed.map((part) => named(part, tellings.get(part.room) ?? []));
}

function stoodIn(position: Vec3, room: RoomView): boolean {
  const { hull } = room.record;
  const above = position.z - floorOf(room);
  return (
    hull !== undefined &&
    hull.length >= 3 &&
    above > -PLACES.belowM &&
    above < PLACES.standingM &&
    polygonContains({ points: hull }, position)
  );
}

function named({ room: mapped, label, count }: SignedRoom, told: readonly Told[]): RoomView {
  const room = withoutCode(mapped);
  const said = told
    .filter(({ byPerson }) => byPerson)
    .flatMap(({ lines }) => lines.flatMap((line) => nameSaid(line) ?? []));
  const kinds = countsOf(
    told.filter(({ byPerson }) => !byPerson).flatMap(({ lines }) => placeSaid(lines[0] ?? "") ?? []),
  );
  const names: RoomName[] = [
    ...countsOf(said).map(([name, times]) => ({ name, count: times, source: "person" as const })),
    ...(label ? [{ name: label.name, count, source: "sign" as const }] : []),
    ...kinds.map(([name, times]) => ({ name, count: times, source: "caption" as const })),
    { name: room.type, count: 1, source: "furniture" as const },
  ];
  const [kind, times] = kinds[0] ?? [];
  const all = kinds.reduce((sum, [, n]) => sum + n, 0);
  const least = isPlainName(room.type) ? PLACES.fewCaptions : PLACES.captions;
  const isTold = kind !== undefined && times! >= least && times! >= PLACES.captionShare * all;
  // A name corrected by a person is final.
  if (room.record.roomType !== undefined) return { ...room, names };
  const type = label?.kind ?? (isTold ? moreExact(kind, room.type) : room.type);
  const name = said.at(-1) ?? label?.name ?? type;
  return { ...room, name, type: typeFor(said.at(-1)) ?? type, names };
}

/** The map names a room by any sign near it: the owner of the sign is found here. */
function withoutCode(room: RoomView): RoomView {
  const written = labelOf(room.type);
  const isNumbered = written !== undefined && written.path.length > 0 && room.record.roomType === undefined;
  const kind = room.type.replace(/\s+\S+$/u, "");
  return isNumbered ? { ...room, name: kind, type: kind } : room;
}

/** Furniture tells a children's room from a bedroom; captions call both a bedroom. */
function moreExact(told: string, type: string): string {
  return isKind(type, told) ? type : told;
}

function isKind(type: string, kind: string): boolean {
  const own = roomKind(type);
  return own !== undefined && (own.name === kind || own.kinds.some((above) => isKind(above, kind)));
}

/** The type of room that a given name ends in: Anna's bedroom is a bedroom. */
function typeFor(name: string | undefined): string | undefined {
  const words = name?.toLowerCase().split(/\s+/u) ?? [];
  for (let at = 0; at < words.length; at++) {
    const kind = roomKind(words.slice(at).join(" "));
    if (kind && !kind.isWhole) return kind.name;
  }
  return undefined;
}

function countsOf(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
