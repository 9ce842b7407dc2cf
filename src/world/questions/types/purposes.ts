/** What people want to do, by the affordance that serves it: words for a purpose, in two sets. */
export interface Purpose {
  readonly affordance: string;
  /** After "something to" and "where can I": an infinitive without "to". */
  readonly dev: string;
  readonly test: string;
}

export const PURPOSES: readonly Purpose[] = [
  { affordance: "dry hands", dev: "dry my hands", test: "get my wet hands dry" },
  { affordance: "wash hands", dev: "wash my hands", test: "clean my dirty hands" },
  { affordance: "wash dishes", dev: "wash the dishes", test: "do the washing-up" },
  { affordance: "cook", dev: "cook a meal", test: "make dinner" },
  { affordance: "heat food", dev: "heat up some food", test: "warm up leftovers" },
  { affordance: "boil water", dev: "boil water", test: "get hot water for tea" },
  { affordance: "make coffee", dev: "make coffee", test: "brew a coffee" },
  { affordance: "toast bread", dev: "toast bread", test: "make some toast" },
  { affordance: "keep food cold", dev: "keep food cold", test: "store milk so that it stays fresh" },
  { affordance: "sleep", dev: "sleep", test: "take a nap" },
  { affordance: "watch tv", dev: "watch television", test: "see the news" },
  { affordance: "charge laptop", dev: "charge my laptop", test: "plug in my computer" },
  { affordance: "throw away", dev: "throw away rubbish", test: "get rid of this wrapper" },
  { affordance: "brush teeth", dev: "brush my teeth", test: "clean my teeth" },
  { affordance: "take a shower", dev: "take a shower", test: "have a quick shower" },
  { affordance: "take a bath", dev: "take a bath", test: "soak in hot water" },
  { affordance: "use the toilet", dev: "use the toilet", test: "go to the loo" },
  { affordance: "iron clothes", dev: "iron a shirt", test: "get the creases out of my shirt" },
  { affordance: "wash clothes", dev: "wash clothes", test: "do the laundry" },
  { affordance: "dry clothes", dev: "dry wet clothes", test: "get my washing dry" },
  { affordance: "hang coats", dev: "hang up my coat", test: "leave my jacket" },
  { affordance: "store shoes", dev: "put away my shoes", test: "leave my shoes tidily" },
  { affordance: "listen to music", dev: "listen to music", test: "play some songs" },
  { affordance: "play music", dev: "play an instrument", test: "make some music" },
  { affordance: "exercise", dev: "exercise", test: "work out" },
  { affordance: "read the time", dev: "see what time it is", test: "tell the time" },
  { affordance: "dry hair", dev: "dry my hair", test: "blow-dry my hair" },
  { affordance: "cut food", dev: "cut vegetables", test: "chop an onion" },
  { affordance: "look at yourself", dev: "look at myself", test: "check how I look" },
  { affordance: "treat illness", dev: "treat a headache", test: "find something against a cold" },
  { affordance: "print", dev: "print a page", test: "get a letter on paper" },
  { affordance: "travel", dev: "pack for a trip", test: "put my clothes in for a journey" },
  { affordance: "staple paper", dev: "staple some pages", test: "fasten these sheets together" },
  { affordance: "drill holes", dev: "drill a hole", test: "make a hole in the wall" },
  { affordance: "drive nails", dev: "drive in a nail", test: "hang a picture with a nail" },
  { affordance: "put on shoes", dev: "sit and put on my shoes", test: "tie my shoelaces sitting down" },
  { affordance: "clean", dev: "mop the floor", test: "wipe the floor with water" },
  { affordance: "get dressed", dev: "get dressed", test: "find something to wear" },
];

/** A purpose that an action on something serves: switch it on, close it. */
export const ACTIONS = [
  {
    affordance: "cool down",
    fluent: "power",
    from: "off",
    verb: ["turn on", "switch on"],
    dev: "I am getting hot. What can I do?",
    test: "It is rather warm in here; any idea how to cool down?",
  },
  {
    affordance: "keep warm",
    fluent: "power",
    from: "off",
    verb: ["turn on", "switch on", "light"],
    dev: "I am cold. What can I do?",
    test: "It feels chilly; what could we do about that?",
  },
  {
    affordance: "clear the air",
    fluent: "power",
    from: "off",
    verb: ["turn on", "switch on"],
    dev: "The kitchen is full of steam. What can I do?",
    test: "There is smoke from the cooking; how do I get rid of it?",
  },
  {
    affordance: "watch tv",
    fluent: "power",
    from: "off",
    verb: ["turn on", "switch on"],
    dev: "I want to see the news. What should I do?",
    test: "The match is about to start; what do I have to do to watch it?",
  },
] as const;

/** Activities that have a room of their own. */
export const ROOM_ACTIVITIES = [
  { type: "kitchen", dev: "cook dinner", test: "prepare a meal for the family" },
  { type: "bathroom", dev: "have a wash", test: "freshen up" },
  { type: "bedroom", dev: "sleep", test: "lie down for the night" },
  { type: "office", dev: "work at a desk", test: "answer my mail in peace" },
  { type: "laundry", dev: "do the washing", test: "wash a load of clothes" },
  { type: "garage", dev: "repair a bicycle", test: "do some oily work on a machine" },
  { type: "library", dev: "read a book in silence", test: "browse old novels" },
  { type: "gym", dev: "do sports", test: "get some exercise" },
  { type: "dining room", dev: "eat with guests", test: "serve dinner to visitors" },
  { type: "children's room", dev: "play with the children", test: "entertain a child" },
  { type: "living room", dev: "relax with friends", test: "hang out with company" },
] as const;
