/**
 * What things are good for, by the words people use who want them: common sense about homes, offices and streets,
 * our own work. A line is one kind of thing with its other names, then cues; a cue of several words counts when all
 * of them are said.
 */
export const THINGS = `
bed, double bed, king-size bed, single bed: sleep; tired; sleepy; nap; lie down; go to bed; spend the night; doze; snooze; exhausted; get some rest; forty winks; bedtime; shut-eye; can not keep my eyes open; yawn; overnight; mattress; stay the night; worn out; turn in; jet-lagged; I want to crash; dead on my feet; long night; dream; hit the hay; sleepover; early night; flu rest; pregnant lie; horizontal; ready to collapse; could sleep for a week; lights out; insomnia
bunk bed: two children sleep; sleep above each other; siblings share
cot, crib: baby sleep; put the baby to bed; infant nap; newborn; baby down
pillow: rest my head; neck support; lay my head; stiff neck; head in bed; neck hurts in the morning; something under my head; head lies too flat; feathers; rest my cheek
duvet, quilt: cover in bed; cold at night; sleep warm; comforter; bedspread; chilly in bed; tuck in; feathers cover; pull over my head
blanket, throw: wrap up; cold sofa; cuddle up; over my knees; freezing; cover myself; chilly; snuggle; cosy up; warm legs; nodded off; shiver; picnic; fluffy; cover my legs; draught on the sofa; cold while watching; wrap a child; picnic on the grass; shivering on the couch; nap on the sofa
sofa, couch, settee: sleep; guest stay the night; relax; lounge; put my feet up; side by side; stretch out; snuggle up together; sit comfortably; rest my legs; unwind; soft seat; watch comfortably; slump; flop down; guests to sit; cuddle together; sprawl; sit somewhere comfy; sink into something soft; recline; watch a film together; stretch my legs; flop; cosy evening; guests sit; potato; lie down for a moment; cuddle with; feet hurt want to recline; nap in the living room; chill; laze
armchair: relax; sit comfortably; curl up novel; comfy spot to read; sit and read; snooze sitting up; unwind; sink into something soft; put my feet up; sit back; lounge; reading nook; read the paper comfortably; grandpa; rock; cup of tea and a book; rest; comfortable seat; relax alone
beanbag: lounge on the floor; comfy spot to read; slouch; chill out; sit low
chair: sit down; have a seat; take a seat; rest my legs; tired legs; on my feet; standing; sit up straight; guests to sit; place to sit; legs ache; knees; extra seat; tired of standing; legs hurt; seat for a guest; sit at the table; wait sitting; too old to stand; sit for dinner; knees weak; somewhere to sit
stool: reach the shelf; sit at the bar; too short; perch; step up; can not reach; bulb changed; sit at the counter; bar; reach the cupboard; sit in the kitchen; milk a cow; small seat; step
step stool: reach the shelf; too short; can not reach; step up
bench, hall bench: sit and put on shoes; tie my laces; lace up my boots; sit hall; two sit; put my boots on; take off my boots; sit for a moment; sit in the entrance; put my shoes on; sit in the hallway; pull on boots; wait by the door; take shoes off
office chair, desk chair: sit at the desk; back hurts at work; swivel; sit and type; long hours at the desk; back pain working; roll; adjustable; posture
high chair: feed the baby; toddler at the table; baby eat
dining table, kitchen table: eat a meal; have dinner; have lunch; have breakfast; dine; guests coming for dinner; family eat; supper together; host a dinner; decent meal; set the table; feast; serve the food; play cards; sit up for a meal; lay for six; sunday roast; family dinner; guests for supper; eat together; board game space; breakfast with everyone; thanksgiving; birthday dinner; meal
table: eat a meal; put things on; spread out; play cards
coffee table: put my drink sofa; snacks sofa; feet up; magazine; remote within reach; put down my cup; arm's reach; in front of the sofa; put the remote; cup beside sofa; chips for the film; place my laptop sofa; magazines
side table: put my drink armchair; drink beside the sofa; lamp beside; within arm's reach
nightstand, bedside table: glass of water in bed; lay my glasses sleep; charge phone pillow; beside the bed; alarm by the bed; book before sleep; next to my pillow; within reach in bed; glass of water at night; book before I sleep; phone at night; alarm beside; put my watch at night; lamp by the bed
console table: drop the mail; keys by the entrance; leave my keys; bits and pieces hallway; put my keys when I come home; entrance drop; wallet and keys
tv stand: under the screen; dvds; games console place; screen on; video player
desk, writing desk: work at a computer; study; do homework; write an essay; write a letter; do my taxes; draw plans; concentrate; paperwork; work from home; revise for exam; office work; assignment; charge my laptop; plug in my laptop; pay bills; write my thesis; sort documents; use my computer; exam tomorrow; do sums; learn vocabulary; draft a contract; home office; concentrate on my work; fill in a form; somewhere to write; tax return
workbench: repair something; saw plank; woodworking; clamp; file it down; hobby craft; fix things; sand wood; carpentry; build something; assemble; glue broken; solder; hobby; plane wood; birdhouse; repair radio; vice; bike repair; drill; carve; craft; model
kitchen counter, worktop, counter: knead dough; prepare the vegetables; roll out pastry; grocery bags; chop food; prepare food; cook space; make a salad; unpack groceries; butter my toast
kitchen island: knead dough; prepare the vegetables; roll out pastry; breakfast bar; cook together
bookcase, bookshelf: read a book; store books; shelve books; put away a novel; novels; bored want to read; literature; library; something to read; look up encyclopedia; finished reading; bookworm; look for a thriller; novel finished put back; cookbook; collection of classics; stack of novels; want to read a story; reading matter; encyclopaedia; paperbacks lie around; poetry
book, novel, shelved book: read; story; bored; bedtime story; literature; reading; pass the time; learn; fiction; poem; holiday reading; get lost in a story; detective story; adventure; recommend reading; quiet entertainment; author; bedtime; unplug
magazine: flick through; leaf through; read gossip; waiting room; fashion read; glossy; waiting; celebrity; leaf; short read; articles; fashion; browse through pictures; gossip; something light to read
newspaper: headlines; read the news; crossword; what is happening in the world; editorial; current affairs; what happened in the world; sports section; job ads
wall shelf, shelf: display my trophies; souvenirs; show off ornaments; out of reach but visible; put up on the wall; place for ornaments; spice; figurines; ornaments; books up; display; cactus; plates; collection; show my figurines
shelf rack, storage rack, rack, metal shelf: store boxes; garage storage; keep boxes; stack tins; store things; put away boxes; storage space; heavy boxes; paint tins; garage mess; stuff everywhere store; jars; tools lie; crates; stock
wardrobe, closet: store clothes; hang suit; get dressed; put on clothes; change my clothes; pick an outfit; nothing to wear; find something to wear; clean clothes; hang my dress; choose outfit; coat hanger; put away clothes; unpack my things; dress up; wear tonight; party clothes; hang my shirts; what shall I wear; dress for the party; suit; coat hangers; clothes lie everywhere; cold need clothes; change; dinner dress; jacket hang; find a clean shirt; clothes away
dresser, chest of drawers: store clothes; folded shirts; underwear; socks drawer; put away clean clothes; drawer for clothes; pyjamas; unpack my suitcase; socks; jumpers folded; baby clothes; linen
cupboard, kitchen cupboard, wall cupboard, cabinet: store dishes; plates kept; put away plates; clean dishes away; find a bowl; crockery; put the cups away; tins and pasta kept; pantry; groceries away; where are the plates; put the dishes away; get a plate; cups stored; find the salt; pasta and rice; glasses are kept; tins; spices; sugar; flour
sideboard: tablecloth; good china; cutlery kept; serve buffet; tableware; festive plates; best china; napkins; tablecloths; fine glasses; silver; candlesticks
drawer: cutlery; small things away
filing cabinet: file contracts; bank statements; hanging folders; invoices; documents locked away; receipts; paperwork in order; passport locked; tax records; documents; contracts; tax; papers lie around; certificates; archive; confidential; insurance policies
binder, folder: file contracts; invoices in a mess; keep papers together; receipts; bank statements in order; loose sheets; tax documents; papers; certificates; lecture notes; sheets; bills; insurance; sort letters
shoe rack, shoe cabinet: put away shoes; store my boots; keep my shoes; muddy boots; trainers lie around; leave my boots; take off my shoes; footwear; boots in the way; sneakers away; shoes all over the hallway; stumble over boots; pair of sandals; take off sneakers; footwear tidy; heels; wellies
coat rack, coat hook, hook, hanger: hang up my coat; put my jacket; leave my hat; take off my coat; hang jacket; rain jacket; guests coats; umbrella and coat; scarf away; cloakroom; wet coat; guests arrive with jackets; overcoat; parka; hang my scarf; put my umbrella and hat; take off outerwear; anorak; cardigan hang; jacket off
toy chest, toy box: toys away; tidy the toys; lego everywhere; toys on the floor; clean up the playroom; find a toy; store toys; stepped on a toy; children tidy; teddy bears everywhere; tidy up playroom; child wants to play; building bricks on the floor; dolls put away; bored toddler; playthings; clear up the toys
safe: jewellery locked; valuables; cash hidden; protect from thieves
fridge, refrigerator: keep food cold; keep milk fresh; chill a drink; store perishable food; cold beer; leftovers; stop food from spoiling; hungry; food; lukewarm soda; cold drink; yoghurt; something cold; butter melting; meat fresh; groceries cold; refrigerate; ice; salad fresh; midnight snack; champagne; something chilled; wilting lettuce; milk will go off; keep leftovers; cool; ice-cold; snack; what can I eat; salad; butter is melting; food spoils; fresh fish; drinks for the party cold; hungry in the middle of the night; eggs; cheese; yogurt; sour milk; chill the wine; vegetables fresh; famished; starving; thirsty for something cold
freezer: ice cream; freeze; ice cubes; frozen; keep for months; melt; swollen ankle ice; ice pack; peas frozen; fish fingers; ice cubes for drinks; bump on head cool
stove, cooker, hob: cook a meal; fry an egg; prepare dinner; hot meal; simmer soup; boil pasta; cook dinner; make something hot to eat; heat food; warm up food; sear steak; pancakes; stew; spaghetti; scrambled eggs; sauce; stir-fry; risotto; cook; boil potatoes; proper warm supper; warm my soup; bacon; melt chocolate; hot chocolate; make some soup; boil an egg; fry; warm milk; cook rice; something hot for dinner; make jam; heat the soup; cook for the family; curry; noodles; warm meal; porridge; mulled wine; goulash; cook pasta; heat up
oven: bake a cake; roast a chicken; cookies; brown lasagne; pizza; bake bread; gratin; casserole; roast; pie; turkey; muffins; baking; biscuits; birthday cake; crisp in the heat; broil; crust; bake; apple pie; croissants; loaf; roast beef; cheese melted on top; cake for the birthday; potatoes baked; lasagne; roast vegetables; gingerbread
microwave: heat up food; warm up leftovers; reheat my lunch; warm my dinner; get a cold meal hot again; quick hot meal; defrost; popcorn; warm milk; ready meal; food gone cold; heat my soup; warm up my soup; thaw; leftovers from yesterday; quick warm; cold coffee; heat baby food; in two minutes hot; frozen meal; soup is cold; tv dinner; warm up; pizza slice from yesterday
toaster: toast bread; make toast; crisp a slice of bread; brown some bread; bagel; crunchy bread breakfast; crispy breakfast; golden brown slices; frozen waffles; warm bread; slice crunchy; english muffin
kettle, electric kettle: boil water; make tea; cup of tea; hot water; brew; instant noodles; hot-water bottle; boiling water; earl grey; herbal infusion; chamomile; instant soup; hot brew; sore throat; soothing drink; pot of tea; hot lemon; tea time; hot water bottle; instant coffee; cup noodles; infusion; peppermint; hot toddy; green tea; boil; steaming cup; porridge water
coffee machine, coffee maker, espresso machine: make coffee; brew a coffee; espresso; cappuccino; caffeine; wake up; latte; can not wake up; need a boost; coffee; americano; sleepy morning; pick-me-up; macchiato; morning energy; barely awake; need something strong; hot and black; barista; long night work; wake me up; flat white; shot; beans; break at work drink; mocha; first thing in the morning
blender, mixer: smoothie; milkshake; puree; blend; whip cream; crush ice; batter; whisk; beat egg whites; mix dough
juicer: fresh orange juice; squeeze juice
dishwasher: wash dishes; clean the plates; do the washing up; dirty dishes; get the plates clean; greasy plates; mountain of dishes; dirty glasses; clean cutlery; no clean plates; after the party dishes; crusty pans; pile of dirty plates; greasy cutlery; dishes after dinner; load the dishes; hate washing up; glasses sparkle; every plate is dirty; tableware clean; after the feast
kitchen sink: wash dishes; rinse the cutlery; wash the vegetables; fill a pot with water; get water; peel potatoes; rinse salad; drain pasta; do the washing up; glass of tap water; wash up; dirty frying pan; rinse the lettuce; pour away; fill the kettle; scrub potatoes; fill the vase; burnt pan soak; rinse the rice; clean vegetables
sink, bathroom sink, washbasin, basin: wash my hands; clean my hands; rinse my fingers; dirty hands; brush teeth; sticky fingers; wash my face; shave; spit toothpaste; ink on my hands; greasy fingers; soap my hands; fingers covered; splash my face; rinse my face; fill water for shaving; clean my face; brush; rinse mouth; wash off make-up; hands covered in mud; toothpaste; freshen my face
tap, faucet: running water; fill with water
soap, soap dispenser, hand soap: wash my hands; clean my hands; lather; germs; sticky hands; hygiene; grease off hands; hands are filthy; oily hands; after gardening; earth under nails; disinfect; smell of fish on fingers; paint on my fingers; hands smell
range hood, cooker hood, extractor hood, extractor: steam in the kitchen; smoke; smell of cooking; fumes; smell of frying; steam from pots; vapour; burnt smell; air full of grease; kitchen full of steam; onion smell; fish smell; grease in the air; frying smoke; kitchen smells; steam up; burning smell; window is fogged from cooking; odour; vapours
pan, frying pan, skillet: fry; pancakes; fried eggs; sear steak; sizzle bacon; omelette; crepes; saute; scrambled; sausages; pancake; fish fingers; roast onions; crepe; steak
pot, saucepan, cooking pot: stew; boil spaghetti; soup; simmer; pasta; potatoes boil; broth; jam cook; chilli con carne; ragout; cook rice; boil eggs; potatoes; jam; mussels; big meal
lid: cover the pot; boiling over; splash
knife, kitchen knife: cut vegetables; slice an onion; chop carrots; dice food; carve meat; cut bread; slice; peel; cut cake; fillet fish; spread butter; cut the bread; slice tomatoes; peel an apple; cake in pieces; steak; sharp; halve an avocado; loaf; cheese slices; pineapple
chopping board, cutting board: cut vegetables; chop; slice an onion; scratch the table cutting; dice; protect the worktop; onions; slice vegetables; do not scratch; cut herbs; carve
spoon: stir; eat soup; yoghurt; scoop; taste the sauce
fork: spaghetti eat; pick up food; salad eat
cutlery: lay the table; eat with; set the table
plate, dinner plate, side plate: serve food; eat from; put cake on; sandwich on; set the table; slice of cake; put my toast on; serve dinner; something to eat from; serve the pizza; put the biscuits on; piece of cake; sandwich; crumbs everywhere when eating; lunch on
bowl: cereal; soup; muesli; salad; mix; serve soup; porridge; crisps for guests; dip; fruit in; cornflakes; breakfast flakes; serve salad; pour milk over; ice cream serve; crisps; noodle soup; batter; nuts for the party; dessert
fruit bowl: fruit; snack; vitamins; healthy; pears and grapes; something fresh; peckish; decorative table middle; bite; apples; fresh; centrepiece; oranges; pears
apple: fruit; snack; vitamins; healthy; bite; peckish; fresh juicy; crunchy; sweet not candy; keep the doctor away; hungry; rumbling; tree; healthy snack; pie; teacher; small hunger
banana: fruit; snack; potassium; healthy; peckish; energy before sport; monkey; sweet not candy; hungry; nibble; quick energy; smoothie; small hunger
orange: fruit; vitamin c; squeeze juice; healthy; citrus; juicy
lemon: sour; squeeze; citrus; tequila
bread: sandwich; toast; spread jam; butter; bakery; hungry; snack; breakfast; slice; nothing to spread; carbohydrate; baguette; go with cheese; loaf; cheese on; soup dip; carbs; ducks; lunch box
cereal box, cereal, box of cereal: breakfast; muesli; cornflakes; with milk in the morning; crunchy breakfast; oats; quick breakfast; crunchy with milk; flakes; granola; morning bowl; kids breakfast
carton, milk carton, juice carton: milk for coffee; juice; drink not fizzy; glass of milk; dairy; calcium; milk; cereal needs; coffee white
can, tin: food keeps for years; preserved food; tin of beans; power cut food; emergency food; soda; canned; fizzy; emergency supply; tin; soup quick; long-lasting; camping food
can opener: open tin; tin of beans; open can; getting in tin; tin; tuna; soup tin; sealed can; beans
bottle: drink; thirsty; water for the road; hiking water; pour; hydrate; water with me; refresh; thirsty on the road; sparkling water; dehydrated; mineral water; after sport drink; take water along; dry mouth; gym drink
wine bottle, wine: dinner wine; red wine; toast newlyweds; celebrate; romantic evening
wine rack: uncork red; sparkling; raise a toast; bottle of red; merlot; wine with dinner; bottle; cellar; celebrate; guests wine; red; sommelier
corkscrew: wine open; cork; uncork; open the bottle; bottle of red; bottle will not open; open wine; rioja
bottle opener: open beer; crown cap
glass, drinking glass, tumbler: drink; thirsty; glass of water; pour; sip; quench my thirst; serve juice; something to drink from; have something to drink; pour it into; pour lemonade; glass of milk; pour some water; parched; dry throat; cold juice; drink water; toast with
mug, cup, coffee mug, tea mug: cup of tea; coffee to drink; sip; hot chocolate; serve it in; hot drink; pour; warm milk; hot cocoa; warm my hands; tea bag; latte; cuppa; coffee is ready but
teapot: brew tea; pour tea; tea for guests; steep leaves
thermos, thermos flask: keep coffee hot; hot drink on the way; tea for the hike
water jug, jug, pitcher: serve water; pour lemonade; water for the table
jar: jam; loose rice airtight; seashells; preserve; pickles; honey; store spice; cookies kept; keep nuts; marbles; marmalade; cookies; coins save; gherkins; buttons; store; keep beans; pickled
lunch box: food to work; school snack; packed lunch; sandwich take along
tray: carry drinks; breakfast in bed; carry several cups; serve guests
napkin: wipe my mouth; sauce on my chin; protect my lap
paper towel, kitchen roll: wipe up a spill; spilled; wipe; soak up; drops
tea towel, dish towel: dry the dishes; dry plates; wipe glasses; dry up
sponge, dish brush: scrub pan; wash up; clean the sink; burnt pot
weighing scale, scale, kitchen scale: weight; put on weight; grams of flour; lost weight; diet; weigh; kilos; how heavy; slimming; measure flour; lost; measure sugar; heavy; bake exact; grams; pounds; slim
timer: eggs minutes; remind me in minutes; cake must not burn
toilet: use the toilet; pee; restroom; relieve myself; go to the loo; bathroom break; nature calls; urgently; bladder; have to go; number two; drank too much; burst; bowel; powder my nose; upset stomach; my stomach; diarrhoea; drank three beers; gotta go; need the loo; pregnant and must again; kid needs to wee; sit in peace; bladder full; pooping; potty
toilet paper: wipe; holder is empty; run out bathroom; tissue; nose is running; loo roll; blow my nose; roll is finished; nothing to wipe; sneeze; run out
toilet brush: clean the toilet bowl
tissue, tissues, box of tissues: blow my nose; sneeze; tears; cry; runny nose; sniffle; allergies; hay fever; crying; cold nose; make-up smear; sneezing; runny
shower, shower cabin: take a shower; rinse off; sweaty after sport; wash myself; greasy hair; wash my hair; smell of sweat; freshen up quickly; sticky from sun cream; sand on skin; get clean; after jogging; muddy all over; sweaty; I stink; sweated; after the gym; muddy; quick wash; sticky skin; feel grimy; salt on my skin; hot water on my back; before the date clean; refresh myself; get the sand off
bathtub, bath, tub: take a bath; bathe; soak in warm water; lie in hot water; foam; rubber duck; splash toddler; muscles ache warm; bubbles; wash the dog; soak in hot water; relax in water; immerse; long hot soak; relax in bubbles; kids splash; aching muscles; baby bathe; sore muscles hot water; candles and water; spa evening; dirty dog
shampoo: wash my hair; greasy hair; scalp; itchy; dandruff; gum in hair; oily hair; curls sand; dirty hair; hair smells; oily; hair wash; sticky hair
conditioner: tangled hair
toothbrush, toothbrush cup: brush teeth; clean my teeth; dental; spinach; fresh breath; cavities; garlic breath; dentist; plaque; teeth feel furry; food between my teeth; ate garlic; before bed teeth; mouth hygiene; gums; bad breath; dentist told me; onion breath
toothpaste: brush teeth; fresh breath; minty
razor: shave; stubble; beard off; hairy legs
towel, bath towel: dry myself; wet after swimming; dry my hands; dripping after shower; beach; dry my face; wet hair; sauna; wipe myself dry; swimming pool; just out of the shower; dripping wet; swim; wipe my face; soaking from the pool; sweaty face; out of the bath; dry off; rub dry; shower done; rain-soaked hair
towel rail, towel rack, hand towel: dry my hands; wet hands; get my hands dry; wipe my hands; hang the towel; damp hands; hands dripping; my hands are wet; dry hands; fingers wet after washing
bathrobe: after the shower wear; spa
bath mat: slip shower; wet feet; step out of the shower; cold tiles after shower
hairdryer, hair dryer: dry hair; blow-dry; wet hair; hair damp; style my hair; soaking hair; catch cold wet head; hair is dripping; just washed hair; go out with wet hair; head soaked; locks; blow dry; styling
comb, hairbrush: hair is a mess; tangled; tidy my hair; knots; bed head
mirror: look at myself; reflection; shave; check my appearance; how I look; makeup; do my hair; check my outfit; lipstick; knot my tie; spinach in teeth; tie straight; pimple; how does this dress look; haircut; bow tie; see myself; something on my face; mascara; contact lenses; check my hair; apply lipstick; how do I look; beard trim; is my tie crooked; contact lens; something stuck in my teeth; try on clothes; spot on my face; practise my speech face; earring; new glasses suit me; fringe; eyeliner
washing machine, washer: wash clothes; do the laundry; clean dirty laundry; wash my shirts; stains out of clothes; dirty clothes; load of whites; sheets cycle; football kit; underwear clean run out; wine stain; sweaty gym clothes; bed linen; grass stain; laundry; clothes smell; muddy trousers; spin cycle; clothes stink; sheets are dirty; no clean socks; spilled wine on my shirt; stain on trousers; sports gear sweaty; muddy jeans; laundry pile; clean clothes for tomorrow; baby threw up on; towels smell; dirty linen; clothes filthy
detergent, washing powder, laundry detergent: wash clothes; get stains out; load of whites; handwash sweater; dirt out; drum loaded; wash cycle; softener; soak blouse; water alone will not; dirty laundry powder; whites grey; cycle; soak; stain remover
bleach: whiten; disinfect; mould; yellowed
dryer, tumble dryer: dry wet clothes; dry the washing; dry laundry fast; wet jeans dry; fluffy towels; raining line outside; still wet washing; dripping clothes; damp laundry; quickly dry; warm out of the drum; quickly need my shirt dry; wet laundry and rain; damp sheets; clothes straight dry; wet towels; soaked clothes
drying rack, clothes drying rack, clothes horse: dry wet clothes; hang the laundry; wet socks; hang washing; raining line outside; swimsuit dripping; hang wet clothes; damp laundry; clothes pegs; still wet; air-dry; delicate dry; hang up laundry; wet shirts; laundry is wet; hand-washed pullover dry; rain outside laundry; damp socks; wet swim trunks
laundry basket, hamper: dirty socks; worn clothes; sweaty things; collect clothes; dirty clothes; throw my shirt; laundry day carry; clothes on the floor; football kit; used underwear; take off dirty; worn underwear; dirty shirt where; smelly socks; clothes on the bathroom floor; collect dirty laundry; sweaty shirt off; dirty towels
ironing board, iron, steam iron: iron a shirt; press trousers; creases; smooth wrinkles; crumpled clothes; wrinkled blouse; crease-free; flatten linen; crumpled; rumpled; shirt looks crumpled; creased; collar flat; suit wrinkled; interview shirt; smooth tablecloth; pleats; flat shirt; trousers have lines
clothes peg: hang washing; fasten
vacuum cleaner, hoover: vacuum the carpet; dust; crumbs; hoover; dog hair; sheds; dirt on the rug; fluff; dusty; cobwebs; clean the carpet; pet hair; splinters; broken glass; biscuit crumbs; glitter; sand on the floor; fluff under the bed; rug is full of hair; cat hair; sand in the carpet; dust bunnies; spilled flour; ants crumbs; spring cleaning; carpet dirty; popcorn on the floor; clean the floor
broom: sweep; crumbs; dust; leaves; broken glass; splinters; sweep the floor; confetti; sawdust; dusty; shards; leaves in the hall; porch; kitchen floor crumbs; sweep up; cornflakes spilled; soil on the floor; hair after haircut
dustpan: sweep up; shards; crumbs
mop: mop the floor; wipe up a spill; scrub the tiles; clean the floor; sticky floor; muddy boots tiles; spilled; wash the floor; puddle; footprints; wet floor; juice on the floor; milk all over; spilled juice; floor is wet; dog paws; sticky; lemonade; tiles dirty; overflow; wet patch; coffee on the floor; kitchen floor; shine floor; dirty footprints
bucket, cleaning bucket: mop the floor; clean the floor; carry water; roof leaking; wash the car; drip; sponge and water; scrub; water for the garden; wash windows; sick; leaking pipe; muddy tiles; sticky floor; sandcastle; leak; water from the ceiling; drips; scrub the floor; sick child; carry soapy water; ice for bottles; clean the windows; soak
feather duster, duster: dust the shelves; dusty
rubbish bin, waste bin, bin, trash can, wastebasket: throw away rubbish; trash; garbage; litter; get rid of; wrapper; discard; packaging; banana peel; used tissues; waste; rotten; empty; chewing gum; apple core; mouldy; broken throw; throw out; crumpled paper; junk; spoiled; leftover scraps; useless; broken glass pieces throw; peel; eggshells; wrapping; empty packet; stinks rotten; get rid; used teabag; old receipts; junk mail; stale bread; snot rag; mouldy bread; finished with this; scraps
recycling bin: empty bottle; old newspapers; cardboard packaging; recycle; glass bottles
fire extinguisher: fire; flames; put out; burning; blaze; emergency; something is burning; pan caught fire; flames are coming; smoke from the socket; oil on fire; blazing curtain; put out the fire
smoke detector, smoke alarm: warn of fire; fire at night; afraid of fire at night; alarm if it burns
first aid kit, medicine box, medicine cabinet: headache; pill; bandage; wound; bleeding; cut finger; sick; ill; pain; painkiller; medicine; fever; feverish; tummy hurts; caught a cold; cough; plaster; sprained; hurt; graze; unwell; burnt finger; dizzy; nausea; allergy; migraine; throat; blister; aspirin; insect bite; scraped knee; stomach ache; injured; I cut myself; bleeding knee; burn on my hand; splinter; bee sting; ankle twisted; antiseptic; pulled muscle; gash; nosebleed; sunburn; hurt my knee; hay fever; toothache; diarrhoea; antihistamine; cough syrup; ibuprofen; sick to my stomach; hangover; cramps; heartburn; tablets; prescription; drops; ointment; cold sore; temperature child; pills; plasters
thermometer: fever; temperature; forehead hot; child hot; feverish; shiver hot; degrees; flu; baby hot
crutch: broken leg; sprained ankle walk
glasses, reading glasses: see better; small print; blurry; read the label; letters too small; short-sighted; eyesight; can not read this; tiny letters; blurred; far away unclear; newspaper unreadable
sunglasses: sun blinds; glare; beach; bright sun; dazzled; squint; driving into the sun; ski slope
watch, wristwatch: what time; timekeeping; late; punctual
clock, wall clock: what time; check the time; tell the hour; how late; miss the train; appointment; am I late; time is it; when to leave; in a hurry; lunch break over; how much time; running late; what hour; half past; minutes left; how long until; noon; o'clock; keep track of time; train leaves; sure of the time
alarm clock: wake up; oversleep; get up early; early flight; be up at six; tomorrow morning; sleep in; rise early; up at dawn; not miss; early shift; must be up; oversleeping; ring in the morning; exam tomorrow morning; wake me; snooze button; get up at; morning call; school morning
calendar: date; appointment; birthday when; what day; plan the month; holidays; schedule; weekday; what date; when is easter; mark the appointment; how many days until; dentist appointment when; plan ahead; month; weekend falls
radiator, heater: cold; freezing; chilly; heat the room; warm; shivering; get warm; temperature up; heating; dry gloves; feet like ice; cold room; goosebumps; numb fingers; frosty; draughty; teeth chatter; thaw; icy; heating on; warm my hands; warm up the room; cosy warm; my fingers are stiff; wet gloves; winter inside; warmer in here; turn the heat up; ice-cold room; my toes are frozen
fireplace: cold; crackle; flames cosy; romantic; warm; logs; roast chestnuts; get warm; freezing; fire cosy; hearth; burn wood; toast my toes; marshmallow; romantic evening; winter evening; christmas stocking; watch the flames; wood fire; sit by the fire; smell of burning logs; power cut and cold
thermostat: temperature up; heating set; too cold
fan: hot; sweating; breeze; cool air; boiling; heat wave; stuffy; blow air; sultry; no air conditioning; too warm; swelter; summer night; sticky heat; cool down; overheated; melting; too hot to sleep; tropical; sweltering; hot flush; air is not moving; fresh wind indoors; sweat pouring; muggy; dying of heat
air conditioner: hot; heat wave; cool the room; sweltering; too warm; summer heat
window: fresh air; stuffy; air the room; see outside; weather; look out; let light in; breeze; musty; bad air; smell; view; watch the birds; daylight; sunlight in; hot; ventilate; stale; snowing outside; suffocate; see the street; boiling in here; breath of wind; cooking smell out; need oxygen; too warm inside; hear the birds; watch the snow; what is going on outside; see the garden; air is bad; smell of paint; let the smoke out; is it raining; look at the stars; warm breeze; aired
curtain, curtains, blind, blinds: block the sun; privacy; sunlight; darken the room; neighbours look in; too bright to sleep; sun in my eyes; glare; watched from outside; streetlamp; prying eyes; morning sun; see in from the street; screen glare; passers-by stare; streetlight keeps me awake; sun wakes me; peep; blinded by the sun; see me undress; too sunny; reflection on the screen; nosy neighbour; everyone can look in; room too bright; midday sun; sun fades
door: close the noise; leave the room; privacy; draught; go through; shut; too loud outside the room; step out; shut out; next room; draught coming in
front door: leave the house; exit; go outside; doorbell; visitor; courier; someone knocks; go home; lock up; walk the dog; let guests in; guests arrive; parcel; someone is ringing; let the visitor in; go out for a walk; postman; leave; take the dog out; bell; guests have come; get some air outside; pizza delivery; leave for work; way out; escape
garage door: drive out; park inside; car out
doormat: wipe my feet; muddy shoes; dirty soles; wet soles; snow on boots; clean my shoes before; muddy boots before coming in; shoes are filthy; wet shoes entrance; wipe soles; dirt into the house; snow off
rug, carpet: cold floor; soft floor; baby crawl; echo; bare parquet; play on the floor; warm underfoot; kids roll; meditate floor; tumble; sit on the floor; bare feet; bare floor; feet cold on the floor; cosy floor; slippery floor; toddler play; soft underfoot; scratches parquet
exercise mat, yoga mat: yoga; push-ups; stretch; exercises lying down; sit-ups; pilates; workout; meditate; stretch my back; gymnastics; abs; stay fit; floor hard; plank; gym; back exercises; floor exercise; warm up; relax on the floor; crunches
dumbbell, weights: train my muscles; biceps; lift; strength; stronger arms; bodybuilding; muscle; weak arms; strong; muscles; upper body; lift something heavy to train; curls arms; fitness
treadmill: run indoors; jog raining; lose weight; exercise; cardio; burn calories; marathon training; stay fit; work out; jog while it rains; run without leaving home; lose a few pounds; endurance; steps a day; training run; sprint; too much cake calories
exercise bike: cycle indoors; exercise; cardio; work out; burn calories; pedal indoors; cycle while watching; sweat at home; legs train
ball, football: play outside; kick; game in the yard; throw and catch; goal; kids want to play in the garden; throw; basketball; goalkeeper; dribble; dog fetch; kick about
punching bag: anger; box; let off steam
skateboard, scooter: ride; roll to school; tricks
bicycle, bike: cycle; ride; pedal; get to town; without petrol; missed the bus; commute; tour; along the river; get to work; green transport; station; helmet; fresh air ride; environmentally; cycle to; fresh air and exercise; without a car; traffic jam; cheap way to; short distance; eco; park; lake; errands
car: drive; get to town; road trip; kids to school; supermarket; week's shopping; missed the bus; airport; heavy shopping home; far away; station; pick up from; motorway; visit relatives in another city; hospital quickly; transport; drive to; far; take the kids; furniture transport; road; sick to hospital; commute; weekend at the sea; haul; shopping heavy; relatives; moving boxes
tyre stack, tyre: change wheels; flat spare; winter wheels; puncture; icy roads; winter; snow drive; wheels; worn profile
toolbox, tool box: repair something; fix things; tools; tighten a screw; loose screw; screwdriver; wrench; pliers; broken hinge; leaking tap; wobbly chair; assemble furniture; bolt; nail; loose handle; dripping faucet; squeak; spanner; hinge squeaks; screw is loose; something is broken; fix the shelf; dripping tap; mend my bike; wobbles; picture to hang; door handle loose; diy; allen key; furniture to assemble; unscrew; dismantle; chain came off
tool board: tools; hammer hang; find the pliers
hammer: drive in a nail; nail into the wall; pound; hang a picture; knock in; crack nut
screwdriver: tighten a screw; loose screw; battery cover
drill, power drill: drill a hole; make a hole in the wall; bore; put up shelf; dowel
saw: cut wood; plank; branch; log
scissors: cut paper; open package; wrapping; trim; snip; fringe; ribbon; cut out; thread; coupon; hair cut; cut the string; too long fringe; price tag; cut out a picture; wrapping paper; craft; loose thread; parcel open; tape cut; label off
tape, adhesive tape: stick; wrap a present; torn page; seal box; parcel; torn; wrap; seal
glue: stick; broken vase mend; crafts; paste
stapler: staple pages; fasten papers; bind sheets; attach pages; clip papers; loose sheets together; pages keep falling apart; fasten; hand-out; several sheets; bind
needle, sewing kit, sewing machine: sew; mend a seam; button came off; hole in sock; torn; hem; ripped; tailor; hole in trousers; curtain shorten; costume; patch; button; tear
paint can, can of paint: paint the wall; fresh coat; colour of the bedroom; scribbled wall covered; renovate; shabby wall; redecorate; repaint fence; faded wall; stain on the wall; wall dirty; new colour; boring white wall; fence; graffiti; renovation; nursery pink; scratch on the wall; stain cover
paintbrush: paint; varnish
ladder, step ladder: reach something high; ceiling; top shelf; bulb changed; gutters; loft; climb up; roof; too short; can not reach; paint the ceiling; fetch from the attic; hang a lamp; high up; change the bulb; cobweb ceiling; cat in the tree; high shelf; light bulb; attic; apple tree; hang garland; paint the wall up; reach; clean high windows; smoke alarm beep
staircase, stairs: upstairs; upper floor; another level; get up there; go down; first floor; cellar; climb to bedrooms; next storey; upper level; downstairs; next floor; go up; bedroom is above; second floor; attic way
railing, handrail, banister: hold on; unsteady steps; grandma way up; stairs safe; not fall stairs; balance on the stairs; elderly stairs; slip on the stairs; support going up; dizzy stairs
elevator, lift: wheelchair up; too many stairs
lamp, floor lamp, standing lamp: dark; too dim; light; can not see; cosy glow; softer light; read at night; gloomy; light in the corner; knitting light; brighten; eyes strain; evening light; bulb; dusk; dark corner; reading is hard; light up; evening gets dark; can not make out; power light
desk lamp, table lamp, bedside lamp, reading lamp: dark; read book; too dim; light for homework; study at night; see my notes; light for knitting; strain my eyes; reading light; read in bed; can not see; sewing light; homework dark; read small print; late at night study; light on my papers; needlework
ceiling lamp, pendant lamp, ceiling light: dark; pitch black; bright; whole room; light; can not see a thing; light up; night came in; brighter; switch on light; room is dark; light the whole room; came home in the dark; see nothing; sun has set; switch the light on
light switch: light; turn off the light; dark
candle: cosy glow; romantic; power cut; softer light; blackout; mood; dinner for two; scent; birthday wish; candlelight; power is out; romantic dinner; smell nice; electricity gone; atmosphere; birthday cake; cosy evening; dim light
lantern, torch, flashlight: power cut; dark cellar; night walk; camping light; under the bed see; blackout; find in the dark
christmas tree: celebrate; presents under; festive; december; gifts; presents; lights; advent
plant, potted plant, houseplant: green; nature; watering; basil; growing; leaves; alive; natural; better air; flower in the room; oxygen; jungle; herbs; gardening; living green; some life in the room; green leaves; water; air quality; smells of earth; nature indoors; cheer up the windowsill
watering can: water the plants; plants are dry; wilting; thirsty plants; drooping leaves; garden dry
vase: flowers; roses; tulips; daisies; bouquet; wither; picked flowers; arrange stems; bunch; carnations; bunch of flowers; sunflowers; cut flowers; from the garden blossoms; lilies; valentine; stems in water
picture, painting, framed picture: art; empty wall; beautiful to look at; decorate; bare wall; gallery; masterpiece; wall looks bare; culture; decorate the wall; something pretty; boring wall; hang; art lover; colour on the wall; painting
poster: favourite band; teenagers; empty wall; over the bed; idol; concert; film star; fan of
photo frame, framed photo: miss my family; grandparents looked; wedding day; remember; memories; loved ones; childhood; portrait; holiday snap; my late; nostalgic; keepsake; anniversary picture; think of my parents; old times; faces of my children; snapshot; miss; grandchildren; wedding; honeymoon memory; departed
photo album: remember; old pictures; childhood memories
sign: rule; posted; where to go; notice; allowed; instructions; warning; forbidden; directions; exit way; what does it say; am I allowed; way to; instruction; which door
whiteboard, blackboard: brainstorm; diagram; sketch idea; scribble; wipe off; explain; lecture; meeting ideas; everybody see; present to team; plan the week together; teach; draw for everyone; presentation; sketch; formula; list for the team
notebook, notepad: write down; diary; notes; paper; jot; journal; shopping list; forget things; remember list; scribble thoughts; poem write; ideas down; class; phone number down; remember; write my thoughts; list; take minutes; recipe write; poem; daily entries; homework in
pen, pencil, pen cup: write; jot; sign form; draw; crossword; fill in; sketch; autograph; take notes; underline; doodle; postcard write; cheque; colour in; signature; write a letter; sign; postcard; fill out the form; note; ballpoint; pencil
eraser: mistake in pencil; rub out
envelope: send a letter; post
laptop, computer: internet; email; type report; code; order web shop; recipe online; look up; work at a computer; video call; stream; write novel; spreadsheet; online banking; homework; programming; browse; presentation; book a flight; search the web; download; google; website; write essay; type; surf; homework online; video conference; watch a tutorial; apply for a job online; edit photos; tax online; skype; chat with friends abroad; blog; check train times; play chess online; write my thesis
keyboard: type; code; write novel; report; press keys; text fast; enter password; write quickly; letters; input
mouse: click; cursor; computer pointer
monitor, screen: bigger screen; second display; screen too small; two screens; larger display; see my spreadsheet bigger; laptop screen too small
tablet: swipe; touchscreen; e-paper; drawing app; internet; stream in bed; email; read online; cartoons on the go; browse; comics digital; look up; ebook; watch a film in bed; kids game; sketch digitally; touch; recipes in the kitchen; comic
phone, telephone, smartphone: call; ring; ambulance; text; message; plumber; emergency call; dial; speak to my mother; order pizza; taxi; contact; photo; reach somebody; phone number; talk to someone far; hotline; book a table; police; whatsapp; selfie; telephone; emergency; order a taxi; tell mum; make an appointment by; cancel my booking; message my boss; talk to grandma far away; call an ambulance; report a fire; video chat; let my wife know; ring the doctor; reservation
charger, charging station, socket, power outlet: charge my phone; battery; low battery; recharge; plug; about to die; percent; power for my computer; empty battery; flat battery; no juice; run down; battery low; phone dead; empty; power bank; flat; run out of power; screen went black; no power left
power strip, extension cord: too few sockets; cable too short; plug in several
camera: photo; take a picture; sunset; capture; snapshot; photograph; cute cat; film the birthday; memories keep; portrait shoot; landscape; souvenir photo; family portrait; film; remember this moment; bird in the garden; zoom; snap
printer: print; print a page; document on paper; hard copy; copies; boarding pass; scan; cv copies; ticket on paper; copy a document; print out; form on paper; photocopy; pdf on paper; need it on paper; photo on paper; contract to sign; tickets; invitation cards; handouts; copy my passport; label; printed
scanner: scan; digitise
router: wifi down; internet slow; no connection
usb stick: transfer files; backup
television, tv, flat-screen tv: watch television; film; movie; see the news; show; match; series; documentary; football tonight; sports event; watch cartoons; entertain; bored evening; soap opera; quiz show; world cup; netflix; episode; final; weather forecast; channel surf; programme; what is on tonight; watch the final; favourite soap; game starts soon; binge; talk show; eurovision; olympics; watch something; screen entertainment; couch evening; sports; cup final; kick-off; evening news; detective series; cartoons
remote control, remote: channel; switch programme; volume; too loud; not get up; zap; mute; adverts; change the channel; turn over; turn it down; boring channel; other programme; without getting up; subtitles; louder; switch off the tv; next episode
games console, game console: play video game; gaming; controller; zelda; level up; playstation; teenagers bored; play mario; multiplayer; racing game on the tv; gamer
projector: big picture; film on the wall; slides; cinema at home
speaker, loudspeaker: music; songs; dance; party loud; jazz; tunes; album; everyone hear; mozart; bass; play music; audiobook; listen; podcast; too quiet; radio; concert; playlist; sound; karaoke; techno; turn up the music; birthday party; background music; rock; beat; sing; hear my favourite song; classical; loud; radio play
radio: hear the news; listen; traffic report; music; station; broadcast; tune; news while cooking; hear the weather; traffic jam; listen to the match; morning show
record player, stereo: vinyl; album; music; lp; listen
headphones: without waking anyone; podcast quietly; noisy neighbours; concentrate; listen alone; block noise; music on the train; disturb nobody; audiobook; jazz; noise; private listening; plane noise; do not disturb; album quietly; loud street; without disturbing; quiet office; loud roommates; own music; baby sleeps; block out; snoring; noise around; drilling outside; listen in bed; privately; on the bus
guitar, acoustic guitar: play an instrument; strum; make music; chords; campfire song; serenade; band; practise guitar; musical; strings; sing along; bonfire; jam session; learn a chord; musician; folk song; rock star; play a song; accompany
piano, keyboard instrument: play an instrument; practise scales; sonata; make music; melody; pianist; chopin; play a tune; waltz; beethoven; duet; keys ebony; lesson; practise
violin, drum, flute: play an instrument; make music; orchestra; rhythm
teddy bear, stuffed animal, plush: cuddle; hug; scared of the dark; furry friend; little one cry; comfort child; soft toy; child sleep without; child can not fall asleep; nightmare; comfort; plush; stuffed; thunder scared
doll: play pretend; dress up small; little girl play; tea party; play house; dress; little mother; pretend baby; brush her hair
toy car, toy truck, toy: play; child bored; entertain a child; toys for children; race on the floor; gift for a toddler; toddler; race; vroom; little boy wants to play; garage play; wheels toy
lego, building blocks, toy blocks: build tower; bricks; construct; castle child
board game, puzzle, game: game night; rainy afternoon; play together; dice; bored family; roll dice; family evening; chess; competition; pastime; cards; play games; monopoly; strategy; boring evening; indoors with kids; raining and the children are bored; something to play; family fun; friends over for a game; play with four people; quiz evening; without screens; draughts; ludo
dog bed: dog tired; puppy; dog sleep; pet lie; dog nap; dog; pet; tired dog; basket for the dog
pet bowl: dog hungry; puppy; cat eat; feed; dog not eaten; pet water; kibble; dog thirsty; dog; cat hungry; water for the dog
cat tree, scratching post: cat scratch; claws; kitten climb; cat; kitten; scratches the sofa
litter box: cat toilet; kitten pee
aquarium: fish; watch fish; guppies; feed the fish; relaxing to watch
leash: walk the dog; dog run away
person: lonely; somebody to talk to; company; someone; anybody home; helping hand; people; talk; heavy thing help; anyone home; chat; alone; conversation; need advice; carry together; ask somebody; human; bored alone; someone to help; discuss; play with somebody; ask the way; hug; stranger; anyone; friend; lift with me; sad and need comfort
jumper, sweater, hoodie, pullover: cold; another layer; something to put on; chilly; shirt too thin; snowing; warm clothes; cosy clothes; knitwear; cool evening; freezing in this shirt; chilly evening outside; wear something warmer; autumn; pull over; goose pimples; warm top; knit; air conditioning too cold
scarf: neck; cold neck; throat warm; wind; winter; collar; sore throat outside; draughty neck; laryngitis; snow walk; icy wind; football fan
hat, cap, beanie: head cold; sunstroke; sun on my head; ears cold; bad hair; bald; sunburn scalp; ears freezing; bright sun outside on my head; freezing ears; hair is a mess hide; sunshine strong; head bare; costume cowboy
gloves: hands cold; snowball; numb fingers outside; cycling in frost; snowman; icy hands; gardening thorns; handlebar cold
coat, jacket: go outside cold; winter walk; raining; windy outside; snow outside; below zero outside; going out in winter; windy walk; snowstorm; take the dog out in the cold
raincoat: rain; wet outside
umbrella: rain; not get wet; wet outside; pour outside; drizzle; shower outside; storm; hair stay dry; puddles; clouds; it looks like rain; soaked; caught in a downpour; wet hair outside; forecast rain; thunderstorm; bucketing down; pouring; hailing; drenched; dry in the rain
shirt, t-shirt, blouse: job interview; wear; look smart; stained top; clean top; office clothes; nothing to wear; dress code; bare chest
trousers, jeans, pants: legs cold; ripped seat; underpants office; shorts too cold; wear below; knees bare
dress, skirt: party wear; elegant; prom
socks: feet cold; cold toes; blisters; hole in my sock; bare toes
shoes, trainers, pair of trainers, boots, pair of shoes: jogging; barefoot; go out; walk; only socks; hike; run outside; puddles feet; leave the house; sport shoes; feet outside; muddy walk; stroll; the path is stony; go for a run; feet get wet; barefoot outside; hiking; walk the dog; tennis; gym class; going to work feet; football pitch; laces
slippers, pair of slippers: cold feet inside; feet cold indoors; tiles cold feet; comfortable at home; house shoes; warm toes; cold floor feet; walk around indoors; feet freezing indoors; walk quietly; tiles are cold; took my boots off and the floor is cold; comfy feet; bathrobe and; socks slippery; get up at night cold floor
belt: trousers slip; too loose
tie: formal; wedding suit
suitcase, cabin suitcase: pack for a trip; luggage; travel; holiday; journey; vacation; flight; pack clothes; weekend away; business trip; airport; week in; hotel; leaving for a week; fly to; two weeks in; honeymoon; pack my bags; summer holiday; moving abroad; conference in another city; train to grandma for the weekend; beach holiday; where do I put my clothes for the trip
backpack, rucksack: hike; school; carry books; mountain; day trip; trek; carry on my back; lessons; camping; field trip; carry my laptop to work; excursion; pack for the hike; textbooks; walk in the mountains; provisions; school starts; hands free carry; trail; hiking; groceries on the bike
handbag, bag, shoulder bag, shopping bag: carry my things; groceries carry; wallet and keys carry; shopping; go out carry; carry small things; take along; night out; lipstick carry; night out carry; where do I put my purse; carry lipstick; small things with me; theatre take along; errands; carry my shopping
purse, wallet: pay; money; cash; coins; credit card; buy; id; bus fare; tip the driver; driving licence; how much money; bill; broke; the bill; cashier; pay the taxi; show identification; banknotes; small change; spend; ice cream van; pay for parking; delivery man wants money; tip; membership card
keys, key, bunch of keys: lock the door; locked out; unlock; start the car; get in; open the door; drive off; can not get in; lock up; let myself in; shut out; unlock the bike
cardboard box, storage box, moving box, box: move house; pack things; store away; send a parcel; put away old things; attic; ship; moving out; pack up; donate; moving; mail a gift; pack books; old toys store; attic stuff; return an order; wrap up and send; clear out; belongings for storage; seasonal decorations; relocate; throw old stuff together
basket: carry; picnic; tidy small things; collect
crate: carry bottles; harvest
helmet: protect my head; cycling safe; motorbike
tent: camp; sleep outdoors
lawnmower: grass; lawn; mow
rake: leaves; garden
shovel, spade: dig; snow shovel; plant a tree
hose: water the garden; wash the car; lawn dry
grill, barbecue: barbecue; sausages outside; grill
stroller, pram: walk the baby; push the baby
cushion, throw pillow: lean back; soft seat; hard chair; back support; lower back; sit softer; back hurts; lounge; hug; seat hard; prop up; hard seat; bottom sore; soften the bench; pad; behind my back; seat is uncomfortable
fish tank: fish
shopping trolley: carry shopping
ashtray: cigarette; smoke; ash
lighter, matches: light a candle; start a fire; light the stove; cigarette
statue, sculpture, ornament: decorate; art; admire; sculpture; beautiful; museum
globe, map: where is a country; geography; continents; find the way; route; country; continent; geography homework; where is
dictionary: word mean; translate; spelling
microscope: tiny; bacteria; magnify
telescope: stars; moon; planets
hand dryer: dry my hands; wet hands
vending machine: snack; hungry; chocolate bar; drink
water dispenser: thirsty; drink; glass of water
copier: copy a document; print; copies
bus stop: bus; missed
parking space, garage, driveway: park the car
exit: emergency; leave; fire; get out
`;
