import { wordsOf } from "../../memory/words.ts";

/**
 * A small thesaurus of what embodied agents see and are asked about: homes, streets, campuses, warehouses. Our own
 * work, from general English. `SAME` lists words that people use for one thing; `KINDS` lists what counts as an
 * instance of a word, or serves a need, so that asking for "a place to sit" finds a bench. Words with a space are
 * phrases. It is deliberately short: what it does not know, the encoder may.
 */
const SAME = `
sofa couch settee loveseat
bike bicycle cycle
bicyclist cyclist biker
motorcycle motorbike motorcyclist
car automobile vehicle sedan suv
truck lorry pickup
van minivan
scooter moped
bus coach
bin trash garbage rubbish waste dustbin wastebasket
recycling recycle recyclable
elevator lift
escalator moving-stairs
stairs staircase stairway stairwell steps
fridge refrigerator
freezer icebox
stove cooker hob
oven range
microwave
tv television telly
screen monitor display
computer laptop pc workstation
phone telephone cellphone smartphone
lamp light lighting
bulb lightbulb
cup mug
glass tumbler
plate dish
bowl basin
cupboard cabinet closet wardrobe
drawer dresser chest
shelf shelving bookshelf rack
rug carpet mat
curtain drape blind
picture painting artwork art
mural wall-art graffiti
statue sculpture monument figure
plant greenery foliage vegetation
tree trees
bush shrub hedge
flower blossom bloom
grass lawn turf
sidewalk pavement walkway footpath
path pathway trail
street road roadway
crosswalk crossing zebra
intersection junction crossroads
corner bend turn
parking lot car-park
garage carport
building structure edifice facade
house home residence
hall hallway corridor passage passageway
lobby foyer atrium entryway reception
entrance entry doorway door threshold
exit way-out door doorway
door doorway
gate gateway
window pane
wall walls
ceiling roof
floor ground
room area space
kitchen kitchenette
bathroom restroom toilet washroom lavatory
bedroom
office workspace study
desk workstation
table desk
chair seat
stool barstool
bench seat
person people pedestrian individual someone human figure
man guy gentleman male
woman lady women female
child kid boy girl
student pupil
worker employee staff
police officer cop
crowd group gathering
dog puppy
cat kitten
bird birds
bag backpack handbag rucksack purse
suitcase luggage
bottle flask
box carton package parcel crate
container bin tub
pallet skid
forklift fork-truck
ladder stepladder
cone traffic-cone pylon
barrier barricade fence railing
fence fencing railing
bollard post
pole post column pillar
column pillar
hydrant fire-hydrant
extinguisher fire-extinguisher
alarm siren
sign signage signboard placard notice marker
poster flyer banner
board whiteboard blackboard noticeboard
logo emblem symbol
flag banner
clock timepiece watch
mirror looking-glass
vending-machine vending
fountain waterfall
sink washbasin faucet tap
towel cloth
blanket quilt duvet
pillow cushion
shirt top blouse
jacket coat hoodie parka
trousers pants jeans
shoe shoes sneaker boot footwear
hat cap helmet
glasses spectacles sunglasses
umbrella parasol
book books
newspaper magazine
key keys
toy toys
ball football soccer
game console
guitar instrument
camera webcam
remote controller
cable wire cord
tool tools
machine equipment device appliance
cart trolley
wheelchair
stroller pram
boat boats canoe kayak ship
train tram
plane airplane aircraft
bridge overpass
river creek stream
lake pond
sky clouds
sun sunlight sunny
rain rainy wet
snow snowy
outside outdoors outdoor exterior
inside indoors indoor interior
big large huge tall giant
small little tiny
red crimson maroon
blue navy azure
grey gray silver
brown tan beige
purple violet
orange amber
yellow gold golden
busy crowded bustling
quiet calm empty
empty vacant unoccupied
open opened
closed shut
broken damaged
emergency urgent
first-aid medical
shop store market
cafe coffee cafeteria
restaurant diner eatery
library bookstore
gym fitness
hospital clinic
school university college campus
church chapel
park garden plaza
playground
loading unloading delivery
construction building-site roadwork
hold holding held
carry carrying carries
wear wearing wore dressed
walk walking walked stroll
ride riding rode
drive driving drove
run running jogging
sit sitting seated sat
stand standing stood
talk talking chatting conversation
park parked parking
stop stopped stationary
`;

