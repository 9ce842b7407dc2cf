/** Fitted by training/eyes/names.ts --seeds 52-61: how much votes, size, height, the room and being common say. */
export const WEIGHTS: readonly number[] = [2.24, 0.2, 0.4, 0.21, 0.5];
/** Of each word of the eyes what was meant, in hundredths. */
export const TAKEN_FOR = `
other|other:26|curtain:15|window:8|door:8|lamp:7|wardrobe:5|picture:4|fridge:4|shelf:3|plant:2
door|door:83|person:5|other:5|wardrobe:4
window|window:95|curtain:3
curtain|curtain:93|other:4
picture|picture:50|mirror:36|curtain:4|other:3
mirror|mirror:65|other:16|curtain:8|picture:4
whiteboard|mirror:41|whiteboard:23|picture:8|window:6|fridge:6|television:5|curtain:2
clock|clock:49|picture:10|mug:4|clothing:3|bowl:2|pot:2|mirror:2|other:2|lamp:2|curtain:2|plant:2|vase:2
radiator|radiator:85|toilet:6|cabinet:2
lamp|lamp:87|vase:4|other:4|curtain:3
plant|plant:90|person:4
person|person:79|plant:13
chair|chair:72|table:9|cabinet:4|person:3|television:2
stool|stool:43|table:27|lamp:5|towel:4|chair:2
armchair|armchair:60|sofa:27|cabinet:3|bag:2
sofa|sofa:66|armchair:21|cabinet:3|blanket:3|bed:2
bench|bench:43|table:27|towel:4|other:2|sink:2
bed|bed:87|cabinet:5|sofa:2
table|table:76|cabinet:4|bed:3|sink:3|book:2|other:2|chair:2
counter|counter:46|washing machine:23|sink:16|cabinet:5|oven:4
cabinet|cabinet:67|sink:11|counter:4|wardrobe:4|washing machine:3|picture:2|fridge:2
wardrobe|wardrobe:81|door:11
shelf|shelf:84|sink:6|book:2
fridge|fridge:66|wardrobe:14|counter:5|cabinet:3|sink:2|door:2
oven|oven:69|washing machine:9|cabinet:7|sink:4|counter:3
microwave|microwave:63|laptop:8
washing machine|cabinet:29|washing machine:25|sink:14|oven:8|counter:6|fridge:6
sink|sink:47|cabinet:15|person:14|lamp:4|other:4
toilet|toilet:78|table:3|other:3|towel:2
bathtub|bathtub:69|toilet:5|sink:3|sofa:2
television|television:94|other:2
monitor|monitor:37|television:18|lamp:14|laptop:7|other:5|curtain:2
laptop|laptop:68|book:9|other:9|clothing:2
keyboard|book:44|laptop:18|other:15|keyboard:12|plate:3
computer mouse|other:47|computer mouse:27|remote control:7|can:2|cabinet:2
computer tower|box:36|computer tower:35|table:5|bin:3|sofa:2
printer|printer:60|pillow:3|clothing:3|laptop:3|box:2|towel:2|shelf:2
phone|phone:52|other:9|book:7|laptop:5|clothing:3|plate:2
remote control|remote control:64|other:8
speaker|speaker:62|kettle:4|pot:3|picture:3|book:2
book|book:51|shelf:14|picture:12|pot:4|clothing:4|kettle:3|laptop:2
paper|book:27|paper:17|laptop:10|picture:9|sink:7|oven:5|table:3|other:3|cabinet:2
box|box:26|pot:14|towel:12|laptop:10|book:8|clothing:8|picture:6|shelf:2|kettle:2
bag|bag:63|person:7|bin:4|other:4|cabinet:2|bottle:2
suitcase|suitcase:56|cabinet:7|sofa:4|armchair:4|bag:3
bin|bin:69|other:12|box:2|person:2|toilet:2
bottle|bottle:51|mug:19|other:7|glass:6|kettle:5|book:4
mug|mug:34|other:21|bottle:10|pot:9|glass:9|can:7|clothing:3
glass|glass:38|mug:17|other:16|bottle:14|can:5|kettle:2
bowl|bowl:57|clock:11|plate:6|clothing:4|other:3|picture:2|plant:2
plate|plate:44|other:17|book:11|bowl:5|clothing:4|sink:2|laptop:2
pot|pot:71|clothing:4|kettle:3|picture:2
can|pot:17|can:16|bottle:15|mug:14|glass:10|kettle:10|other:6|book:4
vase|vase:48|bottle:12|mug:7|kettle:7|lamp:5|other:2
kettle|kettle:70|pot:13|bottle:7|mug:3
coffee machine|coffee machine:65|laptop:6
tray|tray:67|oven:3
pillow|blanket:34|pillow:34|book:11|bag:6|sofa:3|remote control:2
blanket|blanket:64|pillow:11|picture:4|bed:3|book:2
towel|towel:46|clothing:19|shoe:9|other:5|book:2
clothing|clothing:41|book:17|shoe:7|blanket:6|other:4|towel:3|cabinet:3|pillow:2|television:2|lamp:2|bed:2
shoe|shoe:37|other:19|toy:14|bottle:7|book:7|towel:2
toy|toy:45|plant:21|other:13|book:2|remote control:2|lamp:2
ball|ball:37|toy:16|other:14|plant:11|lamp:3|vase:3
rug|rug:71|table:4
`;
