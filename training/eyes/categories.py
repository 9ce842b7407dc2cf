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
