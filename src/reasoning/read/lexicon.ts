/** The closed class: words with a grammatical job, and what they mean in the algebra. Names are in the ontology. */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A table written as "phrase: value" lines. */
function table<T extends string>(lines: string): ReadonlyMap<string, T> {
  return new Map(
    lines
      .trim()
      .split(/\s*\n\s*/)
      .flatMap((line) => {
        const [value, phrases] = line.split(/:\s*/);
        return phrases!.split(/,\s*/).map((phrase) => [phrase, value as T] as const);
      }),
  );
}

export type Relation =
  | "on"
  | "in"
  | "under"
  | "above"
  | "below"
  | "left"
  | "right"
  | "front"
  | "behind"
  | "near"
  | "beside"
  | "between"
  | "opposite"
  | "around"
  | "with"
  | "facing"
  | "at";

/** How a place is put. */
export const RELATIONS = table<Relation>(`
  left: to the left of, on the left of, on the left side of, to the left side of, on the left hand side of, left of, to the left from, on the left from, left from
  right: to the right of, on the right of, on the right side of, to the right side of, on the right hand side of, right of, to the right from, on the right from, right from
  front: in front of, in the front of, at the front of
  behind: behind, at the back of, in the back of, in back of, to the rear of, at the rear of, round the back of
  on: on, on top of, on the top of, atop, upon, onto, over on, up on, on the surface of
  in: in, inside, inside of, within, into, in the middle of, contained in, at the bottom of
  under: under, underneath, beneath, underneath of, at the foot of
  below: below
  above: above, over
  between: between, in between, sandwiched between
  beside: next to, beside, adjacent to, by, right next to, alongside, at the side of, to the side of, on the side of, directly next to, against, by the side of, attached to, up against, leaning against
  near: near, close to, near to, nearby, in the vicinity of, around about, not far from
  opposite: opposite, across from, opposite to, opposite of, on the other side of, across
  around: around, surrounding, round
  facing: facing, looking at
  at: at
  with: with, having, containing, holding, that has
`);

/** Relations that need no anchor: to the left of whoever is asked. */
export const SIDES = table<Relation>(`
  left: to the left, on the left, on the left side, on the left hand side, to my left, on my left, to your left, on your left, to the left of me, to the left of you, on my left side, on your left side, on my left hand side, left of me, left of you, at my left, at my left side, at the left, at your left, my left, to my immediate left, on my immediate left, directly to my left, immediately to my left, left side of me, to my left side, to my left hand side, at my left hand side
  right: to the right, on the right, on the right side, on the right hand side, to my right, on my right, to your right, on your right, to the right of me, to the right of you, on my right side, on your right side, on my right hand side, right of me, right of you, at my right, at my right side, at the right, at your right, my right, to my immediate right, on my immediate right, directly to my right, immediately to my right, right side of me, to my right side, to my right hand side, at my right hand side
  front: in front, in front of me, in front of you, ahead, ahead of me, ahead of you, straight ahead, before me, before you, directly in front of me, directly in front of you, i am facing, i face, i am looking at, that i am facing, in front of my position
  behind: behind me, behind you, at my back, at your back, to my back, to my rear, to my behind, in back of me, directly behind me, right behind me, in my back
  near: near me, near you, next to me, next to you, beside me, beside you, close to me, close to you, around me, around you, nearby, close by, by me, around here, near here
`);

export interface Measure {
  readonly op: "size" | "distance" | "elevation" | "seen" | "count" | "often" | "duration";
  readonly dimension?: string;
  readonly which?: string;
}

