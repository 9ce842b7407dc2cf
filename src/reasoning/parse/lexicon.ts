import type { Relation } from "../need.ts";

/** Words with a grammatical job; everything else may be part of a name. */
const words = (text: string) => new Set(text.trim().split(/\s+/));

export const DETERMINERS = words(
  "a an the this that these those some any all every each both either no my your our their his her its another other same such what which whose",
);
export const PRONOUNS = words(
  "i you he she it we they me him them us one ones something anything everything nothing somebody anybody someone anyone nobody",
);
export const AUXILIARIES = words(
  "is are was were be been being am do does did have has had can could will would shall should may might must",
);
export const CONJUNCTIONS = words("and or but nor so because while than if when whether");

/** "thing" and its like: the question is what it is. */
export const GENERIC = words(
  "object objects thing things item items something anything everything stuff article articles entity piece pieces",
);

/** Names of parts that stand for the whole they are of: "the top of the fridge" is on the fridge. */
export const PART_WORDS = words(
  "top side back front bottom surface middle centre center corner edge end rear inside outside",
);

const BASIC_COLOURS = words(
  "red orange yellow green blue purple violet pink brown black white grey gray beige tan cream gold golden silver turquoise teal cyan maroon navy olive ivory bronze copper magenta lavender khaki crimson scarlet ruby vermilion burgundy azure cobalt indigo aqua aquamarine emerald mustard amber tangerine ochre lilac mauve fuchsia charcoal ebony off-white chestnut auburn taupe ecru dark-green dark-blue light-blue",
);
/** Spellings and forms of a colour or a material, by the one that things are remembered with. */
export const COLOUR_NAMES: Readonly<Record<string, string>> = {
  gray: "grey",
  golden: "gold",
  silvery: "silver",
  "navy-blue": "navy",
  "jet-black": "black",
  "snow-white": "white",
};
export const MATERIAL_NAMES: Readonly<Record<string, string>> = {
  wooden: "wood",
  woollen: "wool",
  metallic: "metal",
  aluminum: "aluminium",
};
export const COLOURS: ReadonlySet<string> = new Set([...BASIC_COLOURS, ...Object.keys(COLOUR_NAMES)]);
const BASIC_MATERIALS = words(
  "wood wooden timber oak pine walnut plywood metal metallic steel iron chrome plastic glass ceramic porcelain earthenware stoneware terracotta leather suede fabric cloth textile cotton linen wool woollen paper cardboard stone marble brick concrete rubber wicker rattan acrylic vinyl bamboo velvet granite aluminium aluminum brass",
);
export const MATERIALS: ReadonlySet<string> = new Set([...BASIC_MATERIALS, ...Object.keys(MATERIAL_NAMES)]);
export const SIZES = words(
  "big large huge giant enormous massive small little tiny mini miniature compact bulky slim slender tall short long wide narrow thin thick deep low high medium round circular square rectangular oblong oval octagonal hexagonal triangular",
);

/** Words for states, and the fluent that the memory keeps them under. */
export const STATES: Readonly<Record<string, { readonly attribute: string; readonly value: string }>> = {
  open: { attribute: "openness", value: "open" },
  opened: { attribute: "openness", value: "open" },
  ajar: { attribute: "openness", value: "open" },
  closed: { attribute: "openness", value: "closed" },
  shut: { attribute: "openness", value: "closed" },
  drawn: { attribute: "openness", value: "closed" },
  locked: { attribute: "lock", value: "locked" },
  unlocked: { attribute: "lock", value: "unlocked" },
  on: { attribute: "power", value: "on" },
  off: { attribute: "power", value: "off" },
  lit: { attribute: "power", value: "on" },
  illuminated: { attribute: "power", value: "on" },
  glowing: { attribute: "power", value: "on" },
  unlit: { attribute: "power", value: "off" },
  running: { attribute: "power", value: "on" },
  full: { attribute: "fill", value: "full" },
  empty: { attribute: "fill", value: "empty" },
  made: { attribute: "making", value: "made" },
  unmade: { attribute: "making", value: "unmade" },
  messy: { attribute: "making", value: "unmade" },
  occupied: { attribute: "occupancy", value: "occupied" },
  free: { attribute: "occupancy", value: "free" },
  unoccupied: { attribute: "occupancy", value: "free" },
  vacant: { attribute: "occupancy", value: "free" },
  taken: { attribute: "occupancy", value: "occupied" },
  clean: { attribute: "cleanliness", value: "clean" },
  dirty: { attribute: "cleanliness", value: "dirty" },
  tidy: { attribute: "cleanliness", value: "clean" },
  cluttered: { attribute: "cleanliness", value: "dirty" },
  folded: { attribute: "fold", value: "folded" },
  used: { attribute: "use", value: "used" },
  broken: { attribute: "condition", value: "broken" },
  plugged: { attribute: "plug", value: "plugged" },
  wet: { attribute: "moisture", value: "wet" },
  dry: { attribute: "moisture", value: "dry" },
};

