/**
 * What serves a need, by the words people use for it: common sense about homes, offices and streets, our own work.
 * A need is matched by its words; each line's things are tried in order.
 */
const TABLE = `
make coffee espresso: coffee maker, coffee machine, kettle, electric kettle
boil water tea: kettle, electric kettle, cooker, stove
brush teeth: bathroom sink, washbasin, basin, toothbrush, cup of toothbrushes
dry hair: hair dryer, towel
dry wet clothes laundry: drying rack, clothes drying rack, clothes horse, tumble dryer
away store shoes boots: shoe rack, shoe cabinet
sit shoes boots wear lace: bench, hall bench
sit seat rest relax: sofa, armchair, chair, bench, stool, bed
sleep nap lie tired sleepy bed: bed, sofa, armchair
read book reading: armchair, reading lamp, desk lamp, bookshelf, bookcase, sofa, bed
eat meal lunch dinner breakfast dine: dining table, kitchen table, table, kitchen island, chair
cook boil fry meal: stove, oven, cooker, microwave, pan, pot
heat warm reheat food: microwave, oven, stove, kettle, toaster
warm cold freezing heat room house: radiator, fireplace, heater, stove, thermostat, blanket, jumper
cool hot fan breeze sweaty: fan, air conditioner, window, fridge
drink thirsty water tea coffee: fridge, kettle, coffee machine, sink, tap, glass, mug, cup, bottle
hungry food snack fruit: fridge, fruit bowl, bowl, kitchen counter, cupboard, pantry, vending machine
store keep cold fresh milk food: fridge, freezer
wash hands clean hand: bathroom sink, washbasin, basin, sink, soap, tap
wash dishes plates: dishwasher, sink
wash clothes laundry: washing machine, laundry basket, sink
dry hands hand: towel, hand towel, towel rack, hand dryer, paper towel
shower: shower, shower cabin
bathe bath wash myself: bathtub, bath, shower
toilet pee restroom: toilet
look mirror reflection hair shave: mirror
throw away trash rubbish dispose garbage litter: waste bin, rubbish bin, bin, trash can, recycling bin, wastebasket
watch film movie news television show: tv, television, projector, laptop
music listen sound song: speaker, loudspeaker, radio, stereo, record player, headphones
play instrument music piano guitar: guitar, piano, violin, drum, keyboard instrument
work computer type write email essay study: desk, laptop, computer, monitor, office chair, keyboard
write note notes pen: pen, pencil, notebook, notepad, desk, whiteboard
print copy scan paper: printer, copier, scanner
charge phone laptop battery power: socket, charger, power outlet, desk, charging station
call telephone: phone, telephone
light dark see bright lamp: lamp, ceiling lamp, desk lamp, floor lamp, light switch, window, torch
time clock hour late: clock, alarm clock, wall clock, watch
hang coat jacket hat: coat rack, hook, hanger, wardrobe
clothes clothing store shirts dress: wardrobe, dresser, closet, chest of drawers, drawer
books shelve store: bookcase, bookshelf, shelf
tools repair fix screw hammer: workbench, toolbox, hammer, screwdriver, wrench, drill
clean floor dust sweep vacuum: vacuum cleaner, broom, mop, dustpan
mop floor wipe scrub: mop, bucket, cleaning bucket, vacuum cleaner
dressed dress change clothes outfit: wardrobe, closet, dresser
company somebody someone people talk person anybody anyone: person
suitcase travel luggage pack: suitcase, backpack, bag
iron ironing shirt clothes press: ironing board, iron, steam iron
steam smoke smell air kitchen fumes vapour cooking clear: range hood, cooker hood, extractor, window, fan
cut slice chop: knife, scissors, cutting board
sew: sewing machine
exercise train gym workout: treadmill, exercise bike, dumbbell, yoga mat
play game toy children: toy, game console, board game, ball, teddy bear, toy box
drive travel go out: car, bicycle, scooter, keys
park car: garage, parking space, driveway
leave exit go outside: front door, door, exit
climb reach high top ladder: ladder, step stool, stool, chair
wear eyes read glasses: glasses, reading glasses
rain wet outside: umbrella, raincoat
fire emergency extinguish: fire extinguisher, exit, door
hurt bandage first aid sick ill pain headache treat wound medicine: first aid kit, medicine cabinet
sunlight dark block sun privacy: curtain, blind, curtains, blinds
plants water flowers: watering can, plant, vase
`;

const rows = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [words, things] = line.split(": ");
    return { words: new Set(words!.split(" ")), things: things!.split(", ") };
  });

/** Words that say nothing of what is needed. */
const EMPTY = new Set(
  "see use want take make do go get have put need find what can could would should the and with for some any place where something somewhere thing that this you your myself want like".split(
    " ",
  ),
);

/** Things that serve a need, the likeliest first; empty when the table has no words for it. */
export function thingsFor(need: string): string[] {
  const asked = wordsOf(need);
  const scored = rows
    .map(({ words, things }) => {
      const stems = new Set([...words].flatMap((word) => [word, stem(word)]));
      return { things, hits: asked.filter((word) => stems.has(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  const most = scored[0]?.hits ?? 0;
  return [...new Set(scored.filter(({ hits }) => hits >= most).flatMap(({ things }) => things))].slice(0, 16);
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
  return word.length > 4 ? word.replace(/(?:ing|s)$/, "") : word;
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