/** Adjectives with a measure behind them: how large, larger, largest, and which way they point. */
const GRADED: readonly (readonly [string, Measure, "most" | "least"])[] = [
  ["big large huge spacious roomy great sizable sizeable", { op: "size", dimension: "volume" }, "most"],
  ["small little tiny compact cramped mini", { op: "size", dimension: "volume" }, "least"],
  ["tall", { op: "size", dimension: "height" }, "most"],
  ["short", { op: "size", dimension: "height" }, "least"],
  ["high", { op: "elevation" }, "most"],
  ["low", { op: "elevation" }, "least"],
  ["wide broad", { op: "size", dimension: "width" }, "most"],
  ["narrow slim", { op: "size", dimension: "width" }, "least"],
  ["long", { op: "size", dimension: "length" }, "most"],
  ["deep", { op: "size", dimension: "depth" }, "most"],
  ["shallow", { op: "size", dimension: "depth" }, "least"],
  ["thick", { op: "size", dimension: "depth" }, "most"],
  ["thin", { op: "size", dimension: "depth" }, "least"],
  ["close near", { op: "distance" }, "least"],
  ["far distant", { op: "distance" }, "most"],
  ["recent", { op: "seen", which: "last" }, "most"],
];
const IRREGULAR: Readonly<Record<string, readonly [string, string]>> = {
  big: ["bigger", "biggest"],
  far: ["farther", "farthest"],
  thin: ["thinner", "thinnest"],
  slim: ["slimmer", "slimmest"],
  near: ["nearer", "nearest"],
  tiny: ["tinier", "tiniest"],
  roomy: ["roomier", "roomiest"],
  large: ["larger", "largest"],
  wide: ["wider", "widest"],
};

export interface Grade {
  readonly measure: Measure;
  readonly way: "most" | "least";
}

const graded = new Map<string, Grade & { readonly degree: "plain" | "more" | "most" }>();
for (const [words, measure, way] of GRADED)
  for (const word of words.split(" ")) {
    const stem = word.replace(/e$/, "");
    const [more, most] = IRREGULAR[word] ?? [`${stem}er`, `${stem}est`];
    graded.set(word, { measure, way, degree: "plain" });
    graded.set(more, { measure, way, degree: "more" });
    graded.set(most, { measure, way, degree: "most" });
  }
graded.set("further", { measure: { op: "distance" }, way: "most", degree: "more" });
graded.set("furthest", { measure: { op: "distance" }, way: "most", degree: "most" });
graded.set("topmost", { measure: { op: "elevation" }, way: "most", degree: "most" });
graded.set("lowermost", { measure: { op: "elevation" }, way: "least", degree: "most" });
graded.set("latest", { measure: { op: "seen", which: "last" }, way: "most", degree: "most" });

/** "tall", "taller", "tallest". */
export const GRADES: ReadonlyMap<string, Grade & { readonly degree: "plain" | "more" | "most" }> = graded;

/** Nouns for what can be measured, and adjectives after "how". */
export const DIMENSIONS = table<string>(`
  height: height, tall, high
  width: width, wide, broad, breadth
  length: length, long
  depth: depth, deep, thick, thickness
  volume: volume, big, large, small, size, dimensions, bulky, spacious, roomy
  area: area, kitchen area, floor area, ground area, square metres, floor area, floor space, surface area, square meters, m2, sqm, square feet, footprint, square footage, surface
`);

/** What a thing has that can be told in words. */
export const ATTRIBUTES = table<string>(`
  colour: colour, colours, hue, shade
  material: material, materials
  text: text, number plate, licence plate, license plate, registration, registration number, print, imprint, name, message, writing, label, inscription, title, lettering, words, sign say, caption, wording
  shape: shape, form
  pattern: pattern, print, design
  owner: owner
  brand: brand, make, model
  state: state, condition, status, position state
`);

export const NUMBERS: ReadonlyMap<string, number> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, n) => [word, n] as const),
);
export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ..."first second third fourth fifth sixth seventh eighth ninth tenth"
    .split(" ")
    .map((word, n) => [word, n + 1] as const),
  ["1st", 1],
  ["2nd", 2],
  ["3rd", 3],
  ["4th", 4],
  ["5th", 5],
  ["last", -1],
  ["final", -1],
]);

/** Where storeys are, as an adverb or before "floor". */
export const FLOORS = table<string>(`
  upstairs: upstairs, up stairs, on the upper floor, on the upper level, on the upper storey, on the top floor, up there, on the second floor, on the next floor up, upper floor, upper level, upper storey, top floor, second floor, top storey, upper story, floor above, one floor up, on the floor above
  downstairs: downstairs, down stairs, on the ground floor, on the lower floor, on the lower level, ground floor, lower floor, lower level, main floor, on the main floor, bottom floor, on the bottom floor, ground level, on the ground level, floor below, first floor, on the first floor, ground storey, lower storey
  basement: in the basement, basement
`);

