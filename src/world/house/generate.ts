import { Random } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { HouseBuilder } from "./builder.ts";
import { drawSpecimen } from "./furnish/look.ts";
import { furnishRooms } from "./furnish/rooms.ts";
import { modelOf } from "./models.ts";
import { type Layout, layOut } from "./plan/layout.ts";
import { cutOpenings, type Site } from "./plan/openings.ts";
import { STYLES } from "./plan/programme.ts";
import { mm } from "./plan/rect.ts";
import { buildStructure, CEILING_M, innerRect, leafPlacement, STOREY_M } from "./plan/structure.ts";
import { startFluents, stockHouse } from "./stock/stock.ts";
import { PEOPLE } from "./texts.ts";
import type { House, HouseLight, HouseOptions, Opening, Placement, Room, Stair } from "./types.ts";
import { QUARTER, yawOfStep } from "./yaw.ts";

const LIMITS = { rooms: [4, 14], floors: [1, 2], objects: [60, 400] } as const;
/** With fewer objects per room a house looks empty. */
const OBJECTS_PER_ROOM = 10;
/** Things that arrive later: parcels and presents for the timeline to bring in. */
const ARRIVALS = [
  "cardboard box",
  "book",
  "vase",
  "ball",
  "cake",
  "backpack",
  "mug",
  "suitcase",
  "fan",
  "teddy bear",
] as const;

/** Builds a whole house from one seed. The same seed and options give the same house on every machine. */
export function generateHouse(seed: number | string, options: HouseOptions = {}): House {
  const random = new Random(checkedSeed(seed)).fork("house");
  const { rooms, floors, objects, perturbation } = settled(options, random.fork("options"));
  const { layout, sites, cut } = drawPlan(rooms, floors, random);
  const people = random
    .fork("people")
    .shuffle(PEOPLE)
    .slice(0, 2 + random.fork("household").int(0, 3));
  const builder = new HouseBuilder();
  const frames = addStructure(builder, layout, sites, cut, random.fork("paint"));
  const openings = addFittings(builder, cut, frames, random.fork("fittings"));
  const owners = ownersOf(sites, people);
  const stores = furnishRooms(
    builder,
    layout,
    sites,
    openings,
    owners,
    people,
    objects,
    random.fork("furniture"),
  );
  const counted = builder.things.filter((thing) => thing.type !== "structure").length;
  stockHouse(builder, stores, people, objects - counted, perturbation, random.fork("stock"));
  addArrivals(builder, random.fork("arrivals"));
  addPeople(builder, people, random.fork("persons"));
  return {
    seed: String(seed),
    floors: layout.floors,
    rooms: sites.map((site) => roomOf(site, openings, owners.get(site.id))),
    openings,
    stairs: stairsOf(builder, layout),
    things: builder.things,
    starts: builder.starts,
    lights: lightsOf(builder),
    people,
  };
}

/** Layouts are drawn until one accepts its doors; about one in a hundred needs a second draw, so 40 are plenty. */
function drawPlan(
  rooms: number,
  floors: number,
  random: Random,
): { layout: Layout; sites: Site[]; cut: Opening[] } {
  for (let attempt = 0; attempt < 40; attempt++) {
    const layout = layOut(rooms, floors, random.fork(`layout/${attempt}`));
    const sites = named(layout);
    const cut = cutOpenings(layout, sites, random.fork(`openings/${attempt}`));
    if (cut !== undefined && sites.length === rooms) return { layout, sites, cut };
  }
  throw new LociError(
    "invalid-input",
    `no plan found for ${rooms} rooms on ${floors} floors: try another seed`,
  );
}

function checkedSeed(seed: number | string): number | string {
  const ok = typeof seed === "number" ? Number.isFinite(seed) : seed.length > 0 && seed.length <= 256;
  if (!ok)
    throw new LociError(
      "invalid-input",
      `expected a finite number or a text of 1 to 256 characters as seed, got ${JSON.stringify(seed)}`,
    );
  return seed;
}

