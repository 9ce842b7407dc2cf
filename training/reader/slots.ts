/** What the slots of forms (compose.ts) are filled with: the words of a question, and what they mean. */
import type { Random } from "../../src/geometry/random.ts";

type Filler = readonly [said: string, means: string];
type Fill = (random: Random) => Filler;

const list = (text: string) => text.split(",").map((one) => one.trim());

const THINGS = list(
  "mug,book,remote,laptop,vase,teddy bear,backpack,scarf,cap,kettle,teapot,ball,umbrella,handbag,guitar,camera,tray,basket,toolbox,cushion,blanket,tablet,phone charger,watering can,toaster,bowl,jug,clock,globe,globe lamp,suitcase,wallet,key,helmet,jacket,towel,folder,notebook,headphones,plant,toy car,puzzle,box of cereal,hairdryer,bucket,radio,candle,picture frame,water bottle,frying pan,lunch box,torch,hammer,screwdriver,iron,violin",
);
const BIG = list(
  "desk,table,bench,shelf,counter,dresser,sofa,bed,chest of drawers,sideboard,windowsill,workbench,coffee table,nightstand,stool,armchair,fridge,washing machine,piano,kitchen table,bookcase,hall table,tv stand,cabinet,filing cabinet,hob,worktop,mantelpiece,ledge,trolley",
);
const DEVICES = list(
  "lamp,television,oven,kettle,heater,computer,fan,dishwasher,washing machine,printer,radio,desk lamp,ceiling light,laptop,monitor,stove,dryer,coffee machine,toaster,floor lamp",
);
const OPENABLE = list(
  "front door,fridge,window,garage door,oven,drawer,wardrobe,curtain,bathroom door,back door,cupboard,cellar door,gate,suitcase,box,toolbox,washing machine,dishwasher,blind,bin,balcony door,cabinet",
);
const FILLABLE = list(
  "bath,sink,bucket,basket,bowl,bottle,bin,kettle,vase,jug,box,crate,watering can,laundry basket,tub,glass",
);
const FIXED = list("wall,door,window,stairs,floor,ceiling,corner");
const COLOURS = list("red,blue,green,yellow,white,black,orange,grey,brown,purple,pink,turquoise");
const ROOMS = list(
  "kitchen,living room,bedroom,bathroom,hallway,office,study,garage,dining room,laundry room,attic,basement,hall,guest room,nursery,pantry,lounge,utility room,landing,workshop,library,playroom,conservatory,corridor,meeting room,storage room",
);
const PEOPLE = list(
  "Anna,Ben,Clara,David,Emma,Felix,Grace,Hugo,Ines,Jack,Mei,Farid,Elif,Olga,Omar,Noah,Priya,Wei,Yuki,Ivan,Sofia,Mateo,Tara,Leo,Mia,Kofi,Zoe,Nadia,Pavel,Ruth",
);
const BOXES = list("box,carton,crate,tote,parcel,package");
const GOODS = list("box,carton,pallet,crate,tote,forklift,pallet jack,trolley,drum,bag,roll cage");
const MACHINES = list("forklift,pallet truck,reach truck,pallet jack,trolley");

const plural = (one: string) =>
  /(?:s|sh|ch|x)$/.test(one) ? `${one}es` : /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`;
const letter = (random: Random) => random.pick([..."ABCDEFGH"]);
const two = (random: Random, most: number) => String(1 + random.int(0, most)).padStart(2, "0");

function code(random: Random): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  return `${random.pick([...letters])}${random.pick([...letters])}-${100 + random.int(0, 899)}`;
}
const slotCode = (random: Random) => `${letter(random)}-${two(random, 20)}-${1 + random.int(0, 3)}`;
const called = (said: string) => `called(name: "${said.toLowerCase()}")`;

/** The thing that is meant: by its name, often by its colour, its room or who owns it. */
function definite(kinds: readonly string[]): Fill {
  return (random) => {
    const one = random.pick(kinds);
    const the = random.pick(["the", "the", "the", "the", "my", "our", "that"]);
    const how = random.next();
    if (how < 0.17) {
      const colour = random.pick(COLOURS);
      return [`${the} ${colour} ${one}`, `the(things(category: "${one}", colour: "${colour}"))`];
    }
    if (how < 0.27) {
      const [said, means] = room(random);
      return [`the ${one} in ${said}`, `the(in(things(category: "${one}"), ${means}))`];
    }
    if (how < 0.31) {
      const [said, means] = room(random);
      const name = /"([^"]+)"/.exec(means)![1]!;
      if (!said.includes("stairs") && !said.includes("floor"))
        return [`the ${name} ${one}`, `the(in(things(category: "${one}"), rooms(name: "${name}")))`];
    }
    if (how < 0.36) {
      const owner = random.pick(PEOPLE);
      return [`${owner}'s ${one}`, `the(things(category: "${one}", owner: "${owner}"))`];
    }
    return [`${the} ${one}`, `the(things(category: "${one}"))`];
  };
}

function room(random: Random): Filler {
  const one = random.pick(ROOMS);
  const how = random.next();
  if (how < 0.08) return [`the upstairs ${one}`, `in(rooms(name: "${one}"), floors(name: "upstairs"))`];
  if (how < 0.14) return [`the ${one} downstairs`, `in(rooms(name: "${one}"), floors(name: "downstairs"))`];
  return [`the ${one}`, `rooms(name: "${one}")`];
}

