import type { Random } from "../../../geometry/index.ts";
import type { Paint } from "../../solid.ts";
import type { Range } from "../model.ts";
import { patterned, plain } from "../palette.ts";
import type { RoomType } from "../types.ts";

/** The requirements of a room type: area, least side, ambience, and the look of its floor and walls. */
export interface RoomStyle {
  readonly areaM2: Range;
  readonly sideM: number;
  readonly ambience: readonly string[];
  readonly floors: readonly Paint[];
  readonly walls: readonly Paint[];
}

const planks = (rgb: readonly [number, number, number], accent: readonly [number, number, number]) =>
  patterned("planks", 0.18, rgb, accent);
const OAK = planks([176, 132, 86], [150, 108, 66]);
const WALNUT = planks([110, 74, 48], [88, 58, 38]);
const ASH = planks([200, 180, 150], [178, 156, 124]);

export const STYLES: Readonly<Record<RoomType, RoomStyle>> = {
  hallway: {
    areaM2: [6, 14],
    sideM: 1.4,
    ambience: ["passage"],
    floors: [WALNUT, OAK],
    walls: [plain([232, 226, 212]), plain([214, 216, 208])],
  },
  kitchen: {
    areaM2: [12, 18],
    sideM: 2.9,
    ambience: ["bright", "busy", "smells of food"],
    floors: [
      patterned("checker", 0.6, [226, 222, 214], [120, 120, 122]),
      patterned("tiles", 0.4, [198, 168, 138], [160, 132, 106]),
    ],
    walls: [plain([244, 232, 196]), plain([226, 236, 222])],
  },
  "living room": {
    areaM2: [18, 28],
    sideM: 3.4,
    ambience: ["cosy", "social", "bright"],
    floors: [OAK, WALNUT, ASH],
    walls: [plain([238, 230, 214]), plain([206, 214, 206]), plain([226, 206, 186])],
  },
  bedroom: {
    areaM2: [13, 18],
    sideM: 3.1,
    ambience: ["quiet", "dim", "private"],
    floors: [patterned("carpet", 0.08, [196, 182, 162], [176, 162, 142]), ASH],
    walls: [plain([206, 218, 232]), plain([230, 214, 222]), plain([214, 226, 210])],
  },
  bathroom: {
    areaM2: [6, 9],
    sideM: 2.0,
    ambience: ["damp", "bright", "private"],
    floors: [
      patterned("tiles", 0.3, [150, 176, 190], [110, 134, 148]),
      patterned("tiles", 0.3, [196, 196, 192], [140, 140, 138]),
    ],
    walls: [
      patterned("tiles", 0.2, [222, 236, 240], [176, 196, 204]),
      patterned("tiles", 0.2, [234, 240, 232], [180, 200, 184]),
    ],
  },
  office: {
    areaM2: [10, 14],
    sideM: 2.7,
    ambience: ["quiet", "bright", "for work"],
    floors: [ASH, patterned("carpet", 0.08, [120, 126, 136], [104, 110, 120])],
    walls: [plain([222, 228, 226]), plain([200, 212, 220])],
  },
  "dining room": {
    areaM2: [12, 17],
    sideM: 3.1,
    ambience: ["social", "bright"],
    floors: [OAK, WALNUT],
    walls: [plain([206, 150, 130]), plain([222, 204, 170])],
  },
  laundry: {
    areaM2: [6, 9],
    sideM: 2.0,
    ambience: ["noisy", "damp"],
    floors: [patterned("tiles", 0.3, [176, 178, 180], [136, 138, 140])],
    walls: [plain([230, 234, 236]), plain([214, 226, 232])],
  },
  "children's room": {
    areaM2: [11, 15],
    sideM: 2.9,
    ambience: ["playful", "colourful", "noisy"],
    floors: [
      patterned("carpet", 0.08, [120, 170, 200], [100, 150, 180]),
      patterned("checker", 1.0, [236, 210, 120], [150, 200, 150]),
    ],
    walls: [
      patterned("stripes", 0.5, [250, 236, 190], [190, 224, 236]),
      patterned("stripes", 0.5, [250, 214, 220], [250, 240, 220]),
    ],
  },
  garage: {
    areaM2: [22, 30],
    sideM: 3.9,
    ambience: ["cold", "dim", "smells of oil"],
    floors: [plain([128, 126, 122])],
    walls: [patterned("brick", 0.3, [176, 168, 160], [140, 134, 128])],
  },
  library: {
    areaM2: [12, 18],
    sideM: 2.9,
    ambience: ["quiet", "cosy", "for reading"],
    floors: [WALNUT, patterned("carpet", 0.08, [110, 44, 44], [92, 34, 36])],
    walls: [plain([86, 104, 88]), plain([132, 100, 76])],
  },
  gym: {
    areaM2: [12, 17],
    sideM: 3.0,
    ambience: ["energetic", "bright"],
    floors: [patterned("checker", 1.0, [58, 60, 64], [70, 72, 78])],
    walls: [plain([236, 236, 236]), plain([240, 200, 120])],
  },
};

/** Later entries appear only in larger houses. */
const WANTED: readonly (readonly [RoomType, number])[] = [
  ["office", 0.7],
  ["children's room", 0.75],
  ["dining room", 0.8],
  ["bedroom", 0.8],
  ["laundry", 0.7],
  ["garage", 0.6],
  ["bathroom", 0.8],
  ["library", 0.5],
  ["gym", 0.4],
  ["bedroom", 0.8],
  ["children's room", 0.5],
  ["bathroom", 0.6],
  ["office", 0.4],
];

/** Rooms other than hallways: the four that make a house, then a seeded choice of the rest. */
export function roomProgramme(count: number, random: Random): RoomType[] {
  const rooms: RoomType[] = ["kitchen", "living room", "bedroom", "bathroom"];
  const rest = [...WANTED];
  while (rooms.length < count && rest.length > 0) {
    const window = rest.slice(0, 4);
    const chosen = random.weighted(
      window,
      window.map(([, weight]) => weight),
    );
    rest.splice(rest.indexOf(chosen), 1);
    rooms.push(chosen[0]);
  }
  return rooms.slice(0, count);
}