const KINDS = `
seat: bench chair sofa couch stool armchair seating sitting
sit: bench chair sofa couch stool seating seat sitting table
rest: bench sofa bed lounge seating
sleep: bed bedroom couch
lie: bed sofa grass
eat: table dining kitchen cafe restaurant cafeteria food picnic
food: kitchen fridge cafe restaurant cafeteria snack fruit vending
hungry: kitchen fridge cafe restaurant food vending
drink: water fountain coffee bottle cup vending cafe fridge
thirsty: water fountain bottle vending cafe
cook: kitchen stove oven pan pot
wash: sink bathroom laundry washing faucet
clean: broom mop vacuum sink sponge
throw: trash bin garbage recycling
trash: bin can dumpster recycling
read: book library magazine newspaper lamp desk
study: desk library table book laptop
work: desk office computer laptop table
meet: table room lounge lobby
wait: bench lobby seating stop
shelter: roof canopy building awning umbrella
shade: tree canopy umbrella awning
cold: fridge freezer ice jacket
warm: heater fireplace blanket radiator
play: toy game ball playground
exercise: gym treadmill bike track field
charge: charger outlet station battery
repair: tool workshop bench
vehicle: car truck van bus motorcycle scooter bicycle suv
furniture: chair table sofa bed desk cabinet shelf
appliance: fridge oven stove microwave dishwasher washing
animal: dog cat bird squirrel
clothes: shirt jacket pants dress hat shoe sweater hoodie
person: man woman student pedestrian child worker people cyclist
people: person pedestrian students group individuals crowd
plant: tree bush shrub flower potted greenery hedge
art: painting mural sculpture statue artwork installation
artwork: painting mural sculpture statue installation
sculpture: statue art installation monument
statue: sculpture art monument
sign: signage board marker placard banner poster
bicyclist: bicycle bike riding cyclist
cyclist: bicycle bike riding
motorist: car driver driving
bicycle: bike rack cyclist
driver: car vehicle driving
building: entrance facade architecture hall tower
tower: building tall
enter: entrance door doorway entering inside interior lobby
leave: exit door doorway leaving outside entrance
exit: door doorway entrance leaving outside outdoors
inside: indoor interior hallway corridor lobby ceiling room
outside: outdoor sky trees street sidewalk plaza
outdoor: sky trees street sidewalk grass
turn: corner intersection curve junction
cross: crosswalk crossing street intersection
stop: sign light red intersection crosswalk
upstairs: stairs elevator floor
downstairs: stairs elevator floor
floor: carpet tile wood
street: road lane cars traffic curb asphalt pavement
road: street lane asphalt traffic curb
sidewalk: pavement pathway brick walkway pedestrian concrete
ramp: slope incline wheelchair
help: phone emergency call officer
emergency: exit phone alarm extinguisher call
call: phone telephone emergency
security: camera guard officer police
store: shelf shelving rack pallet
ship: box pallet loading dock
lift: forklift crane elevator
`;

/** Phrases that stand for one word: looked up before the words they are made of. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  "place to sit": ["sit"],
  "somewhere to sit": ["sit"],
  "place to eat": ["eat"],
  "something to drink": ["drink"],
  "something to eat": ["eat"],
  "place to sleep": ["sleep"],
  "place to rest": ["rest"],
  "look at myself": ["mirror"],
  "see myself": ["mirror"],
  "trash can": ["trash"],
  "garbage can": ["trash"],
  "wall art": ["mural", "art"],
  "go down the stairs": ["stairs"],
  "go up the stairs": ["stairs"],
  "get off": ["leave"],
  "go in": ["enter"],
  "go out": ["exit"],
  "go outside": ["exit", "outside"],
  "fire hydrant": ["hydrant"],
  "parking lot": ["parking"],
};

const stem = (word: string): string => wordsOf(word).join(" ");

function table(lines: string, parse: (line: string) => [string, string[]][]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n"))
    for (const [head, words] of parse(line)) {
      const key = stem(head);
      const known = found.get(key) ?? new Set();
      for (const word of words) if (stem(word) !== key) known.add(word.replaceAll("-", " "));
      found.set(key, known);
    }
  return found;
}

const synonyms = table(SAME, (line) => {
  const words = line.split(" ");
  return words.map((word) => [word.replaceAll("-", " "), words]);
});
const kinds = table(KINDS, (line) => {
  const [head, words] = line.split(": ");
  return [[head!, words!.split(" ")]];
});

/** Words that may stand in a description where a question has this word; nearest in meaning first. */
export function expand(word: string): { same: readonly string[]; kinds: readonly string[] } {
  const key = stem(word);
  return { same: [...(synonyms.get(key) ?? [])], kinds: [...(kinds.get(key) ?? [])] };
}

/** Words that a phrase of the question stands for. */
export function phrasesIn(text: string): readonly string[] {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return Object.entries(PHRASES).flatMap(([phrase, words]) => (plain.includes(` ${phrase} `) ? words : []));
}