export const DETERMINERS = set(
  "the a an this that these those some any all every each both either neither no my your our their his her its another other same what which whose",
);
export const GENERIC = set(
  "thing things object objects item items stuff something anything everything nothing one ones article articles piece pieces",
);
export const PEOPLE = set(
  "somebody someone anybody anyone nobody everybody everyone person people human humans persons who noone individual individuals visitors folks",
);
export const WHOLE_PLACE = set(
  "house home apartment flat building place scene environment area world premises property household space dwelling residence unit",
);
export const PARTS = set(
  "top side back front bottom surface middle centre center corner edge end rear inside outside foot head",
);
export const PLACED = set(
  "located placed standing stands sitting sits lying lies hanging hangs mounted kept stored put found situated positioned leaning resting stuck parked seen left laid set visible present lies stand sit lie hang hung stacked tucked spotted stashed lives goes belongs available",
);

/** Verbs of own doing, by the event that they make. */
export const DOINGS = table<string>(`
  enter: enter, entered, entering, go into, went into, gone into, come into, came into, go in, went in, walk into, walked into, drive into, drove into, step into, stepped into, go inside, visit, visited, visiting, been in, been to, been inside, go to, went to, gone to, arrive in, arrived in, get to, got to, drive to, drove to, walk to, walked to, come to, came to, head to, headed to, pass through, passed through, were in, been through, reach, reached, explore, explored, check out, inspect, inspected, look in, looked in, looked into, check, checked, go through, went through
  exit: exit, exited, leave, left, leaving, go out of, went out of, come out of, came out of, get out of, walk out of, walked out of, drove out of
  stop: stop, stopped, pause, paused, halt, halted, stand still, stood still, wait, waited, stopping, standing still, rest, rested
  turn: turn, turned, turning, rotate, rotated, spin, spun, rotating
  pass: pass, passed, passing, go past, went past, drive past, drove past, walk past, walked past, pass by, passed by
  see: see, saw, seen, catch sight of, caught sight of, lay eyes on, set eyes on, laid eyes on, clap eyes on, seeing, notice, noticed, observe, observed, spot, spotted, find, found, look at, looked at, come across, came across, encounter, encountered, detect, detected, meet, met, view, viewed, record, recorded, catch, caught, witness, witnessed
`);

/** What happens to things. */
export const HAPPENINGS = table<string>(`
  moved: moved, move, shifted, displaced, relocated, been moved, changed place, changed places, changed their place, changed its place, changed position, carried, taken elsewhere, rearranged, changed location, moved around, moved about, change place, travelled, repositioned, wandered
  gone: gone, missing, disappeared, vanished, removed, taken, taken away, disappear, vanish, lost, went missing, gone missing, left, stolen, cleared away, put away
  new: new, added, appeared, appear, turned up, arrived, newly arrived, brought in, shown up, put there, newly placed, brought
  opened: opened
  closed: closed, shut
  switched: switched on, switched off, turned on, turned off, switched, turned on or off, switched on or off, toggled
  changed: changed, different, altered, change, happened, happen, going on, other, changes
`);