function settled(options: HouseOptions, random: Random): Required<HouseOptions> {
  for (const name of ["rooms", "floors", "objects"] as const) {
    const value = options[name];
    const [low, high] = LIMITS[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= low && value <= high)) {
      throw new LociError(
        "invalid-input",
        `expected ${name} to be a whole number from ${low} to ${high}, got ${value}`,
      );
    }
  }
  const perturbation = options.perturbation ?? 0.1;
  if (!(perturbation >= 0 && perturbation <= 1))
    throw new LociError("invalid-input", `expected perturbation from 0 to 1, got ${perturbation}`);
  const least = options.floors === 2 ? 8 : 5;
  const most =
    options.objects === undefined ? 13 : Math.min(13, Math.floor(options.objects / OBJECTS_PER_ROOM));
  const rooms = options.rooms ?? random.int(Math.min(least, most), Math.max(least, most) + 1);
  const floors = options.floors ?? (rooms >= 8 && random.chance(0.5) ? 2 : 1);
  if (floors === 2 && rooms < 8)
    throw new LociError(
      "invalid-input",
      `expected at least 8 rooms on 2 floors, got ${rooms}: ask for one floor or more rooms`,
    );
  const objects = options.objects ?? Math.min(400, Math.max(60, Math.round(rooms * random.range(18, 27))));
  if (objects < rooms * OBJECTS_PER_ROOM) {
    throw new LociError(
      "invalid-input",
      `expected at least ${rooms * OBJECTS_PER_ROOM} objects in ${rooms} rooms, got ${objects}`,
    );
  }
  return { rooms, floors, objects, perturbation };
}

function named(layout: Layout): Site[] {
  const counts = new Map<string, number>();
  return layout.cells.map((cell) => {
    const slug = cell.type.replace(/[^a-z]+/g, "-");
    const count = (counts.get(slug) ?? 0) + 1;
    counts.set(slug, count);
    return { ...cell, id: `${slug}-${count}`, floorZM: mm(cell.floor * STOREY_M) };
  });
}

/** Bedrooms, children's rooms and offices belong to people in turn. */
function ownersOf(sites: readonly Site[], people: readonly string[]): Map<string, string> {
  const owned = sites.filter(
    ({ type }) => type === "bedroom" || type === "children's room" || type === "office",
  );
  return new Map(owned.map((site, i) => [site.id, people[i % people.length]!]));
}

/** Returns the ids of door frames by opening. */
function addStructure(
  builder: HouseBuilder,
  layout: Layout,
  sites: readonly Site[],
  openings: readonly Opening[],
  random: Random,
): Map<string, string> {
  const frames = new Map<string, string>();
  for (const { category, name, room, material, solids } of buildStructure(layout, sites, openings, random)) {
    const frame = category === "door frame";
    const thing = builder.addStructure(category, frame ? "door frame" : name, material, room, solids);
    if (frame) frames.set(name.slice(0, -"-frame".length), thing.id);
  }
  return frames;
}

/** Leaves and panes; interior doors mostly stand open. */
function addFittings(
  builder: HouseBuilder,
  openings: readonly Opening[],
  frames: ReadonlyMap<string, string>,
  random: Random,
): Opening[] {
  const colour = random.pick(modelOf("door").colours);
  return openings.map((cut) => {
    const frame = frames.get(cut.id);
    const opening: Opening = frame === undefined ? cut : { ...cut, frame };
    if (opening.kind === "arch") return opening;
    const model =
      opening.kind === "window"
        ? modelOf("window")
        : opening.kind === "entrance"
          ? modelOf("front door")
          : { ...modelOf("door"), colours: [colour] };
    const drawn = drawSpecimen(model, random);
    if (opening.kind === "window") {
      const look = { ...drawn.look, size: { x: drawn.look.size.x, y: opening.widthM, z: opening.heightM } };
      const { centre } = opening;
      const wall = builder.things.find(
        (t) =>
          t.category === "facade" &&
          builder.starts[t.number - 1]!.placement.centre.z > centre.z - STOREY_M + 1,
      )!;
      const step =
        opening.along === "x"
          ? isLowSide(builder, opening)
            ? QUARTER
            : 3 * QUARTER
          : isLowSide(builder, opening)
            ? 0
            : 2 * QUARTER;
      const placement: Placement = {
        centre: { ...centre, z: centre.z + opening.heightM / 2 },
        extent: look.size,
        yawRad: yawOfStep(step),
        room: opening.rooms[0],
        supportedBy: wall.id,
        hidden: false,
      };
      return { ...opening, thing: builder.addSpecimen({ ...drawn, look }, "window", placement, {}).id };
    }
    const openness = opening.kind === "door" && random.chance(0.8) ? "open" : "closed";
    const placement = leafPlacement(opening, openness, drawn.look.size);
    return { ...opening, thing: builder.addSpecimen(drawn, "door", placement, { openness }).id };
  });
}

