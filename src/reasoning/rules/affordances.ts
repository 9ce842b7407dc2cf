/**
 * What serves a need, by the words people use for it: common sense about homes, offices and streets, our own work.
 * A need is matched by its words; each line's things are tried in order.
 */
const TABLE = `
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
wash hands clean hand: sink, bathroom sink, soap, tap, basin
wash dishes plates: dishwasher, sink
wash clothes laundry: washing machine, laundry basket, sink
dry hands hand: towel, hand towel, towel rack, hand dryer, paper towel
dry clothes laundry: dryer, drying rack, washing machine, radiator
shower bathe bath wash myself: shower, bathtub, bath
toilet pee restroom: toilet
brush teeth: toothbrush, toothpaste, sink
look mirror reflection hair shave: mirror
throw away trash rubbish dispose garbage litter: bin, trash can, waste bin, rubbish bin, recycling bin
watch film movie news television show: tv, television, projector, laptop
music listen sound song: speaker, radio, stereo, record player, piano, guitar, headphones
work computer type write email essay study: desk, laptop, computer, monitor, office chair, keyboard
write note notes pen: pen, pencil, notebook, notepad, desk, whiteboard
print copy scan paper: printer, copier, scanner
charge phone laptop battery power: socket, charger, power outlet, desk, charging station
call telephone: phone, telephone
light dark see bright lamp: lamp, ceiling lamp, desk lamp, floor lamp, light switch, window, torch
time clock hour: clock, alarm clock, watch
hang coat jacket hat: coat rack, hook, hanger, wardrobe
clothes clothing store shirts dress: wardrobe, dresser, closet, chest of drawers, drawer
shoes boots: shoe rack, doormat, shoe cabinet
books shelve store: bookcase, bookshelf, shelf
tools repair fix screw hammer: workbench, toolbox, hammer, screwdriver, wrench, drill
clean floor dust sweep vacuum mop: vacuum cleaner, broom, mop, dustpan
iron clothes: iron, ironing board
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
hurt bandage first aid sick medicine: first aid kit, medicine cabinet
sunlight dark block sun privacy: curtain, blind, curtains, blinds
plants water flowers: watering can, plant, vase
bright quiet cosy cozy place: armchair, sofa, window, bedroom, library, living room
`;

const rows = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [words, things] = line.split(": ");
    return { words: new Set(words!.split(" ")), things: things!.split(", ") };
  });

/** Things that serve a need, the likeliest first; empty when the table has no words for it. */
export function thingsFor(need: string): string[] {
  const asked = need
    .toLowerCase()
    .replace(/[^a-z ]+/g, " ")
    .split(" ")
    .map((word) => word.replace(/(?:ing|s)$/, ""))
    .filter((word) => word.length > 2);
  const scored = rows
    .map(({ words, things }) => {
      const stems = new Set([...words].flatMap((word) => [word, word.replace(/(?:ing|s)$/, "")]));
      return { things, hits: asked.filter((word) => stems.has(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  const most = scored[0]?.hits ?? 0;
  return [...new Set(scored.filter(({ hits }) => hits >= most).flatMap(({ things }) => things))].slice(0, 16);
}
