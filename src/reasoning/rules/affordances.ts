import { cosineOf } from "../../memory/vectors.ts";
import type { TextEmbedder } from "../../models/index.ts";

/**
 * What serves a need, by the ways people put it: common sense about homes, offices and streets, our own work. Each
 * line's things are tried in order.
 */
const TABLE = `
make coffee | brew a coffee | get an espresso | have a cappuccino: coffee maker, coffee machine, kettle, electric kettle
boil water | make tea | brew a pot of tea | heat water for tea: kettle, electric kettle, cooker, stove
toast bread | make toast | crisp a slice of bread | brown some bread: toaster, oven
brush teeth | clean my teeth | do my teeth: bathroom sink, washbasin, basin, toothbrush, cup of toothbrushes
dry hair | blow-dry my hair | get my hair dry after washing it: hair dryer, towel
dry wet clothes | hang the laundry to dry | let wet socks dry | dry the washing | dry my laundry: drying rack, clothes drying rack, clothes horse, tumble dryer
put away shoes | store my boots | keep my shoes | leave my boots somewhere: shoe rack, shoe cabinet
sit and put on shoes | tie my laces | lace up my boots | sit down to put my boots on: bench, hall bench
sit down | have a seat | rest my legs | relax | put my feet up | take the weight off my feet: sofa, armchair, chair, bench, stool, bed
sleep | take a nap | lie down | tired | sleepy | go to bed | spend the night | doze | get some rest | have a snooze: bed, sofa, armchair
read a book | do some reading | sit and read: armchair, reading lamp, desk lamp, bookshelf, bookcase, sofa, bed
eat a meal | have lunch | have dinner | have breakfast | dine: dining table, kitchen table, table, kitchen island, chair
cook a meal | fry an egg | prepare dinner | make something hot to eat | simmer a soup | bake a cake | roast a chicken: stove, oven, cooker, microwave, pan, pot
heat up food | warm up leftovers | reheat my lunch | warm my dinner | get a cold meal hot again: microwave, oven, stove, kettle, toaster
keep warm | cold | freezing | chilly | heat the room | warm the house | shivering | get warm | not warm enough: radiator, fireplace, heater, stove, thermostat, blanket, jumper
cool down | hot | too warm | sweating | need a breeze | sweaty | stuffy heat | boiling in here | overheated: fan, air conditioner, window, fridge
drink | thirsty | a glass of water | quench my thirst | have something to drink: fridge, kettle, coffee machine, sink, tap, glass, mug, cup, bottle
hungry | food | snack | fruit | have a bite | starving | peckish: fridge, fruit bowl, bowl, kitchen counter, cupboard, pantry, vending machine
keep food cold | keep milk fresh | chill a drink | store perishable food | cool a drink | refrigerate leftovers | stop food from spoiling: fridge, freezer
wash my hands | clean my hands | rinse my fingers | get dirt off my hands | dirty hands: bathroom sink, washbasin, basin, sink, soap, tap
wash dishes | clean the plates | do the washing up | clean dirty dishes | get the plates clean | rinse the cutlery: dishwasher, sink
wash clothes | do the laundry | clean dirty laundry | wash my shirts | get stains out of clothes: washing machine, laundry basket, sink
dry my hands | wet hands | get my hands dry | wipe my hands: towel, hand towel, towel rack, hand dryer, paper towel
take a shower | rinse off | shower: shower, shower cabin
take a bath | bathe | soak in warm water | wash myself | lie in hot water: bathtub, bath, shower
use the toilet | pee | restroom | relieve myself | go to the loo | bathroom break | answer a call of nature: toilet
look at myself | mirror | reflection | shave | check my appearance | see how I look | fix my makeup | do my hair | check my outfit: mirror
throw away rubbish | trash | dispose of garbage | litter | get rid of waste | bin a wrapper | discard packaging: waste bin, rubbish bin, bin, trash can, recycling bin, wastebasket
watch television | see a film | watch a movie | see the news | catch a show | watch the match | follow a series: tv, television, projector, laptop
listen to music | play some songs | hear a tune | hear the radio | put on an album: speaker, loudspeaker, radio, stereo, record player, headphones
play an instrument | make music | practise the piano | play guitar | practise scales: guitar, piano, violin, drum, keyboard instrument
work at a computer | type a letter | write an email | study | write an essay | do homework: desk, laptop, computer, monitor, office chair, keyboard
write a note | jot something down | notes | pen: pen, pencil, notebook, notepad, desk, whiteboard
print a page | copy a document | scan paper | get a document on paper | make a hard copy: printer, copier, scanner
charge my phone | charge my laptop | low battery | power for my computer | plug in a device | recharge a notebook | battery is empty: socket, charger, power outlet, desk, charging station
call somebody | telephone | make a phone call: phone, telephone
light | too dark | see in the dark | make it brighter | lamp: lamp, ceiling lamp, desk lamp, floor lamp, light switch, window, torch
see what time it is | check the time | clock | tell the hour | how late it is: clock, alarm clock, wall clock, watch
hang up my coat | put my jacket | leave my hat | take off my coat: coat rack, hook, hanger, wardrobe
store clothes | keep shirts | put away clean clothes | dress: wardrobe, dresser, closet, chest of drawers, drawer
shelve books | store books | put away a novel: bookcase, bookshelf, shelf
repair something | fix things | tools | tighten a screw: workbench, toolbox, screwdriver, wrench, hammer, drill
drive in a nail | hammer a nail into the wall | knock in nails | pound a nail: hammer, toolbox
drill a hole | make a hole in the wall | bore through wood: drill, power drill, toolbox
staple pages | fasten papers together | bind sheets | attach pages to each other | clip papers: stapler
vacuum the carpet | sweep the dust | hoover: vacuum cleaner, broom, mop, dustpan
mop the floor | wipe up a spill | scrub the tiles | clean the floor | wash the floor: mop, bucket, cleaning bucket, vacuum cleaner
get dressed | put on clothes | change my clothes | pick an outfit | find something to wear: wardrobe, closet, dresser
company | somebody to talk to | someone | people | anybody: person
pack for a trip | luggage | travel | pack clothes for a holiday | carry things on a journey | go on vacation: suitcase, backpack, bag
iron a shirt | press trousers | get creases out of clothes | smooth wrinkles | crumpled clothes: ironing board, iron, steam iron
steam in the kitchen | smoke | smell of cooking | fumes | bad air | clear the air | burnt smell | vapour from cooking: range hood, cooker hood, extractor, window, fan
cut vegetables | slice an onion | chop carrots | dice food | carve meat: knife, scissors, cutting board
sew | mend a seam: sewing machine
exercise | work out | gym | train my muscles | stay fit | do sports | stretch | do push-ups: treadmill, exercise bike, dumbbell, yoga mat, exercise mat
play games | toys for children | entertain a child: toy, game console, board game, ball, teddy bear, toy box
drive somewhere | go out by car | cycle: car, bicycle, scooter, keys
park the car: garage, parking space, driveway
leave the house | exit | go outside: front door, door, exit
climb up | reach something high | get at the top shelf: ladder, step stool, stool, chair
see better | glasses for my eyes: glasses, reading glasses
rain | not get wet outside: umbrella, raincoat
fire | emergency | put out flames: fire extinguisher, exit, door
treat a headache | take a pill | hurt | bandage a wound | first aid | sick | ill | pain | painkiller | cure a cold | medicine | unwell: first aid kit, medicine cabinet, pills
block the sun | privacy | keep sunlight out | darken the room: curtain, blind, curtains, blinds
water the plants | flowers: watering can, plant, vase
`;

