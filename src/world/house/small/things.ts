import type { Model, Range } from "../model.ts";
import { BRIGHT, COLOUR_NAMES, type ColourName } from "../palette.ts";
import { SHAPES, type ShapeName } from "./shapes.ts";

interface Extra {
  readonly affords?: readonly string[];
  readonly fluents?: Model["fluents"];
  readonly texts?: string;
  /** Furniture-like: stays where it is. */
  readonly fixed?: boolean;
}

const ANY = COLOUR_NAMES;

/** One row of the table: names, shape, size in centimetres (depth × width × height), colours, materials, the rest. */
function row(
  names: string,
  shape: ShapeName,
  cm: readonly [number, number, number],
  colours: readonly ColourName[],
  materials: string,
  extra: Extra = {},
): Model {
  const all = names.split("|");
  const exact = (size: number): Range => [size / 100, size / 100];
  return {
    category: all[0]!,
    names: all.length > 1 ? all.slice(1) : all,
    size: [exact(cm[0]), exact(cm[1]), exact(cm[2])],
    colours,
    materials: materials.split("|"),
    affordances: extra.affords ?? [],
    ...(extra.fluents === undefined ? {} : { fluents: extra.fluents }),
    ...(extra.texts === undefined ? {} : { texts: extra.texts }),
    parts: SHAPES[shape],
    movable: extra.fixed !== true,
  };
}