/** Politeness and hesitations before the question itself; read away. */
export const OPENERS: readonly string[] = [
  "(can | could | would | will) you [please] (tell | remind | show | inform) me [again] [please]",
  "(can | could | would | will) you [please] (say | check | confirm | look up | find out | work out | figure out | remember | recall | see | name | give me)",
  "(would | might) you [happen to | perhaps] (know | remember | recall)",
  "would you (mind telling me | be so kind as to tell me | be so kind as to | be able to tell me | kindly tell me | please tell me | mind) [about]",
  "(may | might | can | could) i (ask | know) [you]",
  "(report | specify | state | identify | determine | calculate | estimate | indicate | provide | output | return | compute | confirm | verify | check | display | print | query)",
  "(do | did) you [happen to] (know | remember | recall | notice | have any idea | see)",
  "have you [got] any idea",
  "any (idea | clue | chance you know)",
  "[please] tell me [please]",
  "(i | we) (would like | want | need | would love | wish | have) to (know | find out | ask | check)",
  "(i | we) (am | was | are) (wondering | curious | trying to (remember | recall | work out | figure out | find out))",
  "(i | we) (wonder | forget | forgot | can not remember | do not remember | do not know | am not sure | have forgotten | can not recall | would like to ask | have to ask)",
  "measured between their (nearest | closest) (points | edges | sides)",
  "(confirm)",
  "as you stand [now | there]",
  "i (do hope | suppose | hope)",
  "(i | we) (am | are) curious",
  "give [me]",
  "so just tell me",
  "just tell me",
  "would you be so kind and tell me",
  "sorry to trouble you [but]",
  "could you remind me",
  "(can | could) you remind me",
  "(i | we) have (this | an | a) [awful | bad | funny | strange] feeling [that]",
  "(i | we) (am | are) (worried | afraid | worrying | not sure | pretty sure | convinced | sure) [that]",
  "(i | we) (could have sworn | bet | hope | fear | suppose | think | believe) [that]",
  "can (not | hardly) stop worrying that",
  "(please) explain [to me]",
  "explain [to me]",
  "(can | could | would) you [please | kindly] explain [to me]",
  "relative to your [current] (heading | position | orientation)",
  "(just | quick) [a] [quick] (question | wondering)",
  "quick question",
  "(as | from where | where) you (are | stand) [standing] [now | right now]",
  "from (here | where you are | where you stand | where i am | where i stand)",
  "(remind | tell | show) me",
  "(is it | would it be) possible to (know | tell | say)",
  "would you know",
  "excuse me",
  "sorry",
  "sorry to bother you",
  "good (morning | afternoon | evening)",
  "hey there",
  "hi there",
  "hello there",
  "hey loci",
  "loci",
  "robot",
  "(according to | from) your memory",
  "as far as you (know | remember | can tell)",
  "from what you (saw | have seen | remember | know)",
  "(based on | judging by) what you (saw | have seen)",
  "if i remember (right | rightly | correctly)",
  "i think",
  "i believe",
  "i guess",
  "let me know",
  "let us see",
  "if you (can | know | do not mind | remember | would)",
  "say",
  "listen",
  "question",
  "in your opinion",
  "whether or not",
  "whether",
  "if",
];

/** The same at the end. */
export const CLOSERS: readonly string[] = [
  "(in | in terms of) (square metres | metres | centimetres | m | cm | m2 | square meters | seconds | minutes | degrees)",
  "or (should | shall | do | must) (i | we) $rest",
  "and why",
  "for (me | her | him | us | them | you | everyone | everybody)",
  "as you stand [now]",
  "from where (you | i) (stand | are | am)",
  "from (here | your position)",
  "detected",
  "would you say",
  "metres",
  "in seconds",
  "seconds",
  "from end to end",
  "chronological",
  "yes",
  "whatsoever",
  "while you were (going | driving | moving) (around | round)",
  "on your way round",
  "both visits",
  "on your (round | rounds | way | tour | trip | drive)",
  "during the (tour | recording | whole tour | run | drive)",
  "on the (tour | run | drive)",
  "in the (whole | entire | hole) (house | home | place | flat | apartment)",
  "the whole time",
  "i need to know",
  "we need to know",
  "asking for a friend",
  "in (it | them | there)",
  "on (it | them)",
  "inside [it | them]",
  "please",
  "thanks",
  "thank you",
  "thanks a lot",
  "thank you very much",
  "ta",
  "cheers",
  "do you know",
  "if i may ask",
  "if you know",
  "by any chance",
  "at all",
  "or not",
  "or what",
  "in total",
  "in all",
  "all in all",
  "all together",
  "as far as you know",
  "as far as you (can tell | remember | saw)",
  "that you (know of | have seen | can see | saw | noticed | remember)",
  "you (know of | have seen)",
  "right",
  "again",
  "then",
  "mate",
  "robot",
  "exactly",
  "would you say",
  "do you think",
  "can you see",
  "you reckon",
  "or no",
  "yes or no",
  "for me",
  "i wonder",
  "is that right",
  "is that correct",
  "from memory",
  "to be found",
  "anyway",
  "though",
  "too",
  "as well",
  "would you",
  "will you",
  "could you",
  "can you",
  "is it",
  "is there",
  "are there",
  "isnt it",
  "did you",
  "do you",
  "if any",
  "you remember",
  "anywhere",
  "somewhere",
  "in the first place",
  "if possible",
  "asap",
  "ok",
  "okay",
  "lol",
  "haha",
  "i forgot",
  "i forget",
  "man",
  "bro",
  "dear",
  "pal",
  "sir",
  "to be precise",
  "roughly",
  "approximately",
  "tell me",
  "please tell me",
  "just curious",
];