export const ROOM_WORDS = words(
  "kitchen bathroom restroom washroom toilet bedroom living-room livingroom lounge dining-room diningroom hallway hall corridor garage office study library basement attic cellar balcony patio garden yard backyard pantry closet laundry laundry-room utility-room nursery playroom entrance foyer lobby entryway porch terrace gym workshop storage storeroom room house home apartment flat building floor upstairs downstairs outside indoors scene place area environment warehouse aisle campus garage conference-room classroom master-bedroom guest-room loft parlour parlor den conservatory sunroom scullery lavatory loo landing vestibule mudroom cloakroom larder boxroom kitchenette ensuite en-suite passage passageway bedchamber veranda verandah courtyard carport mezzanine",
);
/** How a place is put, longest first; "of" ends what needs it. */
export const RELATION_PHRASES: readonly (readonly [string, Relation["predicate"]])[] = (
  [
    ["on the left hand side of", "left"],
    ["on the right hand side of", "right"],
    ["on the left side of", "left"],
    ["on the right side of", "right"],
    ["to the left side of", "left"],
    ["to the right side of", "right"],
    ["to the left of", "left"],
    ["to the right of", "right"],
    ["on the left of", "left"],
    ["on the right of", "right"],
    ["to the left from", "left"],
    ["to the right from", "right"],
    ["on the left from", "left"],
    ["on the right from", "right"],
    ["left of", "left"],
    ["right of", "right"],
    ["on the other side of", "opposite"],
    ["across from", "opposite"],
    ["across", "opposite"],
    ["opposite to", "opposite"],
    ["opposite of", "opposite"],
    ["opposite", "opposite"],
    ["facing", "opposite"],
    ["in front of", "front"],
    ["in the front of", "front"],
    ["at the front of", "front"],
    ["in the back of", "behind"],
    ["at the back of", "behind"],
    ["in back of", "behind"],
    ["behind", "behind"],
    ["on the top of", "on"],
    ["on top of", "on"],
    ["supported by", "on"],
    ["held up by", "on"],
    ["atop", "on"],
    ["upon", "on"],
    ["onto", "on"],
    ["at the bottom of", "under"],
    ["underneath", "under"],
    ["beneath", "under"],
    ["under", "under"],
    ["below", "below"],
    ["above", "above"],
    ["over", "above"],
    ["in the middle of", "in"],
    ["in between of", "between"],
    ["in between", "between"],
    ["between", "between"],
    ["inside of", "in"],
    ["inside", "in"],
    ["within", "in"],
    ["into", "in"],
    ["in the corner of", "in"],
    ["in", "in"],
    ["right next to", "next-to"],
    ["next to", "next-to"],
    ["beside", "next-to"],
    ["besides", "next-to"],
    ["adjacent to", "next-to"],
    ["attached to", "next-to"],
    ["against", "next-to"],
    ["by", "next-to"],
    ["close to", "near"],
    ["near to", "near"],
    ["near", "near"],
    ["nearby", "near"],
    ["around", "around"],
    ["surrounding", "around"],
    ["along", "near"],
    ["at", "near"],
    ["on", "on"],
    ["with", "with"],
    ["without", "with"],
    ["from", "near"],
    ["of", "with"],
    ["for", "with"],
    ["to", "near"],
    ["through", "near"],
    ["past", "near"],
    ["towards", "near"],
    ["toward", "near"],
  ] as const
).toSorted((a, b) => b[0].length - a[0].length);

/** Verbs that join a thing and its place without saying more: "hanging from", "lying on". */
export const PLACE_VERBS = words(
  "located placed standing stands sitting sits lying lies hanging hangs mounted kept stored put found situated positioned leaning resting stuck parked seen left",
);

