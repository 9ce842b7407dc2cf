/** Fitted by training/eyes/names.ts --seeds 52-61: how much each says of what speaks for a kind (`Evidence`). */
export const WEIGHTS: readonly number[] = [1.66, 0.18, 0.18, 0.36, 0.36, 0.3, 0.56];
/** The same of things that closer looks told of. */
export const CLOSER_WEIGHTS: readonly number[] = [0.6, 0.4, 0.1, 0.4, 1, 0.7, 0.2, 1.4];
/** Of each word of the eyes what was meant, in hundredths. */
export const TAKEN_FOR = `
other|other:61|curtain:14|fridge:4|wardrobe:4|lamp:2|clothing:2|window:2|picture:2
door|door:87|other:5|person:4|wardrobe:3
window|window:98
curtain|curtain:95|other:4
picture|picture:62|mirror:33
mirror|mirror:83|other:6
whiteboard|whiteboard:65|mirror:23
clock|clock:85
radiator|radiator:94|toilet:2
lamp|lamp:91|vase:5
plant|plant:93|person:2
person|person:92
chair|chair:92|television:2
stool|stool:72|table:15
armchair|armchair:81|sofa:12
sofa|sofa:78|armchair:16
bench|bench:81|table:5
bed|bed:94|cabinet:3
table|table:89|cabinet:3|sink:2|book:2
counter|counter:56|washing machine:20|sink:18
cabinet|cabinet:86|sink:9
wardrobe|wardrobe:94
shelf|shelf:94
fridge|fridge:81|wardrobe:9|counter:3
oven|oven:82|cabinet:6|sink:3|washing machine:2
microwave|microwave:86
washing machine|washing machine:70|cabinet:14|sink:5
sink|sink:83|person:3
toilet|toilet:91
bathtub|bathtub:88
television|television:95|other:2
monitor|monitor:83|television:2
laptop|laptop:88|other:3|book:2
keyboard|book:46|keyboard:34|other:7|laptop:6
computer mouse|computer mouse:72|other:9|remote control:7
computer tower|computer tower:65|box:25
printer|printer:86
phone|phone:84
remote control|remote control:86
speaker|speaker:86
book|book:74|picture:12|clothing:3|pot:2|shelf:2
paper|paper:53|book:19|sink:7|oven:5|picture:3|laptop:2
box|box:61|towel:12|pot:8|clothing:4|picture:2|book:2|laptop:2
bag|bag:81|person:5
suitcase|suitcase:86
bin|bin:83|other:9
bottle|bottle:65|mug:16|other:5|glass:4|kettle:3|book:2
mug|mug:48|other:21|can:8|bottle:8|pot:4|glass:3|clothing:3
glass|glass:61|bottle:11|mug:10|other:8|can:3
bowl|bowl:74|clock:10|plate:3|clothing:2
plate|plate:82|other:3|book:3
pot|pot:86
can|can:55|bottle:12|pot:11|mug:6|kettle:3|glass:3|other:2
vase|vase:84
kettle|kettle:81|pot:6|bottle:4
coffee machine|coffee machine:86
tray|tray:86
pillow|pillow:61|blanket:21|book:9|remote control:2
blanket|blanket:84|pillow:5
towel|towel:76|clothing:9|shoe:4
clothing|clothing:72|book:8|shoe:7|towel:2|other:2
shoe|shoe:68|other:15|book:4|bottle:3
toy|toy:69|plant:14|other:6
ball|ball:76|other:5|plant:4|toy:3
rug|rug:87
`;