function boxed(random: Random): Filler {
  const one = code(random);
  const how = random.next();
  if (how < 0.5) return [one, called(one)];
  const kind = random.pick(BOXES);
  return [
    random.pick([`the ${kind} ${one}`, `${kind} ${one}`, `the ${one}`, `the ${one} ${kind}`]),
    called(one),
  ];
}

/** An area of a warehouse that is no aisle. */
function area(random: Random): Filler {
  const one = random.pick([
    `staging ${1 + random.int(0, 4)}`,
    `dock ${1 + random.int(0, 4)}`,
    "the cross aisle",
    "the rear aisle",
    "the loading area",
    "the packing area",
    "receiving",
    "the front aisle",
  ]);
  return [one, `rooms(name: "${one.replace("the ", "")}")`];
}

function robot(random: Random): Filler {
  const n = random.int(0, 2);
  const said = random.pick([
    `robot ${n + 1}`,
    `robot-${n + 1}`,
    `robot ${["one", "two"][n]}`,
    `the ${["first", "second"][n]} robot`,
  ]);
  return [said, `"robot-${n + 1}"`];
}

const clock = (random: Random) => `${9 + random.int(0, 9)}:${two(random, 59)}`;
const HOURS = list("seven,eight,nine,ten,eleven,noon,one,two,three,four,five,six");

function said(phrases: (random: Random) => readonly string[]): Fill {
  return (random) => {
    const words = random.pick(phrases(random));
    return [words, `said(words: "${words}")`];
  };
}

const bare =
  (words: readonly string[]): Fill =>
  (random) => {
    const one = random.pick(words);
    return [one, `"${one}"`];
  };
const many =
  (words: readonly string[]): Fill =>
  (random) => {
    const one = random.pick(words.filter((word) => !/s$| of /.test(word)));
    return [plural(one), `"${one}"`];
  };

/** By its name in forms: `<thing>` is "the red mug", `<kind>` "mug", `<kinds>` "mugs". */
export const SLOTS: Readonly<Record<string, Fill>> = {
  thing: definite(THINGS),
  kind: bare(THINGS),
  kinds: many(THINGS),
  big: definite(BIG),
  bigkind: bare(BIG),
  device: definite(DEVICES),
  devicekind: bare(DEVICES),
  devicekinds: many(DEVICES),
  openable: definite(OPENABLE),
  openablekind: bare(OPENABLE),
  openablekinds: many(OPENABLE),
  fillable: definite(FILLABLE),
  fixed: bare(FIXED),
  colour: bare(COLOURS),
  room,
  rooms: (random) => {
    const one = random.pick(ROOMS);
    return [plural(one), `rooms(name: "${one}")`];
  },
  person: (random) => {
    const one = random.pick(PEOPLE);
    return [one, `the(things(name: "${one}"))`];
  },
  robot,
  box: boxed,
  code: (random) => {
    const one = code(random);
    return [one, called(one)];
  },
  slot: (random) => {
    const one = slotCode(random);
    return [random.pick([one, one, one, `slot ${one}`]), called(one)];
  },
  bay: (random) => {
    const one = `${letter(random)}-${two(random, 20)}`;
    return [random.pick([one, `bay ${one}`]), called(one)];
  },
  aisle: (random) => {
    const one = letter(random);
    return [`aisle ${one}`, `rooms(name: "aisle ${one.toLowerCase()}")`];
  },
  area,
  level: (random) =>
    random.pick<Filler>([
      ["bottom", `["bottom"]`],
      ["top", `["top"]`],
      ["ground", `["ground"]`],
      ["lowest", `["lowest"]`],
      ["highest", `["highest"]`],
    ]),
  boxkind: bare(BOXES),
  boxkinds: many(BOXES),
  goods: bare(GOODS),
  goodss: many(GOODS),
  machine: (random) => {
    const one = random.pick(MACHINES);
    const name = `${random.pick([..."FTR"])}${random.int(1, 5)}`;
    return random.pick<Filler>([
      [name, called(name)],
      [`${one} ${name}`, called(name)],
      [`the ${one}`, `the(things(category: "${one}"))`],
      [`the ${one} ${name}`, called(name)],
    ]);
  },
  pallet: (random) => {
    const [near, means] = random.pick<Filler>([
      [`dock ${random.int(1, 5)}`, ""],
      [`staging ${random.int(1, 5)}`, "in"],
      ["the loading area", "in"],
    ]);
    const name = near.replace("the ", "");
    return means === "in"
      ? [`the pallet in ${near}`, `the(in(things(category: "pallet"), rooms(name: "${name}")))`]
      : [
          `the pallet in front of ${near}`,
          `the(relate(things(category: "pallet"), called(name: "${name}"), relation: "front"))`,
        ];
  },
  time: said((random) => [
    `at ${random.pick(HOURS)}`,
    `at ${clock(random)}`,
    `at 09:${two(random, 59)}:${two(random, 59)}`,
    `around ${random.pick(HOURS)}`,
    `at half past ${random.pick(HOURS)}`,
    `${2 + random.int(0, 20)} minutes ago`,
    "an hour ago",
    `at exactly ${clock(random)}`,
    `at ${clock(random)} sharp`,
  ]),
  since: said((random) => [
    `since ${random.pick(HOURS)}`,
    `since ${clock(random)}`,
    "since this morning",
    "since yesterday",
    `in the last ${["five", "ten", "twenty"][random.int(0, 3)]} minutes`,
    "in the last hour",
    "today",
    "this morning",
    `after ${clock(random)}`,
    `between ${clock(random)} and ${clock(random)}`,
    `before ${clock(random)}`,
    "in the past hour",
    "over the last half hour",
  ]),
};
