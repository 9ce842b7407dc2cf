import { stemsOf } from "./stems.ts";

/** What people do in a room: kinds of room with their other names, then cues as for things. */
const DOINGS = `
bedroom: sleep; nap; go to bed; lie down; turn in; get some rest; spend the night; undress; rest; siesta; shut-eye
kitchen: cook; prepare food; make dinner; make lunch; bake; make breakfast; prepare meal; chop vegetables; kitchen work
living room, lounge: relax friends; watch film; unwind friends; hang friends; chat friends; entertain guests; receive guests; sit together; watch television friends; watch television; watch tv; watch movie; see news; watch match; relax; chill; socialise; spend evening; party
dining room, kitchen: eat guests; dine; have dinner; eat family; have meal; host dinner; family meal; dinner party; lunch guests; feed guests; eat; lunch; breakfast together; supper guests; feast
garage, workshop: repair; tinker; woodwork; park; fix bike; work car; workshop; service car; craft
children's room, nursery, playroom: play children; play child; toys; children games; child play; play toddler; playtime; amuse children
bathroom: wash myself; have wash; shower; bath; bathe; freshen; brush teeth; clean myself; shave; hygiene; wash; wash face
laundry, laundry room, bathroom: washing; do washing; laundry; wash clothes; clean clothes; iron; launder
office, study: work desk; study; concentrate; work computer; write; homework; desk; paperwork; work undisturbed; video call
hallway, hall: take coat; arrive; leave house; entrance; put shoes; hang coat; greet guests
`;

/** How places feel: the words for each mood. */
const MOODS: Readonly<Record<string, string>> = {
  quiet:
    "quiet silent silence peaceful peace calm hushed tranquil tranquility serene still noiseless undisturbed restful soundless muted soothing",
  private:
    "private privacy secluded intimate personal alone hidden seclusion discreet sheltered confidential withdrawn",
  dim: "dim dark gloomy shady shadowy subdued dusky darkened unlit lightless murky low-lit",
  bright:
    "bright sunny light sunlit luminous airy well-lit brightly daylight radiant lit sun-filled illuminated",
  cosy: "cosy cozy snug homely comfy comfortable inviting warm welcoming homey cuddly",
  social:
    "social sociable company guests friends together gather gathering convivial communal lively-talk socialising meet mingle",
  noisy: "noisy loud boisterous rowdy racket din clamorous lively bustling",
  colourful:
    "colourful colorful vivid vibrant colours colors multicoloured cheerful playful gaudy rainbow childlike fun",
  work: "work working productive study studious focused focus concentrate professional businesslike desk",
  humid: "humid steamy damp wet moist tiled hygienic",
  fragrant: "fragrant smell smells aroma appetising busy",
  dusty: "dusty oily rough draughty chilly messy industrial cluttered",
  passage: "passage corridor narrow in-between transit walk-through entrance",
};

/** Which moods each kind of room has. */
const ROOM_MOODS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["bedroom"], ["quiet", "private", "dim", "cosy"]],
  [
    ["living room", "lounge"],
    ["cosy", "social", "bright"],
  ],
  [["dining room"], ["social", "bright"]],
  [["bathroom"], ["private", "bright", "humid"]],
  [
    ["office", "study"],
    ["work", "quiet", "bright"],
  ],
  [
    ["children's room", "nursery", "playroom"],
    ["noisy", "colourful", "bright"],
  ],
  [["kitchen"], ["bright", "fragrant", "social", "noisy"]],
  [
    ["laundry", "laundry room"],
    ["noisy", "humid"],
  ],
  [["garage"], ["dim", "dusty", "noisy"]],
  [["hallway", "hall"], ["passage"]],
];

const doings = DOINGS.trim()
  .split("\n")
  .map((line) => {
    const [names, cues] = line.split(": ");
    return { names: names!.split(", "), cues: cues!.split("; ").map((cue) => stemsOf(cue)) };
  });
const moods = Object.entries(MOODS).map(([mood, words]) => ({ mood, stems: new Set(stemsOf(words)) }));

/** A cue of two words says more than one of one. */
const SECOND_WORD = 0.5;

/** Kinds of room for what somebody wants to do there, the likeliest first; empty where it is nothing of a room's. */
export function roomsToDo(wish: string): string[] {
  const said = new Set(stemsOf(wish));
  return namesOf(
    doings.map(({ names, cues }) => ({
      names,
      score: Math.max(
        0,
        ...cues.map((stems) =>
          stems.length > 0 && stems.every((stem) => said.has(stem))
            ? 1 + SECOND_WORD * (stems.length - 1)
            : 0,
        ),
      ),
    })),
  );
}

/** Kinds of room for a mood: those that have most of what is asked for. */
export function roomsLike(wish: string): string[] {
  const said = stemsOf(wish);
  const wanted = moods.filter(({ stems }) => said.some((stem) => stems.has(stem))).map(({ mood }) => mood);
  return namesOf(
    ROOM_MOODS.map(([names, has]) => ({
      names,
      score: has.reduce((sum, mood, n) => sum + (wanted.includes(mood) ? 1 - n * 0.01 : 0), 0),
    })),
  );
}

function namesOf(scored: readonly { readonly names: readonly string[]; readonly score: number }[]): string[] {
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ names }) => names);
}
