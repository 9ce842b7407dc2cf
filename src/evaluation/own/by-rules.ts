import { Random } from "../../geometry/index.ts";
import type { KnownThing } from "./known-things.ts";

/** MT-HM3D's labels. */
export const LABELS = ["attribute", "comparison", "counting", "relationship"] as const;
export type Label = (typeof LABELS)[number];

export interface Draft {
  readonly label: Label;
  readonly text: string;
  readonly right: string;
  /** Three wrong answers. */
  readonly wrong: readonly string[];
  readonly targets: readonly string[];
}

/** Sizes and counts closer than this are not asked about. */
const CLEARLY_LARGER = 1.3;
const COLOURS = ["black", "white", "red", "green", "blue", "yellow", "brown", "grey"];

/** Questions with all four labels about things in the views, each with three wrong answers. */
export function questionsByRules(things: readonly KnownThing[], seed: string): Draft[] {
  const random = new Random(seed);
  const shown = random.shuffle(things.filter(({ isShown }) => isShown));
  return [
    ...shown.flatMap((thing) => colourOf(thing, random)),
    ...pairsOf(shown).flatMap(([a, b, c, d]) => largestOf([a, b, c, d])),
    ...countsOf(things, random),
    ...shown.flatMap((thing) => sameRoomOf(thing, shown, random)),
  ];
}

function colourOf({ called, colour, trackId }: KnownThing, random: Random): Draft[] {
  if (called === undefined || colour === undefined || called.startsWith(`${colour} `)) return [];
  const wrong = random.shuffle(COLOURS.filter((other) => other !== colour)).slice(0, 3);
  return [
    { label: "attribute", text: `What colour is the ${called}?`, right: colour, wrong, targets: [trackId] },
  ];
}

function pairsOf(things: readonly KnownThing[]): KnownThing[][] {
  const sized = things.filter(({ called, volumeM3 }) => called !== undefined && volumeM3 !== undefined);
  return Array.from({ length: Math.floor(sized.length / 4) }, (_, n) => sized.slice(4 * n, 4 * n + 4));
}

function largestOf(four: readonly (KnownThing | undefined)[]): Draft[] {
  const sorted = four
    .filter((thing) => thing !== undefined)
    .sort((a, b) => (b.volumeM3 ?? 0) - (a.volumeM3 ?? 0));
  const [first, second] = sorted;
  if (sorted.length < 4 || !first || !second || first.volumeM3! < CLEARLY_LARGER * second.volumeM3!)
    return [];
  const names = sorted.map(({ called }) => `the ${called}`);
  return [
    {
      label: "comparison",
      text: `Which of these is the largest: ${names.slice().sort().join(", ")}?`,
      right: names[0]!,
      wrong: names.slice(1),
      targets: sorted.map(({ trackId }) => trackId),
    },
  ];
}

function countsOf(things: readonly KnownThing[], random: Random): Draft[] {
  const byKind = Map.groupBy(
    things.filter(({ room }) => room !== undefined),
    ({ category, room }) => `${category}\n${room}`,
  );
  return [...byKind].flatMap(([key, all]) => {
    const [category, room] = key.split("\n");
    if (all.length < 2 || !all.some(({ isShown }) => isShown)) return [];
    const others = random
      .shuffle([-2, -1, 1, 2, 3].map((off) => all.length + off).filter((count) => count >= 0))
      .slice(0, 3)
      .map(String);
    return [
      {
        label: "counting" as const,
        text: `How many ${plural(category!)} are there in the ${room}?`,
        right: String(all.length),
        wrong: others,
        targets: all.map(({ trackId }) => trackId),
      },
    ];
  });
}

function sameRoomOf(thing: KnownThing, shown: readonly KnownThing[], random: Random): Draft[] {
  const bare = ({ called, room }: KnownThing) =>
    called !== undefined && room !== undefined && !called.includes(" in the ");
  if (!bare(thing)) return [];
  const [mate] = random.shuffle(
    shown.filter((other) => bare(other) && other.room === thing.room && other !== thing),
  );
  const elsewhere = random
    .shuffle(shown.filter((other) => bare(other) && other.room !== thing.room))
    .slice(0, 3);
  if (!mate || elsewhere.length < 3) return [];
  return [
    {
      label: "relationship",
      text: `Which of these is in the same room as the ${thing.called}?`,
      right: `the ${mate.called}`,
      wrong: elsewhere.map(({ called }) => `the ${called}`),
      targets: [thing.trackId, mate.trackId],
    },
  ];
}

function plural(noun: string): string {
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun)
    ? `${noun.slice(0, -1)}ies`
    : /lf$/.test(noun)
      ? `${noun.slice(0, -1)}ves`
      : `${noun}s`;
}