/** Whether the opening is in the wall at the lower coordinate of the house, so that the room lies at + of it. */
function isLowSide(builder: HouseBuilder, { along, centre }: Opening): boolean {
  const facade = builder.starts[builder.things.findIndex((t) => t.category === "facade")]!.placement.centre;
  return along === "x" ? centre.y < facade.y : centre.x < facade.x;
}

function addArrivals(builder: HouseBuilder, random: Random): void {
  for (const category of random.shuffle(ARRIVALS).slice(0, 6)) {
    const specimen = drawSpecimen(modelOf(category), random);
    builder.addSpecimen(specimen, "small", outside(specimen.look.size), startFluents(specimen, random));
  }
}

function addPeople(builder: HouseBuilder, people: readonly string[], random: Random): void {
  const shirts = random.shuffle(modelOf("person").colours);
  people.forEach((name, i) => {
    const specimen = drawSpecimen({ ...modelOf("person"), colours: [shirts[i % shirts.length]!] }, random);
    builder.addSpecimen({ ...specimen, name }, "person", outside(specimen.look.size), {});
  });
}

const outside = (extent: Placement["extent"]): Placement => ({
  centre: { x: 0, y: 0, z: -100 },
  extent,
  yawRad: 0,
  room: null,
  hidden: true,
});

function roomOf(site: Site, openings: readonly Opening[], owner: string | undefined): Room {
  const { x0, y0, x1, y1 } = innerRect(site);
  const own = openings.filter((o) => o.rooms.includes(site.id));
  const windows = own.filter((o) => o.kind === "window");
  const ambience = STYLES[site.type].ambience.filter((tag) => tag !== "bright" || windows.length > 0);
  const points = [
    { x: x0, y: y0 },
    { x: x1, y: y0 },
    { x: x1, y: y1 },
    { x: x0, y: y1 },
  ];
  return {
    id: site.id,
    type: site.type,
    name:
      owner === undefined ? site.type : `${owner}'s ${site.type === "children's room" ? "room" : site.type}`,
    floor: site.floor,
    polygon: { points, minZ: site.floorZM, maxZ: mm(site.floorZM + CEILING_M) },
    floorZM: site.floorZM,
    ceilingM: CEILING_M,
    ambience,
    ...(owner === undefined ? {} : { owner }),
    doors: own.filter((o) => o.kind !== "window").map((o) => o.id),
    windows: windows.map((o) => o.id),
  };
}

function stairsOf(builder: HouseBuilder, { flight }: Layout): Stair[] {
  if (flight === undefined) return [];
  const thing = builder.things.find((t) => t.category === "staircase")!.id;
  const x = (flight.x0 + flight.x1) / 2;
  const y = (flight.y0 + flight.y1) / 2;
  const lengthwise = flight.along === "x";
  const half = (lengthwise ? flight.x1 - flight.x0 : flight.y1 - flight.y0) / 2 + 0.45;
  const end = (sign: number, z: number) => ({
    x: mm(lengthwise ? x + sign * half : x),
    y: mm(lengthwise ? y : y + sign * half),
    z,
  });
  return [
    { thing, fromFloor: 0, toFloor: 1, foot: end(-flight.rises, 0), head: end(flight.rises, STOREY_M) },
  ];
}

const LAMPS: Readonly<Record<string, number>> = {
  "ceiling lamp": 7,
  "floor lamp": 4,
  "desk lamp": 2.5,
  fireplace: 3,
};

function lightsOf(builder: HouseBuilder): HouseLight[] {
  return builder.things.flatMap((thing, i): HouseLight[] => {
    const { centre, room } = builder.starts[i]!.placement;
    if (room === null) return [];
    const common = { position: centre, thing: thing.id, room };
    if (thing.type === "window") return [{ ...common, kind: "window", rgb: [236, 242, 255], reachM: 6 }];
    const reachM = LAMPS[thing.category];
    return reachM === undefined ? [] : [{ ...common, kind: "lamp", rgb: [255, 232, 196], reachM }];
  });
}
