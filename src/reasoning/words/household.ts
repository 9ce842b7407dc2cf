/**
 * Names that people use for one and the same thing of a house, a line for each thing. What is only alike ("cushion"
 * and "pillow" are the same here, "cup" and "mug" are not) is left to the encoder.
 */
const ONE_THING = `
sofa, couch, settee, davenport, chesterfield, divan, sectional, three-seat sofa, two-seater
armchair, easy chair, lounge chair, recliner, wing chair
television, tv, telly, television set, tv set, flat screen, smart tv
tv stand, tv unit, television stand, media console, tv cabinet, tv bench, media unit, tv console
refrigerator, fridge, icebox, fridge freezer
stove, cooker, hob, cooktop, gas stove, kitchen range
microwave, microwave oven
nightstand, bedside table, night table, bedside cabinet, night stand, bedside stand
chest of drawers, dresser, bureau, drawer unit, tallboy
wardrobe, closet, armoire, clothes cupboard
sideboard, credenza, buffet cabinet, buffet
bookcase, bookshelf, book shelf, bookshelves
kitchen counter, worktop, countertop, work surface, kitchen worktop, counter top, counter
sink, basin, washbasin, wash basin, hand basin, wash-hand basin
bathtub, tub, bath, bath tub
toilet, loo, lavatory, wc, water closet
waste bin, bin, trash can, garbage can, rubbish bin, wastepaper basket, wastebasket, dustbin, trash bin, waste basket, litter bin, garbage bin, waste paper basket
rug, carpet
exercise mat, yoga mat, gym mat, fitness mat, workout mat
floor lamp, standing lamp, standard lamp, floor light, torchiere
ceiling lamp, ceiling light, overhead light, pendant lamp, pendant light
table lamp, bedside lamp, desk lamp
curtain, drape, drapery
cushion, pillow, throw pillow, scatter cushion
blanket, throw, coverlet
glass, tumbler, drinking glass
kettle, teakettle, tea kettle, electric kettle
washing machine, washer, clothes washer, laundry machine
tumble dryer, dryer, clothes dryer, tumble drier
laptop, notebook computer, laptop computer
computer, pc, desktop computer
monitor, computer screen, display
phone, telephone, mobile, smartphone, mobile phone, cell phone, cellphone
radiator, heater, heating
potted plant, houseplant, house plant, pot plant, plant
picture, painting, framed picture, wall picture, artwork
photograph, photo, framed photo
mirror, looking glass
clock, wall clock, timepiece
backpack, rucksack, knapsack, school bag
suitcase, travel case, trolley case
laundry basket, hamper, laundry hamper, clothes basket, washing basket, linen basket
treadmill, running machine
dumbbell, hand weight, weight
dumbbell rack, weight rack, weights rack
exercise bike, stationary bike, spinning bike
bicycle, bike, push-bike, pushbike
vacuum cleaner, vacuum, hoover
coffee table, cocktail table, low table
dining table, dinner table
desk, writing desk, work desk, writing table
ottoman, pouf, pouffe, footstool, hassock, footrest
coat rack, coat stand, hat stand, coat tree
umbrella, brolly
teddy bear, teddy, stuffed bear, plush bear
toy box, toy chest
cardboard box, carton
magazine, periodical
tap, faucet
bowl of fruit, fruit bowl
can of paint, paint can, paint tin, tin of paint, paint pot
front door, entrance door, main door, entry door
coffee machine, coffee maker, espresso machine, coffee brewer
frying pan, skillet
pot, saucepan, cooking pot
toilet paper, loo roll, toilet roll
crib, cot, baby bed
iron, steam iron, flatiron
jacket, coat
trousers, pants, slacks
trainers, sneakers, running shoes
`;

/** What one word for many takes in. */
const KINDS_OF: Readonly<Record<string, string>> = {
  crockery: "plate, bowl, mug, cup, dish, saucer",
  tableware: "plate, bowl, mug, cup, glass",
  cutlery: "knife, fork, spoon",
  silverware: "knife, fork, spoon",
  footwear: "shoe, boot, slipper, sneaker, sandal",
  baggage: "suitcase, backpack, bag",
  luggage: "suitcase, backpack, bag",
  bedding: "blanket, pillow, duvet, sheet, quilt",
  "bed linen": "blanket, pillow, duvet, sheet",
  electronics: "laptop, television, phone, tablet, computer, monitor, radio",
  gadget: "laptop, phone, tablet, radio",
  "light source": "lamp, floor lamp, table lamp, ceiling lamp",
  garment: "shirt, coat, jacket, dress, trousers",
  clothing: "shirt, coat, jacket, dress, trousers",
  clothes: "shirt, coat, jacket, dress, trousers",
  "musical instrument": "guitar, piano, violin, keyboard, flute, drum",
  instrument: "guitar, piano, violin, flute, drum",
  "drinking vessel": "mug, cup, glass",
  "reading matter": "book, magazine, newspaper",
  "floor covering": "rug, carpet, mat",
  "wall decoration": "picture, poster, mirror, painting",
  "exercise equipment": "treadmill, dumbbell, exercise mat, exercise bike, dumbbell rack",
  "gym equipment": "treadmill, dumbbell, exercise mat, exercise bike, dumbbell rack",
  "soft toy": "teddy bear, doll",
  toy: "teddy bear, doll, ball, toy car, toy box",
  seating: "chair, armchair, sofa, stool, bench",
};

const same = new Map<string, readonly string[]>();
for (const line of ONE_THING.trim().split("\n")) {
  const names = line.split(", ");
  for (const name of names)
    same.set(name, [...(same.get(name) ?? []), ...names.filter((other) => other !== name)]);
}

/** Other names of a thing of a house, and what a word for many takes in: both empty for what is not in the tables. */
export function householdNames(name: string): { same: readonly string[]; kinds: readonly string[] } {
  return { same: same.get(name) ?? [], kinds: KINDS_OF[name]?.split(", ") ?? [] };
}
