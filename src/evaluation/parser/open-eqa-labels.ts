import type { ParserLabel } from "./score-parser.ts";

/**
 * What 100 of OpenEQA's questions ask for, labelled by hand before the parser was written: the first eight
 * characters of the question's id, the answer types that are right, and the heads (or the doing, for "somewhere to
 * take a nap") that are right as its target. Drawn without replacement by `Random("open-eqa-parse-100")` over the
 * 1,636 questions in the order of their ids. One person labelled them and later wrote the parser. The texts of the questions are not part of this.
 */
const LABELS = `
5d0efe22 text object, thing
f2e82760 text object, thing
f405628f binary television, tv
20144df8 count roommate
8c04ba45 text object, thing
27fd907f position fan
3c5d9367 position dry shoes, shoe, dry my shoes
15025844 text toolbox
a74956e0 text object, thing
5178b12e text duvet cover, cover, duvet
41f53d99 position warm, warm up, warmup, sit
cdb2760c position lamp, standing lamp
ee015c5c position tissue box, box
df5a6203 text object, thing, closet
b88abf34 position mail
8345f4b2 position china cabinet, cabinet
12a6a639 text room
3318164c text backpack
c35752f3 text paper towel, towel
7d1b51ad text lamp
78c3648f text shelf, top layer, layer, reach top layer
72553b2f binary tabletop
1f1bed27 binary|text tell time, tell the time, anything, time
7e4d6420 text furniture
5b8104b6 text object, thing, table
de038605 text chair
baaee8af position|text mug, desk
e0b667f8 text armchair
ad98ce8a text luggage
e73e8300 text|choice|binary bottle
a8c2bb22 position marker
256c9e92 binary|position nap, take a nap, somewhere
898ac9c5 binary bed, something big, under bed
3e02d0fe text mattress
754b7814 binary towel
59e2c378 text object, thing, plant
934ce134 position remote controller, controller, remote
30cb94c6 position|text object, tell time, tell the time
c3abc41f text object, thing, wall
7783e5f2 text object, thing
ba31f08f text table, dining table, dinning table
ffa331f6 text shirt
2dbd9c54 text note, make a note, made a note
70c25cdc position sweatshirt
b52bc051 text refrigerator
6999b759 binary trash can, can
5a8b3936 position umbrella
b7fc30fc text object, thing, sofa
9dd2290a text heat house, heat the house, house
a0141ef9 text object, thing
44a23f96 text decoration
9e46f6c7 text|choice room
3023e719 text mitten
6bff2ba3 text kitchen cabinet, cabinet
d07e539d position paper bag, bag
5f53b669 text video conference system, conference system, system, turn on the video conference system
15ef0e88 text|choice|binary shower curtain, curtain
3b4bc6d8 binary dishwasher
3a4ad822 position hat, put my hat
3c21d0ab position computer, placing a computer
28fd88c3 text object, thing, pot, black pot
d08fc4f5 binary heating, forced air heating, air heating
a3f4ad21 text shower head, head
d7aaf35f binary bed, sleep
ea0acb0b text something, ceiling, thing, object
24228768 position jacket, shoe
4868b6d7 position picture
d58639eb binary curtain
54939c10 binary blackboard
8673ad9c text sink, restroom sink
e008feb4 position marker
499bf969 binary laundry basket, basket
915cb310 text mirror
85c329e0 text object, thing
cb31bc51 text|set object, thing
3b151322 text tile, floor tile
5c1d30b9 text cool down, cool
bd986065 text object, thing, cabinet
1cfe0ea7 text fire emergency, emergency, fire
59df90ad text|position washing machine, machine
509d1fe4 binary room, desk, space
085188fe text device
d0165de2 position toy car, car
92fc2743 text object, thing, bedroom doorway, doorway
38fe23f1 text|choice|binary lamp
2428365a text object, thing
554929c8 text comforter
98a93f9e text object, thing, printer
3c4b5ee0 text plushie, animal plushie
3904a12e count box
bc1af4f3 text|position orchid
e845f82a text object, thing
19fd09b1 position mirror, octagonal mirror
c9f39725 binary table, indoor table
4db64c99 position|text bath robe, robe, bathrobe
b16560d5 text machine
f5dd281b binary space, bed, queen size bed
dc35f127 text electric switch, switch
c0795364 text object, thing
91e5ff12 text towel
`;

export const OPEN_EQA_LABELS: readonly ParserLabel[] = LABELS.trim()
  .split("\n")
  .map((line) => {
    const [id, answers, ...targets] = line.split(" ");
    return { id: id!, answers: answers!.split("|"), targets: targets.join(" ").split(", ") };
  });