/** What the agent itself does. */
export const EGO_VERBS: Readonly<Record<string, string>> = {
  stop: "stop",
  stopped: "stop",
  stopping: "stop",
  wait: "stop",
  waited: "stop",
  pause: "stop",
  paused: "stop",
  halt: "stop",
  halted: "stop",
  turn: "turn",
  turned: "turn",
  turning: "turn",
  rotate: "turn",
  rotated: "turn",
  enter: "enter",
  entered: "enter",
  entering: "enter",
  visit: "enter",
  visited: "enter",
  go: "enter",
  went: "enter",
  walk: "enter",
  walked: "enter",
  drive: "enter",
  drove: "enter",
  come: "enter",
  came: "enter",
  leave: "exit",
  left: "exit",
  leaving: "exit",
  exit: "exit",
  exited: "exit",
  exiting: "exit",
  pass: "pass",
  passed: "pass",
  passing: "pass",
  cross: "pass",
  crossed: "pass",
  stay: "stay",
  stayed: "stay",
  spend: "stay",
  spent: "stay",
  be: "stay",
  been: "stay",
};

/** A property that a question may name, and the words for it. */
export const PROPERTIES: Readonly<Record<string, string>> = {
  color: "colour",
  colour: "colour",
  colors: "colour",
  colours: "colour",
  shape: "shape",
  shapes: "shape",
  material: "material",
  materials: "material",
  fabric: "material",
  size: "size",
  texture: "texture",
  pattern: "pattern",
  brand: "brand",
  label: "text",
  text: "text",
  word: "text",
  words: "text",
  name: "name",
  "longest side": "longest",
  height: "height",
  width: "width",
  length: "length",
  depth: "depth",
  weight: "weight",
  temperature: "temperature",
  number: "number",
  state: "state",
  status: "state",
  condition: "state",
  owner: "owner",
};

/** Comparatives and superlatives: what they compare and which way. */
export const COMPARATIVES: Readonly<
  Record<
    string,
    {
      readonly op: "more" | "less";
      readonly dimension: "size" | "height" | "width" | "distance" | "count" | "time" | "speed";
    }
  >
> = {
  bigger: { op: "more", dimension: "size" },
  larger: { op: "more", dimension: "size" },
  biggest: { op: "more", dimension: "size" },
  largest: { op: "more", dimension: "size" },
  smaller: { op: "less", dimension: "size" },
  smallest: { op: "less", dimension: "size" },
  tiniest: { op: "less", dimension: "size" },
  taller: { op: "more", dimension: "height" },
  tallest: { op: "more", dimension: "height" },
  higher: { op: "more", dimension: "height" },
  highest: { op: "more", dimension: "height" },
  shorter: { op: "less", dimension: "height" },
  shortest: { op: "less", dimension: "height" },
  lower: { op: "less", dimension: "height" },
  lowest: { op: "less", dimension: "height" },
  wider: { op: "more", dimension: "width" },
  widest: { op: "more", dimension: "width" },
  longer: { op: "more", dimension: "width" },
  longest: { op: "more", dimension: "width" },
  narrower: { op: "less", dimension: "width" },
  narrowest: { op: "less", dimension: "width" },
  closer: { op: "less", dimension: "distance" },
  nearer: { op: "less", dimension: "distance" },
  closest: { op: "less", dimension: "distance" },
  nearest: { op: "less", dimension: "distance" },
  farther: { op: "more", dimension: "distance" },
  further: { op: "more", dimension: "distance" },
  farthest: { op: "more", dimension: "distance" },
  furthest: { op: "more", dimension: "distance" },
  more: { op: "more", dimension: "count" },
  most: { op: "more", dimension: "count" },
  fewer: { op: "less", dimension: "count" },
  fewest: { op: "less", dimension: "count" },
  least: { op: "less", dimension: "count" },
  earlier: { op: "less", dimension: "time" },
  later: { op: "more", dimension: "time" },
  faster: { op: "more", dimension: "speed" },
  slower: { op: "less", dimension: "speed" },
};

export const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
};
export const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  "forty-five": 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  quarter: 0.25,
  couple: 2,
  few: 3,
  half: 0.5,
};
