"""What things are good for: needs as people say them, and the things that answer them.

A class is a line: things; what one does with or at them ("boil water"); how else the need is
said ("I am thirsty").  Every thing of a class answers every need of it, and a pair is never
the negative of another pair of its class.

The classes marked * hold the things that the household questions of the report ask for.  They
are kept apart, so that the report can be read for weights that never met them (data.py).
Every fourth of the others is only validated by.  Written by hand from general knowledge; no
wording is taken from an eval file.
"""

import random

import generate
import lexicon as lx

CLASSES = """
kettle, water kettle, electric kettle; boil water, make tea, heat water for tea; I would like a cup of tea, we need hot water
coffee machine, espresso machine, coffee maker, percolator; make coffee, brew an espresso, prepare a cappuccino; I need some caffeine, I am still tired this morning
toaster, toaster oven; toast bread, brown a slice of bread, make toast; I want crispy bread
stove, cooker, gas stove, hob, hot plate; cook dinner, fry an egg, boil pasta, heat the soup; we are hungry, time to prepare a meal
oven, baking oven; bake a cake, roast a chicken, bake bread, make pizza; I feel like baking
blender, mixer, food processor; make a smoothie, puree vegetables, whip cream; mix the batter
freezer, deep freezer, ice box; freeze meat, make ice cubes, store ice cream, keep food frozen; we need ice
dishwasher; clean the plates, do the dishes, wash the cutlery; the plates are dirty, all the cups are used
washing machine, washer; wash clothes, do the laundry, clean a stained shirt; my clothes are dirty, I have nothing clean to wear
tumble dryer, clothesline, drying rack, clothes horse; dry the laundry, dry wet clothes, hang up washing; my clothes are still wet
iron, ironing board, steam iron; press a shirt, smooth out wrinkles, get creases out of trousers; my shirt is wrinkled
vacuum cleaner, hoover; clean the carpet, suck up crumbs, remove dust from the rug; there are crumbs everywhere
broom, dustpan, brush; sweep the floor, sweep up the dirt, clear away leaves; something broke and there are pieces on the ground
mop, bucket, wet mop; clean a wet floor, wipe up a spill, scrub the tiles; someone spilled water, the floor is sticky
sponge, dishcloth, cleaning cloth, rag; wipe the table, clean the counter, wipe off a stain; the table is sticky
towel, bath towel, hand towel; dry my hair, dry myself, get dry after a swim; I am soaking wet
soap, shampoo, shower gel; lather up, get rid of germs, scrub off the grease; my skin is greasy
toothbrush, toothpaste, dental floss; brush teeth, clean my teeth, freshen my breath; my mouth tastes bad
shower, bathtub, bath; take a bath, have a shower, rinse off the sweat, soak in warm water; I am sweaty after running
toilet, restroom, lavatory, bathroom; relieve myself, pee, go to the loo; nature calls, I have to go
hairbrush, comb; untangle my hair, do my hair, look tidy; my hair is a mess
razor, shaver, electric razor; shave, trim a beard, remove stubble; my beard is too long
hair dryer, blow dryer; dry my hair quickly, style hair; my hair is wet
mirror, full length mirror; look at myself, check my outfit, see my face, see how I look; do I have something on my face
nail clipper, nail file; trim fingernails, cut my nails; my nails are too long
first aid kit, bandage, plaster, medicine cabinet; treat a wound, stop the bleeding, cover a cut; I hurt myself, somebody is bleeding, I have scraped my knee
painkiller, aspirin, medicine bottle, pills; relieve pain, cure a headache, bring down a fever; my head hurts, I feel ill
thermometer; measure a temperature, check for a fever, find out how warm it is; how hot is it in here
scale, bathroom scale, kitchen scale; weigh myself, find out how heavy it is, weigh flour; how much do I weigh
heater, radiator, fireplace, wood stove; warm the room, heat the place, get warm, warm my feet; I am cold, it is freezing in here
blanket, duvet, quilt, throw; cover myself, snuggle up, stay warm at night; I am shivering, I feel chilly on the couch
jacket, coat, sweater, parka, hoodie; dress warmly, stay warm outside, put something on; it is cold outside, winter is coming
gloves, mittens, scarf, woolly hat; keep my fingers warm, protect my ears from the cold; my fingers are freezing
air conditioner, fan, ceiling fan, ventilator; cool down, get fresh air, cool the room; it is too hot, I am sweating in here
window, skylight, balcony door; let fresh air in, air the room, look outside, get daylight; it smells bad in here, it is stuffy
curtain, blinds, shutters, drapes; darken the room, block the sun, keep neighbours from looking in; the sun is too bright, I want privacy
lamp, ceiling light, desk lamp, floor lamp; light the room, see better, read in the dark; it is too dark, I can not see anything
light switch, dimmer; turn on the lights, dim the light; who turned off the light
flashlight, torch, lantern, headlamp; see in the dark, light my way, search under the bed; the power is out
candle, candlestick, tea light; make a romantic light, have light without electricity; it is a blackout
matches, lighter; light a fire, light a candle, start the barbecue; I need a flame
umbrella, raincoat, rain poncho; stay dry in the rain, keep the rain off; it is raining, the forecast says showers
sunglasses, sun hat, parasol, sun cream; protect from the sun, shade my eyes, avoid sunburn; the sunlight hurts my eyes
glasses, reading glasses, magnifying glass; see small print, read tiny letters, see clearly; everything is blurry
chair, stool, bench, folding chair; sit down, take a seat, rest my legs for a moment; I am tired of standing, my legs hurt
*sofa, couch, armchair, recliner; relax, sit comfortably, lounge, lean back; I want to unwind
*bed, bunk bed, mattress, guest bed; lie down, sleep, take a nap, spend the night; I am sleepy, our guest is tired
pillow, cushion, neck rest; rest my head, make the chair softer, support my back; this seat is hard
hammock, deck chair, sun lounger; lie in the sun, doze in the garden, sunbathe; it is a lazy summer afternoon
table, dining table, kitchen table; eat dinner, put down the plates, have a meal together; where shall we eat
desk, office desk, workstation; work, write a letter, do homework, study; I have to finish a report
*fridge, refrigerator, cooler; keep food fresh, cool drinks, chill a beer, store yoghurt; the butter is melting
*microwave, microwave oven; heat up a ready meal, reheat soup, defrost meat; my lunch has gone cold
*sink, washbasin, faucet, tap; rinse a plate, get water, fill a bottle; my fingers are sticky
*trash can, garbage bin, waste basket, rubbish bin; throw something away, get rid of garbage, dispose of rubbish; this is empty, bin it
recycling bin, paper bin, bottle bank; recycle paper, dispose of empty bottles, sort waste; what do I do with old newspapers
*power outlet, wall socket, power strip, charger; plug in a laptop, get electricity, recharge a battery; my battery is low
extension cord, cable reel, cable; bring electricity further, connect devices, reach a far plug; the cord is too short
batteries, battery pack, power bank; power a toy, replace dead cells, run a radio; the remote stopped working
*novel, book, magazine, newspaper; read a story, learn something, pass the time; I am bored on the train
bookshelf, bookcase; put away books, store encyclopedias, organise my library; there are too many volumes lying around
*wall clock, clock, watch, alarm clock; know the time, tell the hour, not be late; am I too late
calendar, wall planner; see which day it is, plan an appointment, note a birthday; what date is today
*mug, cup, glass, tumbler; drink tea, drink water, pour a beverage; I want a sip of milk
*stairs, staircase, steps; go to the upper floor, climb up, reach the attic; which way to the first floor
elevator, lift, escalator; reach the tenth floor without walking, go up with a wheelchair, carry luggage upstairs; I can not climb
ramp, wheelchair lift; get up with a stroller, enter with a wheelchair; steps are impossible for me
*scissors, shears, paper cutter; cut ribbon, trim a thread, open a package; this label needs trimming
knife, kitchen knife, bread knife; slice bread, chop onions, carve meat, peel an apple; the tomatoes must be chopped
cutting board, chopping board; chop vegetables on, slice cheese on, protect the counter while chopping; where do I dice the carrots
fork, spoon, cutlery, chopsticks; eat noodles, stir the coffee, eat soup; I do not want to eat with my fingers
plate, bowl, dish; serve food, eat cereal from, put the salad in; dinner is ready to be served
frying pan, saucepan, pot, wok; fry bacon, simmer sauce, cook rice in, scramble eggs; the pancakes need something to cook in
can opener, corkscrew, bottle opener; open a tin, open a bottle of wine, pull out a cork; I can not get the bottle open
water bottle, water cooler, drinking fountain, pitcher of water; drink something, quench my thirst, hydrate; I am thirsty, my throat is dry
apple, banana, sandwich, biscuits, snack bar; eat something, have a snack, still my hunger; I am hungry, my stomach is growling
vending machine, snack machine; buy a snack, get a soda for coins, get crisps; I have change and want chocolate
pantry, larder, food cupboard; store canned food, keep flour and rice, find something for cooking; where are the groceries kept
*dog food, dog bowl, pet bowl; feed the puppy, give the pet its dinner; the puppy is hungry
dog leash, collar, harness; walk the dog, take the dog outside, hold the dog; the dog wants to go out
litter box, scratching post, cat bed; clean up after the cat, keep the cat from scratching the couch; the cat needs its own place
aquarium, fish tank; watch fish, keep goldfish; are there any pets that swim
watering can, garden hose, sprinkler; water the plants, irrigate the lawn, fill a paddling pool; the flowers look dry, the plants are wilting
lawn mower, hedge trimmer, rake; cut the grass, trim the bushes, collect fallen leaves; the lawn is too high
shovel, spade, trowel; dig a hole, plant a tree, clear snow; the path is covered with snow
flower pot, vase, planter; put flowers in water, arrange a bouquet, plant herbs; somebody gave me roses
*key, key ring, door key; unlock the door, open the lock; I am locked out
lock, padlock, safe; keep thieves out, secure my bike, protect valuables; nobody should steal my jewellery
doorbell, intercom; let them know I have arrived, announce a visitor; someone wants to come in
mailbox, letter box; send a letter, get the post, collect mail; did anything arrive in the post
envelope, stamp, parcel tape; mail a document, send a card, wrap up a parcel; I want to post this
hammer, nails, mallet; drive in a nail, hang a picture, knock something into place; the frame has to go on the wall
screwdriver, electric drill, screws; tighten a screw, assemble furniture, drill a hole, fix a loose handle; the hinge is loose
wrench, pliers, spanner; loosen a bolt, turn a nut, repair a pipe, grip a wire; the pipe is leaking
saw, chainsaw, axe; cut wood, fell a tree, shorten a board, chop firewood; the plank is too long
tape measure, ruler, yardstick; measure the length, find out how wide it is, check the size; will it fit through the door
glue, adhesive tape, duct tape; stick things together, fix a torn page, repair a broken vase; it has come apart
ladder, step ladder, step stool; reach something high, change a light bulb, get onto the roof; I am too short to get it from the top shelf
sewing machine, needle, thread; mend clothes, sew on a button, repair a hole in my trousers; my sleeve is torn
paint, paintbrush, roller; change the colour of the wall, decorate the room, touch up scratches; the wall looks shabby
toolbox, tool chest, workbench; repair something, find tools, fix the bike; something is broken and must be mended
pen, pencil, marker, ballpoint; write something down, sign a document, draw a picture, take notes; I must not forget this
notebook, notepad, sheet of paper, sticky notes; write a list, jot down an idea, leave a message; I need to note a phone number
eraser, correction fluid; remove pencil marks, correct a mistake in writing; I wrote it wrong
stapler, paper clips, folder, binder; keep pages together, file documents, organise papers; my papers are a mess
printer, photocopier, scanner; copy a document, get a page on paper, digitise a letter; I need this on paper
laptop, computer, desktop computer, tablet; browse the internet, send an email, type a document, make a video call; I have to get online
keyboard, computer mouse, touchpad; type text, move the cursor, enter a password; the screen does not react
monitor, projector, screen; show a presentation, display slides, see the video bigger; everyone should see the slides
telephone, phone, smartphone, mobile; call someone, make a phone call, send a message, ring my mother; I have to speak with my brother
router, wireless access point, modem; connect to the network, get internet, improve the signal; the internet is down
camera, camcorder, tripod; take a picture, record a film, take a group portrait; let us keep this moment
television, television set, flat screen; watch the news, see a film, follow the football match; there is a good show tonight
remote control, game controller; change the channel, turn up the volume, switch programs; I do not like this channel
radio, speaker, stereo, record player; listen to music, hear the news, play songs; it is too quiet here
headphones, earphones; listen without disturbing others, block out noise; my roommate is too loud
piano, guitar, violin, drums; play music, practise a song, make music; can anybody play a tune
board game, puzzle, playing cards, chess set; play with friends, entertain guests, spend a rainy evening; we are bored, what shall we play
toy car, doll, teddy bear, building blocks; keep the kids busy, play with the toddler, cheer up a child; the child is bored
crib, baby bed, cradle; put the baby to sleep, lay down the infant; the baby is tired
diapers, baby wipes, changing table; change the baby, clean up the infant; the baby smells
stroller, baby carriage, pram; take the baby for a walk, push the toddler; the little one can not walk yet
high chair, booster seat; feed a toddler at the table, seat a small child; the baby wants to eat with us
ball, football, basketball, frisbee; play outside, score a goal, play catch; the kids want to run around
treadmill, dumbbells, exercise bike, yoga mat; work out, build muscles, exercise indoors, stretch; I want to lose weight
swimming pool, lake, hot tub; swim, cool off in the water, dive; it is hot and I have swimming trunks
bicycle, scooter, skateboard; ride to work, get around without a car, go for a ride; the bus is not running
car, van, taxi; drive to town, travel with the family, transport furniture; it is too far to walk
bus stop, train station, tram stop; catch a bus, travel by public transport, wait for a train; how do I get downtown without a car
parking lot, garage, carport; park the car, leave my vehicle, shelter the car from snow; I came by car
petrol station, charging station, fuel pump; fill the tank, charge an electric car, refuel; the tank is nearly empty
helmet, safety vest, knee pads; protect my head, be seen in traffic, ride safely; it is dangerous without protection
suitcase, backpack, travel bag; pack for a trip, carry clothes on holiday, take my things along; we are leaving on vacation
shopping bag, basket, shopping cart; carry groceries, bring vegetables home; I bought too much to carry
box, crate, storage bin, container; store old things, pack away toys, keep small parts; where do these odds and ends go
drawer, dresser, chest of drawers; put away socks, keep underwear, store folded shirts; where are clean shirts kept
wardrobe, closet, coat rack, hanger; hang up a jacket, put away clothes, store dresses; where can guests leave their coats
shoe rack, doormat, boot tray; leave my shoes, wipe my feet, take off muddy boots; my boots are dirty
shoes, sneakers, boots, slippers; walk outside, cover my feet, go hiking; I am barefoot
wallet, purse, cash box; pay, keep coins, carry a credit card; I need money
cash machine, bank; withdraw money, get cash; I have no cash
fire extinguisher, fire blanket, fire hose; put out a fire, fight flames, extinguish a burning pan; something is burning
smoke detector, alarm, burglar alarm; be warned of fire, notice a break in; how would we know of a fire at night
emergency exit, exit door, fire escape; leave quickly, get out in an emergency, escape from a fire; how do we get out of here
front door, entrance, main entrance; go in, enter the house, leave the building; how do I get inside
reception desk, information counter, front desk; ask for help, check in, register a visitor; whom can I ask
notice board, sign, map, floor plan; find the way, see announcements, learn which room it is; I am lost
meeting room, conference room; talk in private, hold a meeting, discuss with the team; we need a place for ten people to talk
cafeteria, restaurant, canteen; have lunch, buy a meal, eat with colleagues; it is noon and we want to eat
supermarket, grocery store, bakery; buy bread, get milk, shop for food; we have run out of eggs
barbecue, grill, fire pit; grill sausages, roast meat outside, cook in the garden; it is a warm evening and we have steaks
picnic table, park bench, picnic blanket; eat outside, rest in the park, have lunch in the open; the weather is lovely for lunch
playground, swing, slide, sandpit; let the children play, swing, climb; the kids have too much energy
bridge, crosswalk, underpass; cross the river, cross the street safely, get to the other side; how do I get across
trolley, cart, hand truck, wheelbarrow; move heavy boxes, carry bricks, transport a load; this is too heavy to carry
forklift, pallet jack, crane; lift a pallet, load a truck, raise a heavy machine; the pallets must go up
wheelchair, walking stick, crutches; help someone who can not walk, move a patient, walk with a bad leg; grandmother can hardly walk
earplugs, ear muffs; sleep in spite of noise, protect my hearing; the machine is deafening
insect spray, fly swatter, mosquito net; keep bugs away, kill a fly, avoid bites; there are mosquitoes
tissues, handkerchief, paper towel, napkin; blow my nose, wipe my mouth, dry tears; I have a runny nose, I have a cold
toilet paper; wipe, refill the holder in the bathroom; the roll is empty
detergent, bleach, washing powder; get out stains, clean clothes with, disinfect; there is a wine stain
salt, pepper, spices, ketchup; season the soup, make the food tastier; it tastes bland
sugar, honey, jam, chocolate; sweeten the tea, have something sweet, put on my toast; I have a sweet tooth
wine, beer, champagne; celebrate, toast the birthday, drink with friends; let us party
flour, eggs, butter, baking powder; make dough, bake cookies, prepare pancakes; which ingredients are there for a cake
lunch box, thermos, food container; take food to school, keep tea hot on the way, pack leftovers; what do I put the sandwich in
hook, peg, nail in the wall; hang up a towel, hang a bag, leave my hat; where do I hang this
photo album, picture frame; look at old pictures, remember our holiday, display a portrait; what did grandfather look like
telescope, binoculars; see the stars, watch birds, look far away; what is that in the distance
globe, atlas; learn where a country is, look at continents; where is Africa
whiteboard, blackboard, chalk; explain an idea, write for everyone to see, sketch a plan; let me draw it for the group
tent, sleeping bag, camping mat; sleep outdoors, camp in the forest, stay overnight in nature; we are going camping
christmas tree, balloons, garland; decorate for a party, celebrate christmas, make it festive; it is her birthday tomorrow
"""