/** Small things, all of one size within a category so that twins can take each other's place. */
export const SMALL: readonly Model[] = [
  row("mug|coffee mug|tea mug", "mug", [8.5, 12, 10], BRIGHT, "ceramic", {
    affords: ["drink"],
    fluents: ["fill"],
  }),
  row("glass|drinking glass|water glass", "glass", [7, 7, 12], ["white"], "glass", {
    affords: ["drink"],
    fluents: ["fill"],
  }),
  row(
    "plate|dinner plate|side plate",
    "plate",
    [22, 22, 2.4],
    ["white", "blue", "yellow", "red", "green"],
    "ceramic",
    { affords: ["eat"] },
  ),
  row("bowl|cereal bowl|salad bowl", "bowl", [16, 16, 8], BRIGHT, "ceramic|wood", {
    affords: ["eat"],
    fluents: ["fill"],
  }),
  row("pan|frying pan", "pan", [24, 40, 5], ["black", "red", "grey"], "metal", { affords: ["fry"] }),
  row("pot|cooking pot|saucepan", "pot", [22, 30, 17], ["grey", "red", "blue"], "steel", {
    affords: ["cook"],
    fluents: ["fill"],
  }),
  row("kettle|electric kettle", "kettle", [15, 21, 24], ["white", "red", "grey", "black"], "steel", {
    affords: ["boil water", "make tea"],
    fluents: ["power", "fill"],
  }),
  row("toaster", "toaster", [20, 30, 19], ["grey", "red", "white", "black"], "steel", {
    affords: ["toast bread"],
    fluents: ["power"],
  }),
  row("coffee machine|coffee maker", "coffeeMachine", [26, 22, 34], ["black", "red", "white"], "plastic", {
    affords: ["make coffee"],
    fluents: ["power"],
  }),
  row("microwave|microwave oven", "microwave", [34, 46, 27], ["white", "black", "grey"], "steel", {
    affords: ["heat food"],
    fluents: ["power"],
    fixed: true,
  }),
  row("carton|drink carton", "carton", [8, 8, 22], ["white", "blue", "green", "orange"], "cardboard", {
    affords: ["drink"],
    texts: "drinks",
    fluents: ["fill"],
  }),
  row("cereal box|box of cereal", "block", [7, 19, 27], ["yellow", "red", "orange", "blue"], "cardboard", {
    affords: ["eat breakfast"],
    texts: "cereals",
  }),
  row(
    "bottle|plastic bottle|glass bottle",
    "bottle",
    [8, 8, 28],
    ["green", "blue", "brown", "white", "red"],
    "plastic|glass",
    { affords: ["drink"], texts: "bottles", fluents: ["fill"] },
  ),
  row(
    "jar|storage jar|jam jar",
    "jar",
    [9, 9, 14],
    ["red", "orange", "yellow", "green", "beige", "white"],
    "glass",
    { texts: "jars", affords: ["cook"] },
  ),
  row("can|tin can|food can", "can", [7.5, 7.5, 11], ["red", "green", "yellow", "grey"], "metal", {
    texts: "cans",
    affords: ["cook"],
  }),
  row("apple", "sphere", [8, 8, 8], ["red", "green", "yellow"], "food", { affords: ["eat"] }),
  row("orange|orange fruit", "sphere", [8, 8, 7.5], ["orange"], "food", { affords: ["eat"] }),
  row("banana", "banana", [4, 18, 4], ["yellow", "green"], "food", { affords: ["eat"] }),
  row("bread|loaf of bread", "loaf", [12, 26, 12], ["brown", "beige"], "food", { affords: ["eat"] }),
  row("cake|birthday cake", "can", [24, 24, 10], ["pink", "brown", "white"], "food", {
    affords: ["eat", "celebrate"],
  }),
  row("fruit bowl|bowl of fruit", "fruitBowl", [30, 30, 16], ["brown"], "wood", { affords: ["eat"] }),
  row("knife block|block of knives", "knives", [10, 14, 26], ["brown"], "wood", { affords: ["cut food"] }),
  row("cutting board|chopping board", "block", [24, 34, 2], ["brown", "beige", "green"], "wood", {
    affords: ["cut food"],
  }),
  row("tea towel|dish towel", "foldedCloth", [20, 26, 3], ["blue", "red", "green", "white"], "cotton", {
    affords: ["dry dishes", "dry hands"],
  }),
  row("sponge", "block", [7, 11, 3.5], ["yellow", "green", "blue"], "foam", { affords: ["wash dishes"] }),
  row("dish soap|washing-up liquid", "dispenser", [7, 7, 20], ["green", "orange", "yellow"], "plastic", {
    affords: ["wash dishes"],
    texts: "soaps",
  }),
  row("book|paperback|hardback", "book", [15, 21, 3.2], ANY, "paper", { affords: ["read"], texts: "titles" }),
  row("shelved book|hardback|novel", "standingBook", [16, 4, 23], ANY, "paper", {
    affords: ["read"],
    texts: "titles",
  }),
  row("magazine", "block", [21, 28, 0.8], BRIGHT, "paper", { affords: ["read"], texts: "magazines" }),
  row("notebook", "book", [15, 21, 1.6], ["black", "red", "blue", "green"], "paper", { affords: ["write"] }),
  row("laptop|notebook computer", "laptop", [24, 34, 22], ["grey", "black", "white"], "metal", {
    affords: ["work"],
    fluents: ["power"],
  }),
  row("monitor|computer monitor", "television", [20, 56, 42], ["black"], "plastic", {
    affords: ["work"],
    fluents: ["power"],
    fixed: true,
  }),
  row("television|flat-screen tv", "television", [22, 110, 70], ["black"], "plastic", {
    affords: ["watch tv"],
    fluents: ["power"],
    texts: "channels",
    fixed: true,
  }),
  row("keyboard|computer keyboard", "keyboard", [14, 42, 2.4], ["black", "white", "grey"], "plastic", {
    affords: ["type"],
  }),
  row("phone|mobile phone", "slab", [7.5, 15, 1], ["black", "white", "blue", "pink", "red"], "glass", {
    affords: ["call"],
    fluents: ["power"],
  }),
  row("tablet", "slab", [17, 24, 1], ["black", "white", "grey"], "glass", {
    affords: ["read", "watch films"],
    fluents: ["power"],
  }),
  row("remote control|tv remote", "remote", [5, 18, 2.4], ["black", "grey", "white"], "plastic", {
    affords: ["switch channels"],
  }),
  row("game controller|gamepad", "remote", [10, 15, 5], ["black", "white", "red", "blue"], "plastic", {
    affords: ["play games"],
  }),
  row("headphones", "headphones", [18, 18, 8], ["black", "white", "red", "blue"], "plastic", {
    affords: ["listen to music"],
  }),
  row("speaker|loudspeaker", "block", [18, 18, 28], ["black", "white", "brown"], "wood", {
    affords: ["listen to music"],
    fluents: ["power"],
  }),
  row("printer", "printer", [36, 42, 24], ["white", "black", "grey"], "plastic", {
    affords: ["print"],
    fluents: ["power"],
    fixed: true,
  }),
  row("pen cup|pencil holder", "penCup", [8.5, 8.5, 18], BRIGHT, "plastic", { affords: ["write"] }),
  row("stapler", "remote", [4, 14, 5], ["red", "black", "blue"], "metal", { affords: ["staple paper"] }),
  row(
    "binder|ring binder",
    "standingBook",
    [26, 7, 31],
    ["black", "blue", "red", "green", "white"],
    "cardboard",
    { affords: ["store documents"], texts: "boxes" },
  ),
  row(
    "desk lamp|table lamp|bedside lamp",
    "lamp",
    [22, 22, 42],
    ["white", "yellow", "red", "black", "green"],
    "fabric",
    { affords: ["give light"], fluents: ["power"] },
  ),
  row("photo frame|framed photo", "frame", [9, 18, 23], BRIGHT, "wood", { affords: ["look at"] }),
  row("vase|flower vase", "vase", [22, 22, 40], BRIGHT, "ceramic", { affords: ["hold flowers"] }),
  row("potted plant|succulent|herb pot", "pottedPlant", [18, 18, 24], ["green"], "ceramic", {
    affords: ["water it"],
  }),
  row("candle", "candle", [8, 8, 12], ["white", "red", "purple", "beige"], "wax", {
    affords: ["give light"],
    fluents: ["power"],
  }),
  row("alarm clock", "alarm", [8, 16, 9], ["black", "red", "white", "blue"], "plastic", {
    affords: ["wake up", "read the time"],
  }),
  row("teddy bear|teddy", "bear", [26, 26, 32], ["brown", "beige", "pink", "white", "blue"], "fabric", {
    affords: ["play", "cuddle"],
  }),
  row("toy car|toy truck", "toyCar", [20, 10, 10], ["red", "blue", "yellow", "green", "orange"], "plastic", {
    affords: ["play"],
  }),
  row("building blocks|toy blocks", "blocks", [20, 20, 16], ["red"], "wood", { affords: ["play"] }),
  row("ball|football|rubber ball", "stripedBall", [21, 21, 21], BRIGHT, "rubber", { affords: ["play"] }),
  row("doll", "doll", [14, 14, 34], ["pink", "red", "blue", "purple"], "fabric", { affords: ["play"] }),
  row("board game|boxed game", "block", [27, 38, 6], BRIGHT, "cardboard", {
    affords: ["play"],
    texts: "games",
  }),
  row("guitar|acoustic guitar", "guitar", [14, 38, 98], ["brown", "red", "black"], "wood", {
    affords: ["play music"],
  }),
  row(
    "backpack|rucksack",
    "backpack",
    [22, 32, 44],
    ["blue", "red", "green", "black", "purple", "orange"],
    "fabric",
    { affords: ["carry things"], fluents: ["fill"] },
  ),
  row("handbag|shoulder bag", "backpack", [16, 34, 28], ["brown", "black", "red", "beige"], "leather", {
    affords: ["carry things"],
  }),
  row(
    "suitcase|cabin suitcase",
    "suitcase",
    [24, 40, 60],
    ["red", "blue", "black", "purple", "green"],
    "plastic",
    { affords: ["travel"], fluents: ["fill"] },
  ),
  row(
    "shoes|pair of trainers|pair of shoes",
    "shoes",
    [28, 22, 11],
    ["black", "white", "brown", "red", "blue"],
    "leather",
    { affords: ["walk"] },
  ),
  row("slippers|pair of slippers", "shoes", [26, 21, 8], ["grey", "blue", "pink", "green"], "wool", {
    affords: ["walk"],
  }),
  row("umbrella", "umbrella", [10, 10, 80], ["black", "red", "blue", "yellow"], "fabric", {
    affords: ["stay dry"],
  }),
  row("hat|sun hat|cap", "hat", [28, 28, 13], ["beige", "black", "red", "blue"], "cotton", {
    affords: ["wear"],
  }),
  row("keys|bunch of keys", "keys", [5, 8, 1.2], ["yellow"], "metal", { affords: ["unlock doors"] }),
  row("wallet", "block", [9, 11, 2.4], ["brown", "black", "red"], "leather", { affords: ["pay"] }),
  row("spectacles|reading glasses", "spectacles", [13, 14, 4], ["black", "red", "brown"], "plastic", {
    affords: ["see better"],
  }),
  row(
    "towel|bath towel|hand towel",
    "foldedCloth",
    [28, 36, 9],
    ["white", "blue", "green", "pink", "yellow", "grey"],
    "cotton",
    { affords: ["dry hands", "dry yourself"] },
  ),
  row("soap dispenser|liquid soap", "dispenser", [8, 8, 17], ["white", "blue", "green", "pink"], "plastic", {
    affords: ["wash hands"],
    texts: "soaps",
  }),
  row(
    "shampoo|shampoo bottle",
    "bottle",
    [7, 7, 22],
    ["white", "blue", "green", "purple", "orange"],
    "plastic",
    { affords: ["wash hair"], texts: "soaps" },
  ),
  row(
    "toothbrush cup|cup of toothbrushes",
    "toothbrushes",
    [8, 8, 19],
    ["white", "blue", "yellow"],
    "plastic",
    { affords: ["brush teeth"] },
  ),
  row("toilet paper|toilet roll", "roll", [11, 11, 10], ["white"], "paper", { affords: ["wipe"] }),
  row("hairdryer|hair dryer", "dryer", [18, 22, 24], ["black", "pink", "white", "red"], "plastic", {
    affords: ["dry hair"],
    fluents: ["power"],
  }),
  row("medicine box|medicine", "block", [6, 11, 5], ["white", "red", "blue"], "cardboard", {
    texts: "medicines",
    affords: ["treat illness"],
  }),
  row("shirt|folded shirt", "foldedCloth", [26, 34, 6], ANY, "cotton", { affords: ["wear"] }),
  row(
    "trousers|folded trousers|jeans",
    "foldedCloth",
    [28, 36, 7],
    ["blue", "black", "grey", "beige", "brown"],
    "cotton",
    { affords: ["wear"] },
  ),
  row("jumper|wool jumper", "foldedCloth", [30, 36, 10], BRIGHT, "wool", { affords: ["wear", "keep warm"] }),
  row("socks|pair of socks", "foldedCloth", [10, 16, 5], ANY, "cotton", { affords: ["wear"] }),
  row("scarf", "foldedCloth", [20, 28, 6], BRIGHT, "wool", { affords: ["keep warm"] }),
  row(
    "blanket|throw blanket",
    "foldedCloth",
    [36, 46, 11],
    ["red", "grey", "blue", "beige", "green"],
    "wool",
    { affords: ["keep warm"] },
  ),
  row("cushion|throw pillow", "cloth", [38, 38, 13], BRIGHT, "fabric", { affords: ["relax"] }),
  row("detergent|washing powder", "carton", [12, 20, 26], ["blue", "green", "orange", "white"], "cardboard", {
    texts: "detergents",
    affords: ["wash clothes"],
  }),
  row("iron|steam iron", "iron", [28, 12, 15], ["blue", "white", "purple"], "plastic", {
    affords: ["iron clothes"],
    fluents: ["power"],
  }),
  row("cardboard box|moving box|storage box", "block", [32, 42, 30], ["brown", "beige"], "cardboard", {
    texts: "boxes",
    affords: ["store things"],
    fluents: ["fill"],
  }),
  row("bucket|cleaning bucket", "can", [28, 28, 28], ["red", "blue", "yellow", "grey"], "plastic", {
    affords: ["clean"],
    fluents: ["fill"],
  }),
  row("toolbox", "toolbox", [22, 44, 24], ["red", "blue", "grey", "yellow"], "metal", {
    texts: "tools",
    affords: ["repair things"],
  }),
  row("hammer", "hammer", [12, 32, 4], ["brown"], "wood", { affords: ["drive nails"] }),
  row("drill|cordless drill", "drill", [8, 22, 22], ["green", "yellow", "blue", "red"], "plastic", {
    affords: ["drill holes"],
  }),
  row("paint can|can of paint", "can", [18, 18, 20], ["white", "blue", "green", "red"], "metal", {
    texts: "paints",
    affords: ["paint walls"],
  }),
  row("dumbbell", "dumbbell", [14, 32, 14], ["black", "red", "blue"], "metal", { affords: ["exercise"] }),
  row("water bottle|sports bottle", "bottle", [8, 8, 24], ["blue", "pink", "green", "black"], "plastic", {
    affords: ["drink"],
    fluents: ["fill"],
  }),
  row("fan|electric fan", "fan", [26, 30, 44], ["white", "black", "blue"], "plastic", {
    affords: ["cool down"],
    fluents: ["power"],
  }),
];
