/**
 * The rule judge's English: synonyms, categories, shades of colours, and opposites. Written for rooms and streets;
 * unknown words are compared literally. Phrases of several words are allowed everywhere except in the antonyms.
 */

/** Each line: words that mean the same, the first one standing for all. */
const SYNONYM_LINES = `
sofa, couch, settee, loveseat
armchair, easy chair, lounge chair, reading chair
office chair, desk chair, swivel chair
stool, barstool, bar stool
footstool, ottoman, pouf, footrest
nightstand, bedside table, night table, bedside cabinet
coffee table, cocktail table
side table, end table
desk, writing table, work desk
counter, countertop, worktop, kitchen counter, counter top
bookshelf, bookcase, book shelf, book case
shelf, rack, shelving
wardrobe, closet, armoire
dresser, chest of drawers, bureau
cabinet, cupboard
sideboard, credenza, buffet
television, tv, tv set, telly, flat screen
tv stand, tv unit, tv cabinet, media console, entertainment center
monitor, computer screen, display, computer monitor
laptop, notebook computer
computer, pc, computer tower, desktop computer
phone, telephone, mobile phone, smartphone, cell phone, mobile, cellphone
remote, remote control, tv remote
fridge, refrigerator
freezer, deep freezer
stove, cooker, range, stovetop, hob, cooktop
range hood, extractor hood, cooker hood, exhaust hood
microwave, microwave oven
dishwasher, dish washer
washing machine, washer, clothes washer
dryer, tumble dryer, clothes dryer
kettle, teakettle, water boiler
coffee machine, coffee maker, espresso machine
air conditioner, ac, air conditioning unit, ac unit, aircon, air conditioning
radiator, heater
washbasin, bathroom sink, wash basin, basin
bathtub, bath, tub
toilet, commode, lavatory, wc
tap, faucet, spigot
bin, rubbish bin, trash can, garbage can, waste basket, wastebasket, trash bin, dustbin, waste bin, trashcan, garbage bin
picture, painting, framed picture, artwork, wall art, photograph, photo, picture frame
poster, placard
lamp, light, light fixture
floor lamp, standing lamp
ceiling lamp, ceiling light, chandelier, pendant lamp, pendant light
rug, carpet, floor mat
mat, doormat
curtain, drape
blind, window blind, shade
pillow, cushion, throw pillow
blanket, throw, quilt, comforter, duvet
mug, coffee cup, coffee mug
cup, teacup
glass, drinking glass, tumbler
backpack, rucksack
suitcase, luggage
bag, sack
box, carton, cardboard box
basket, hamper
plant, potted plant, houseplant
flower, blossom
clock, wall clock
whiteboard, white board, dry erase board
blackboard, chalkboard
staircase, stairs, stair, stairway, steps
elevator, lift
door, doorway
hallway, corridor, hall, passage, passageway
living room, lounge, sitting room, family room
bathroom, washroom, restroom, powder room
bedroom, sleeping room
office, study, home office
dining room, dining area
kitchen, cooking area, kitchenette
laundry room, utility room
children's room, kids room, childs room, nursery
garage, carport
person, human, somebody, someone, individual
man, guy, gentleman
woman, lady
child, kid
bicycle, bike, cycle
motorcycle, motorbike
car, automobile
bus, coach
truck, lorry
scooter, e scooter, electric scooter
sidewalk, pavement, footpath, walkway
building, structure
bollard, post
keyboard, computer keyboard
mouse, computer mouse
headphones, headphone, earphone, headset
speaker, loudspeaker
game controller, gamepad, joypad
hairdryer, hair dryer, blow dryer
detergent, washing powder, laundry detergent
dish soap, washing up liquid, dishwashing liquid
handbag, shoulder bag, purse
pen cup, pencil holder, pen holder, pencil cup
tool board, pegboard
can, tin can, food can
teddy bear, teddy
eyeglasses, spectacles, reading glasses
garbage, trash, rubbish, waste
wood, wooden, timber
metal, metallic
plastic, plasticky
leather, leathery
fabric, cloth, textile
stone, rock
grey, gray
beige, tan, sand
large, big, huge
small, little, tiny
near, next to, beside, by, close to, adjacent to, alongside, nearby
on, on top of, atop, upon, switched on, turned on, lit
off, switched off, turned off, unlit
in, inside, within, into
under, underneath, below, beneath
above, over
in front of, in front
behind, in back of, at the back of
between, in between, in the middle of, among
across from, opposite, facing
round, circular
counterclockwise, counter clockwise, anticlockwise, anti clockwise
closed, shut
open, opened, ajar
empty, vacant, unoccupied
full, filled
occupied, taken
made, tidy
yes, yeah, yep, correct, true, affirmative
no, nope, incorrect, false
`;

