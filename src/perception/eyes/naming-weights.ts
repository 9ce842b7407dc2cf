/** Fitted by training/eyes/names.ts --seeds 52-53,56,58-59: how much votes, size, height, the room and being common say. */
export const WEIGHTS: readonly number[] = [2.53, 0.24, 0.23, 0.73, 0.36];
/** Of each word of the eyes what was meant, in hundredths. */
export const TAKEN_FOR = `
other|other:34|curtain:18|window:8|wardrobe:7|lamp:6|door:5|fridge:3|bottle:2
door|door:79|other:8|wardrobe:5|person:5
window|window:95|curtain:3
curtain|curtain:93|other:4
picture|picture:48|mirror:32|other:4|curtain:4|window:2
mirror|mirror:60|other:19|curtain:9
whiteboard|whiteboard:41|mirror:26|picture:8|window:5
clock|clock:62|picture:8|lamp:2
radiator|radiator:77|toilet:10|cabinet:2
lamp|lamp:87|other:6|curtain:4
plant|plant:90|person:2
person|person:74|plant:14
chair|chair:57|television:6|table:6|person:5|cabinet:4|plant:3|lamp:2
stool|stool:62|towel:6|lamp:4
armchair|armchair:67|sofa:20|cabinet:3
sofa|sofa:52|armchair:30|blanket:5|bed:2|cabinet:2|pillow:2
bench|bench:59|table:8|towel:6|toilet:2
bed|bed:84|cabinet:7|sofa:2
table|table:71|cabinet:6|bed:5|sink:5|other:2
counter|counter:42|washing machine:20|sink:16|cabinet:6|oven:4
cabinet|cabinet:69|sink:12|wardrobe:4|counter:2
wardrobe|wardrobe:81|door:8
shelf|shelf:77|book:5|clothing:3|door:2|wardrobe:2
fridge|fridge:67|wardrobe:12|counter:6|cabinet:2|other:2
oven|oven:61|cabinet:13|washing machine:7|sink:4|bottle:2
microwave|microwave:68|laptop:2
washing machine|washing machine:37|cabinet:25|sink:12|oven:4|counter:3|fridge:2|glass:2
sink|sink:57|person:14|cabinet:8|lamp:2
toilet|toilet:79|other:2|towel:2
bathtub|bathtub:72|toilet:4|sink:2
television|television:88|other:4
monitor|monitor:49|television:13|lamp:9|laptop:4|other:3
laptop|laptop:67|other:8|book:8|sink:2|lamp:2
keyboard|book:35|keyboard:24|other:14|laptop:13
computer mouse|computer mouse:45|other:16|remote control:12|can:4|cabinet:2|table:2
computer tower|box:39|computer tower:38|bin:3
printer|printer:63|pillow:3|laptop:3|box:2|towel:2
phone|phone:59|book:6|other:5|clothing:3|laptop:2
remote control|remote control:69|other:2
speaker|speaker:67|pot:2|kettle:2
book|book:44|shelf:12|picture:10|clothing:8|pot:6|laptop:4|kettle:2
paper|paper:30|book:15|sink:12|picture:10|laptop:7|clothing:2|cabinet:2|window:2|table:2|bottle:2|towel:2|other:2
box|box:36|towel:16|pot:11|clothing:7|laptop:7|picture:4|book:4|kettle:2
bag|bag:57|bin:7|cabinet:3|bottle:3|toy:2|box:2
suitcase|suitcase:64|cabinet:5|armchair:2
bin|bin:81|box:3|toilet:2
bottle|bottle:59|mug:27|book:4
mug|mug:42|bottle:22|can:16|pot:4|clock:3|glass:2
glass|glass:29|bottle:24|mug:24|can:9|other:3
bowl|bowl:54|clock:19|other:2|cabinet:2
plate|plate:44|book:11|other:10|clothing:6|sink:4|clock:2|remote control:2
pot|pot:72
can|can:30|bottle:27|mug:17|pot:7|kettle:3|picture:2|glass:2
vase|vase:56|bottle:8|mug:8|lamp:3
kettle|kettle:57|bottle:12|mug:8|pot:8
coffee machine|coffee machine:69|laptop:2
tray|tray:69
pillow|pillow:43|blanket:31|book:12|sofa:2
blanket|blanket:66|pillow:13|bed:2|book:2
towel|towel:59|clothing:14|other:4
clothing|clothing:42|book:16|blanket:6|towel:5|other:5|pillow:4|cabinet:4|television:2|bed:2
shoe|shoe:38|other:24|bottle:9|book:8|towel:2
toy|toy:50|other:15|plant:13|book:2|lamp:2
ball|ball:47|other:17|toy:9|plant:4|lamp:4
rug|rug:72
`;
