"""The vocabulary the schema generator speaks.  Written by hand, wide on purpose."""


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", " ").split(",") if part.strip()]


COLOURS = listed("""red, blue, green, yellow, black, white, grey, brown, orange, purple, pink, beige, silver,
golden, turquoise, dark blue, light green, dark red, light brown, cream""")
MATERIALS = listed("wooden, metal, plastic, glass, leather, steel, ceramic, paper, cloth, stone, rubber, wicker, brick, concrete")
SIZES = listed("small, large, tall, short, big, tiny, long, wide, narrow, round, square, old, new, dirty, clean, broken, empty, full")

SMALL = listed("""mug, cup, plate, bowl, spoon, fork, knife, bottle, jar, teapot, pan, saucepan, cutting board, towel,
sponge, soap, toothbrush, hairbrush, book, magazine, newspaper, notebook, pen, pencil, marker, stapler, envelope, folder,
remote control, charger, cable, headphones, keyboard, mouse, tablet, phone, camera, battery, flashlight, screwdriver, hammer,
wrench, pliers, drill, tape, glue, scissors, box, basket, bag, handbag, wallet, purse, glasses, sunglasses, watch, hat, cap,
scarf, glove, sock, shoe, boot, slipper, jacket, coat, sweater, shirt, trousers, umbrella, ball, toy car, doll, teddy bear,
puzzle, board game, candle, vase, flower pot, picture frame, alarm clock, pillow, blanket, apple, banana, orange, tomato,
potato, carrot, bread, loaf, egg, cheese, butter, milk carton, juice bottle, cereal box, can, water bottle, lunch box, tray,
napkin, tissue box, medicine bottle, first aid kit, watering can, dustpan, brush, broom, mop, bucket, iron, hair dryer,
suitcase, laundry basket, package, parcel, letter, badge, key card, helmet, safety vest, traffic cone, pallet, crate, barrel,
hose, ladder, trolley, cart, wheelchair, stroller, skateboard, scooter, dumbbell, yoga mat, guitar, violin, drum""")
FIXED = listed("""table, desk, kitchen table, coffee table, dining table, workbench, counter, kitchen counter, shelf, bookshelf,
cabinet, cupboard, drawer, dresser, wardrobe, bed, sofa, armchair, chair, stool, bench, nightstand, sideboard, fridge,
freezer, oven, stove, microwave, dishwasher, washing machine, dryer, sink, bathtub, shower, toilet, mirror, window, door,
radiator, fireplace, television, monitor, printer, whiteboard, projector, locker, filing cabinet, water cooler,
vending machine, coffee machine, elevator, escalator, staircase, railing, reception desk, pillar, column, fire extinguisher,
emergency exit, notice board, rack, conveyor belt, charging station, docking station, forklift, loading dock, gate, fence,
mailbox, bus stop, lamp post, traffic light, stop sign, crosswalk, sidewalk, parking meter, bicycle rack, trash can,
recycling bin, dumpster, fountain, statue, sculpture, mural, picnic table, tree, bush,
hedge, flower bed, lawn, bridge, tunnel, garage door, driveway, porch, balcony, swing, slide, grill, swimming pool,
banner, billboard, kiosk, van, truck, bus, car, motorcycle, bicycle, golf cart, tent, scaffolding, crane""")
OPENABLE = listed("""door, front door, back door, window, fridge, freezer, oven, microwave, drawer, top drawer, cabinet, cupboard,
wardrobe, dishwasher, washing machine, gate, garage door, locker, box, suitcase, laptop, book, umbrella, curtain, lid, valve""")
SWITCHED = listed("""light, ceiling light, desk lamp, floor lamp, television, radio, stove, oven, heater, fan, air conditioner,
computer, monitor, printer, washing machine, dishwasher, coffee machine, vacuum cleaner, projector, alarm, speaker, tap""")
FILLED = listed("glass, cup, bottle, bucket, sink, bathtub, trash can, bin, basket, box, tank, tray, shelf, parking lot, water cooler")
ROOMS = listed("""kitchen, living room, bedroom, bathroom, hallway, corridor, dining room, office, study, garage, basement, attic,
laundry room, pantry, closet, entrance hall, lobby, meeting room, conference room, storage room, workshop, warehouse,
laboratory, library, classroom, cafeteria, canteen, lounge, waiting room, reception, nursery, playroom, guest room, gym,
balcony, terrace, garden, backyard, front yard, courtyard, parking lot, stairwell, server room, break room, loading bay""")
PEOPLE = listed("""man, woman, person, child, boy, girl, student, worker, nurse, doctor, visitor, cyclist, pedestrian, security guard,
old man, young woman, delivery driver, cleaner, cook, teacher, tourist, jogger, group of people, group of students, crowd, dog, cat""")
ACTIVITIES = listed("""walking, sitting, standing, running, talking on the phone, reading a book, eating lunch, drinking coffee,
carrying a box, pushing a cart, riding a bicycle, riding a scooter, riding a skateboard, cleaning the floor, washing dishes,
cooking, watching television, working on a laptop, typing, sleeping, waiting, waving, opening the door, closing the window,
holding an umbrella, looking at a phone, taking pictures, climbing the stairs, waiting in line, playing with a ball, painting,
watering plants, unloading a truck, repairing a bicycle, entering the building, leaving the building, crossing the street""")
WEAR = listed("shirt, jacket, hat, dress, coat, backpack, helmet, vest, shoes, trousers, scarf, uniform, hoodie, cap")

# A relation and the one it must not be taken for; the third is the same seen from the other side.
RELATION_PAIRS = [
    ("left of", "right of", "right of"),
    ("to the left of", "to the right of", "to the right of"),
    ("in front of", "behind", "behind"),
    ("above", "below", "below"),
    ("on", "under", "under"),
    ("on top of", "underneath", "underneath"),
    ("inside", "outside", None),
    ("near", "far from", "near"),
    ("next to", "away from", "next to"),
]
RELATION_SYNONYMS = {
    "left of": ["on the left side of", "to the left of", "left of"],
    "to the left of": ["left of", "at the left of"],
    "right of": ["on the right side of", "to the right of", "right of"],
    "to the right of": ["right of", "at the right of"],
    "in front of": ["before", "in front of", "at the front of"],
    "behind": ["at the back of", "behind", "in back of"],
    "above": ["over", "higher than", "above"],
    "below": ["beneath", "lower than", "below"],
    "on": ["on top of", "on", "resting on", "lying on", "placed on"],
    "under": ["underneath", "beneath", "below", "under"],
    "on top of": ["on", "atop", "on the top of"],
    "underneath": ["under", "beneath"],
    "inside": ["in", "within", "inside of"],
    "outside": ["outside of", "not in"],
    "near": ["close to", "nearby", "by", "next to", "not far from"],
    "far from": ["far away from", "a long way from"],
    "next to": ["beside", "by", "adjacent to", "alongside", "near"],
    "away from": ["far from", "not near"],
}
NUMBERS = [("1", "one"), ("2", "two"), ("3", "three"), ("4", "four"), ("5", "five"), ("6", "six"), ("7", "seven"),
           ("8", "eight"), ("9", "nine"), ("10", "ten"), ("11", "eleven"), ("12", "twelve"), ("15", "fifteen"), ("20", "twenty")]