const rows = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [phrases, things] = line.split(": ");
    return { phrases: phrases!.split(" | "), things: things!.split(", ") };
  });

/** Words that say nothing of what is needed. */
const EMPTY = new Set(
  "see use want take make do go get have put need find what can could would should the and with for some any place where something somewhere thing that this you your myself like too not".split(
    " ",
  ),
);

const rowWords = rows.map(({ phrases }) => new Set(phrases.flatMap(wordsOf)));
const rowsWith = new Map<string, number>();
for (const words of rowWords) for (const word of words) rowsWith.set(word, (rowsWith.get(word) ?? 0) + 1);
/** A word in few lines says more; one in none says as much as one that is in a seventh of them. */
const weightOf = (word: string) => Math.log(1 + rows.length / (rowsWith.get(word) ?? rows.length / 7));

/** Half by shared words, half by likeness in meaning; without an encoder the words alone. */
const LEAST = { both: 0.35, words: 0.3 };
const TIE = 0.02;

/** Things that serve a need, the likeliest first; empty when no line is like it. */
export async function thingsFor(need: string, embedder: TextEmbedder | undefined): Promise<string[]> {
  const asked = [...new Set(wordsOf(need))];
  const all = asked.reduce((sum, word) => sum + weightOf(word), 0) || 1;
  const likeness = embedder ? await likenessOf(need, embedder) : undefined;
  const scores = rowWords.map((words, row) => {
    const shared = asked.reduce((sum, word) => sum + (words.has(word) ? weightOf(word) : 0), 0) / all;
    return likeness ? 0.5 * shared + 0.5 * likeness[row]! : shared;
  });
  const best = Math.max(...scores);
  if (best < (likeness ? LEAST.both : LEAST.words)) return [];
  const alike = rows.filter((_, row) => scores[row]! >= best - TIE);
  return [...new Set(alike.flatMap(({ things }) => things))].slice(0, 16);
}

/** The lines' phrases as vectors, made once for an encoder. */
const encoded = new WeakMap<TextEmbedder, Promise<(Float32Array | null)[][]>>();