PLACES = lx.listed("table, shelf, wall, floor, corner, counter, cupboard, door, window, desk, rack, cabinet")
VERB = ["where can I {v}?", "how can I {v}?", "what can I use to {v}?", "I want to {v}", "I need to {v}", "I would like to {v}", "something to {v}", "is there anything to {v}?",
        "can I {v} here?", "is there a place to {v}?", "what do I need to {v}?", "who can help me {v}?", "{v}", "where do people {v}?", "where should I {v}?", "I have to {v}, where?",
        "does anything here let me {v}?", "a thing to {v}", "we want to {v}, what is there?", "how do I {v}?"]
SAID = ["{v}", "{v}, what can I do?", "{v}. what is there?", "{v}, where should I go?", "{v}, can you help?"]


def classes() -> list[tuple[str, list[str], list[str], list[str]]]:
    """(part, things, what one does, how else it is said); part is "train", "held" or "asked"."""
    out, others = [], 0
    for line in CLASSES.strip().split("\n"):
        things, does, said = ([t.strip() for t in part.split(", ")] for part in line.lstrip("*").split(";"))
        others += not line.startswith("*")
        out.append(("asked" if line.startswith("*") else "held" if others % 4 == 3 else "train", things, does, said))
    return out


def _ask(r: random.Random, does: list[str], said: list[str]) -> str:
    if r.random() < 0.25:
        return r.choice(SAID).format(v=r.choice(said))
    return r.choice(VERB).format(v=r.choice(does))


def _fact(r: random.Random, thing: str) -> str:
    """A line as the memory writes it; half of them describe the thing a little."""
    look = r.choice(["", "", r.choice(lx.COLOURS) + " ", r.choice(lx.MATERIALS) + " ", r.choice(lx.SIZES) + " "])
    if r.random() < 0.15:
        return f"{look}{thing}"
    return generate.place_line(r, look + thing, r.choice(PLACES), r.choice(lx.ROOMS) if r.random() < 0.5 else None)


def pairs(n: int, seed: int, parts: tuple[str, ...]):
    """Yield (class, need, fact)."""
    r = random.Random(seed)
    known = [(i, c) for i, c in enumerate(classes()) if c[0] in parts]
    for _ in range(n):
        i, (_, things, does, said) = r.choice(known)
        yield i, _ask(r, does, said), _fact(r, r.choice(things))


def held(seed: int):
    """Yield (class, need, fact) for every need of the classes that are only validated by, each thing with one fact."""
    r = random.Random(seed)
    for i, (part, things, does, said) in enumerate(classes()):
        if part == "held":
            for n, need in enumerate(does + said):
                ask = r.choice(VERB) if n < len(does) else "{v}"
                yield i, ask.format(v=need), _fact(r, things[n % len(things)])
