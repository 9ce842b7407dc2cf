"""The words of the eyes: every name is one of our ontology; what the simulator calls otherwise is joined here."""

# Name → the simulator's categories that count as it. What stands nowhere here is "other": seen, but not named.
GROUPS = {
    "door": ["door", "front door", "garage door"],
    "window": ["window"],
    "curtain": ["curtain"],
    "picture": ["picture", "photo frame", "poster", "calendar", "sign", "tool board"],
    "mirror": ["mirror"],
    "whiteboard": ["whiteboard"],
    "clock": ["wall clock", "alarm clock"],
    "radiator": ["radiator"],
    "lamp": ["ceiling lamp", "desk lamp", "floor lamp"],
    "plant": ["plant", "potted plant", "christmas tree"],
    "person": ["person"],
    "chair": ["chair", "office chair"],
    "stool": ["stool"],
    "armchair": ["armchair", "beanbag"],
    "sofa": ["sofa"],
    "bench": ["bench"],
    "bed": ["bed", "single bed", "crib"],
    "table": ["desk", "dining table", "coffee table", "console table", "side table", "workbench", "ironing board"],
    "counter": ["kitchen counter", "kitchen island"],
    "cabinet": ["nightstand", "dresser", "tv stand", "wall cupboard", "sideboard", "filing cabinet", "toy chest"],
    "wardrobe": ["wardrobe"],
    "shelf": ["bookcase", "shelf rack", "wall shelf", "shoe rack", "dumbbell rack"],
    "fridge": ["fridge"],
    "oven": ["stove"],
    "microwave": ["microwave"],
    "washing machine": ["washing machine", "dryer", "dishwasher"],
    "sink": ["washbasin", "kitchen sink"],
    "toilet": ["toilet"],
    "bathtub": ["bathtub"],
    "television": ["television"],
    "monitor": ["monitor"],
    "laptop": ["laptop"],
    "keyboard": ["keyboard"],
    "computer mouse": [],
    "computer tower": [],
    "printer": ["printer"],
    "phone": ["phone", "tablet"],
    "remote control": ["remote control"],
    "speaker": ["speaker"],
    "book": ["shelved book", "book", "binder", "notebook", "magazine"],
    "paper": [],
    "box": ["carton", "cardboard box", "cereal box", "medicine box", "toolbox", "board game"],
    "bag": ["backpack", "handbag"],
    "suitcase": ["suitcase"],
    "bin": ["rubbish bin", "bucket", "laundry basket"],
    "bottle": ["bottle", "soap dispenser", "detergent", "dish soap", "shampoo", "water bottle"],
    "mug": ["mug", "toothbrush cup"],
    "glass": ["glass"],
    "bowl": ["bowl", "fruit bowl"],
    "plate": ["plate"],
    "pot": ["pot", "pan"],
    "can": ["can", "jar", "paint can"],
    "vase": ["vase"],
    "kettle": ["kettle"],
    "coffee machine": ["coffee machine", "toaster"],
    "tray": [],
    "pillow": ["cushion"],
    "blanket": ["blanket"],
    "towel": ["towel", "tea towel"],
    "clothing": ["shirt", "trousers", "jumper", "hat", "scarf", "socks"],
    "shoe": ["shoes", "slippers"],
    "toy": ["teddy bear", "doll", "toy car", "building blocks"],
    "ball": ["ball", "orange", "apple"],
    "rug": ["rug", "doormat", "bath mat", "exercise mat"],
}
NAMES = ["other", *GROUPS]
INDEX = {name: i for i, name in enumerate(NAMES)}
OF_WORLD = {category: INDEX[name] for name, group in GROUPS.items() for category in group}

# The second head knows the simulator's categories themselves, those without a word above included.
WORDLESS = "banana,bicycle,bread,cake,candle,car,coat rack,cutting board,drill,drying rack,dumbbell,fan,fireplace,game controller,guitar,hairdryer,hammer,headphones,iron,keys,knife block,ladder,pen cup,piano,play tent,range hood,shower,spectacles,sponge,stapler,toilet paper,towel rail,treadmill,tyre stack,umbrella,wallet".split(",")
KINDS = ["other", *(kind for name, group in GROUPS.items() for kind in group or [name]), *WORDLESS]
KIND_INDEX = {kind: i for i, kind in enumerate(KINDS)}
WORD_OF_KIND = [OF_WORLD.get(kind, INDEX.get(kind, 0)) if kind not in WORDLESS else 0 for kind in KINDS]
# What is made anew is of its word, and of one of its kinds only where size and place tell which.
ONLY_WORD = 255
TOLD_BY_SIZE = {"table", "cabinet", "bed", "lamp", "counter", "door"}
# States as houses.ts lists them; 2 where it is not known.
STATES = ["openness", "power", "fill", "making"]
UNKNOWN = 2


def kind_of(category: str, name: str, is_remade: bool) -> int:
    """The label of the second head for a thing of the simulator, under the word `name`."""
    if is_remade and len(GROUPS.get(name, [])) > 1 and name not in TOLD_BY_SIZE:
        return ONLY_WORD
    return KIND_INDEX.get(category, 0)

STRUCTURE, FURNITURE, SMALL = 0, 1, 2
# On the floor and as flat as it: geometry makes no thing of it, its name is learned nevertheless.
FLAT = {"rug", "doormat", "bath mat", "exercise mat", "staircase", "railing"}
# The simulator's furniture that hangs on a wall like a small thing.
HANGS = {"picture", "mirror", "poster", "calendar", "sign", "wall clock", "whiteboard"}


def surface_of(category: str, kind: str) -> int:
    if kind == "structure" or category in FLAT:
        return STRUCTURE
    if kind == "small" or category in HANGS:
        return SMALL
    return FURNITURE