/** Each line: what it is, then kinds of it. */
const KIND_LINES = `
seat: sofa, armchair, chair, office chair, dining chair, stool, bench, footstool, beanbag
table: desk, dining table, coffee table, side table, nightstand, console table, workbench, counter, kitchen island
storage: cabinet, wardrobe, dresser, bookshelf, shelf, sideboard, tv stand, drawer, filing cabinet, wall shelf, shoe rack
bed: single bed, double bed, crib, bunk bed
furniture: seat, table, storage, bed
appliance: fridge, freezer, stove, oven, microwave, dishwasher, washing machine, dryer, kettle, toaster, coffee machine, range hood, air conditioner, radiator, fan, vacuum
electronics: television, monitor, laptop, computer, phone, remote, tablet, keyboard, mouse, headphones, speaker, printer, console
drinkware: mug, cup, glass
dish: plate, bowl, drinkware, tray
cookware: pan, pot, wok
cutlery: fork, knife, spoon
container: box, basket, bag, backpack, suitcase, bin, jar, bottle, can, bucket, vase, crate
lamp: floor lamp, ceiling lamp, table lamp, desk lamp
decoration: picture, poster, mirror, clock, vase, statue, sculpture, calendar, candle
bedding: pillow, blanket, sheet, mattress
textile: rug, curtain, towel, bedding, mat, tablecloth
bathroom fixture: washbasin, bathtub, toilet, shower, tap
clothing: jacket, shirt, coat, hat, shoe, sock, trousers, dress, sweater, scarf, glove
toy: doll, ball, teddy bear, puzzle, block
reading: book, magazine, newspaper, notebook
book: novel, hardback, paperback, shelved book, textbook, cookbook
shoe: trainer, sneaker, boot, slipper
trousers: jeans
hat: cap
ball: football
pot: saucepan
fruit: apple, banana, orange fruit, pear, lemon, grape
vehicle: car, bus, truck, bicycle, motorcycle, scooter, van, skateboard, forklift
person: man, woman, child, student, worker
plant: flower, tree, bush, cactus, succulent, herb pot, ficus, monstera, palm
room: living room, bathroom, bedroom, office, dining room, kitchen, laundry room, children's room, garage, hallway
material: wood, metal, plastic, leather, fabric, stone, glass material, ceramic, brick, concrete, marble, tile
`;

/** Heads of the lines above that people use for any of their kinds when they list what they see. */
export const EVERYDAY: ReadonlySet<string> = new Set([
  "bed",
  "lamp",
  "book",
  "shoe",
  "trousers",
  "hat",
  "ball",
  "pot",
  "plant",
]);

/** Each line: a basic colour, then its shades. */
const COLOUR_LINES = `
red: crimson, maroon, burgundy, scarlet, dark red, wine red
orange: coral, peach
yellow: gold, golden, mustard, lemon yellow
green: olive, lime, dark green, light green, mint, forest green
blue: navy, navy blue, light blue, dark blue, sky blue, turquoise, teal, cyan
purple: violet, lavender, lilac, magenta
pink: rose, salmon
brown: dark brown, light brown, chestnut, chocolate
beige: cream, ivory, khaki
black: jet black
white: off white, snow white
grey: silver, dark grey, light grey, charcoal
`;

/** Basic colours that people confuse in poor light. */
const COLOUR_NEIGHBOUR_LINES = `
red, orange, pink
orange, yellow
yellow, beige
green, blue
blue, purple
purple, pink
brown, beige, orange
black, grey
white, beige, grey
`;

const ANTONYM_LINES = `
open, closed
on, off
left, right
above, under
behind, in_front_of
in, outside
in, out
full, empty
clean, dirty
occupied, empty
made, unmade
locked, unlocked
up, down
before, after
first, last
clockwise, counterclockwise
towards, away
north, south
east, west
day, night
indoor, outdoor
left, straight
right, straight
yes, no
`;

const lines = (text: string) => text.trim().split("\n");
const list = (text: string) => text.split(",").map((word) => word.trim());
const families = (text: string) =>
  lines(text).map((line) => {
    const [head, members] = line.split(":") as [string, string];
    return { head: head.trim(), members: list(members) };
  });

export const SYNONYMS: readonly (readonly string[])[] = lines(SYNONYM_LINES).map(list);
export const KINDS = families(KIND_LINES);
export const COLOURS = families(COLOUR_LINES);
export const COLOUR_NEIGHBOURS: readonly (readonly string[])[] = lines(COLOUR_NEIGHBOUR_LINES).map(list);
export const ANTONYMS: readonly (readonly string[])[] = lines(ANTONYM_LINES).map(list);