async function likenessOf(need: string, embedder: TextEmbedder): Promise<number[] | undefined> {
  let known = encoded.get(embedder);
  if (known === undefined) {
    known = encodeRows(embedder);
    encoded.set(embedder, known);
    // An encoder that fails once is asked again the next time.
    known.catch(() => encoded.delete(embedder));
  }
  const [asked] = await embedder.embed([need]);
  if (!asked) return undefined;
  return (await known).map((phrases) =>
    Math.max(0, ...phrases.map((phrase) => (phrase ? cosineOf(phrase, asked) : 0))),
  );
}

async function encodeRows(embedder: TextEmbedder): Promise<(Float32Array | null)[][]> {
  const vectors = (await embedder.embed(rows.flatMap(({ phrases }) => phrases))).values();
  return rows.map(({ phrases }) => phrases.map(() => vectors.next().value ?? null));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[^a-z ]+/g, " ")
    .split(" ")
    .filter((word) => !EMPTY.has(word))
    .map(stem)
    .filter((word) => word.length > 2);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|y|e)$/, "") : word;
}

/** What is done about a complaint: the words of it alone would as soon find what keeps food cold. */
const COMPLAINTS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:cold|freez\w*|frozen|chill\w*|shiver\w*|frosty|nippy|not warm|warm(?:er)? up|get(?:ting)? warm)\b/,
    "radiator, fireplace, heater, stove, thermostat, blanket, jumper",
  ],
  [
    /\b(?:steam\w*|smok\w+|smell\w*|fumes?|vapou?rs?|stink\w*|stench|odou?rs?|burnt|fog\w*|(?:bad|thick) air)\b/,
    "range hood, cooker hood, extractor, window, fan",
  ],
  [
    /\b(?:hot|hotter|heat|warm|warmer|sweat\w*|boiling|roasting|melting|overheat\w*|stuffy|sweltering|cool (?:down|off)|cooler)\b/,
    "fan, air conditioner, window, fridge",
  ],
  [
    /\b(?:news|films?|movies?|series|match|shows?|programmes?|television|tv|telly|broadcast)\b/,
    "tv, television, projector, laptop",
  ],
  [
    /\b(?:dark|darkness|dim|gloomy|cannot see|brighter|more light)\b/,
    "lamp, ceiling lamp, desk lamp, floor lamp, light switch, torch",
  ],
  [/\b(?:wet|damp) hands?\b|\bhands are (?:all )?(?:wet|damp)\b/, "towel, hand towel, hand dryer"],
  [
    /\b(?:dirty|sticky|greasy) (?:hands?|fingers)\b|\b(?:hands|fingers) are (?:dirty|sticky|greasy)\b/,
    "bathroom sink, washbasin, sink",
  ],
];

/** Things that help against what somebody complains of. */
export function thingsAgainst(complaint: string): string[] {
  return COMPLAINTS.find(([words]) => words.test(complaint))?.[1].split(", ") ?? [];
}

/** What people do in a room, and how it feels: by the words for it, the room's usual names behind. */
const ROOMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:do(?:ing)?|wash(?:ing)?) (?:the |my |some )?(?:washing|laundry|clothes)\b/, ["laundry", "bathroom"]],
  [
    /\b(?:sleep|nap|go to bed|lie down|rest(?:ful)?|privat?e|privacy|quiet|calm|intimate|undisturbed)\b/,
    ["bedroom"],
  ],
  [
    /\b(?:cook(?:ing)?|prepare (?:a |some )?(?:food|meal|dinner|lunch|breakfast)|bak(?:e|ing)|make (?:a |some )?(?:dinner|lunch|breakfast|food|meal))\b/,
    ["kitchen"],
  ],
  [
    /\b(?:relax|cosy|cozy|social|sociable|friends|hang out|chat|company|comfortable|homely|warm and inviting|unwind|film|movie)\b/,
    ["living room", "lounge"],
  ],
  [/\b(?:eat|dine|dinner|lunch|have a meal|breakfast|family meal|guests for)\b/, ["dining room", "kitchen"]],
  [/\b(?:repair|fix|tinker|woodwork|park|bicycle|bike|car|work on the car|workshop)\b/, ["garage"]],
  [
    /\b(?:play(?:ful)?|colou?rful|children|kids|toys|childlike|fun)\b/,
    ["children's room", "nursery", "playroom"],
  ],
  [
    /\b(?:shower|bath|bathe|toilet|freshen up|have a wash|brush (?:my )?teeth|wash up|hygienic|humid|steamy)\b/,
    ["bathroom"],
  ],
  [/\b(?:study|concentrate|work|write|homework|productive|focused|professional)\b/, ["office", "study"]],
  [/\b(?:take off|welcoming|arriv(?:e|ing)|coat|leave the house|entrance)\b/, ["hallway"]],
];

/** Kinds of room for an activity or a mood, the likeliest first. */
export function roomsFor(wish: string): string[] {
  return ROOMS.flatMap(([words, names]) => (words.test(wish) ? names : []));
}
