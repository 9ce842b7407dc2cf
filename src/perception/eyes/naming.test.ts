import { describe, expect, test } from "vitest";
import { isKindOf } from "../../ontology/index.ts";
import { kinds } from "./known-kinds.ts";
import type { Nameable } from "./named.ts";
import { evidenceFor, namesOf } from "./naming.ts";

const WORDS = ["other", "bed", "cabinet", "lamp", "mug", "toilet", "bathtub"];

function thing(
  said: Readonly<Record<string, number>>,
  [longM, wideM, highM]: readonly [number, number, number],
  aboveM: number,
  middle: readonly [number, number, number] = [0, 0, 0],
): Nameable {
  return { votes: WORDS.map((word) => said[word] ?? 0), longM, wideM, highM, aboveM, middle };
}

const BED = thing({ bed: 0.8 }, [2.0, 1.6, 1.0], 0, [1.2, 0, 0.4]);
const SMALL_CABINET = thing({ cabinet: 0.6 }, [0.45, 0.4, 0.5], 0);

describe("names", () => {
  test("are as special as is sure: a lamp is a lamp, whichever it is", () => {
    const [lamp] = namesOf([thing({ lamp: 0.8 }, [0.25, 0.22, 0.6], 0.3)], WORDS);
    expect(lamp!.label).toBeDefined();
    expect(isKindOf(lamp!.label!, "lamp")).toBe(true);
  });

  test("come from what stands around: what looks like a mug by a toilet may be for toothbrushes", () => {
    const mug = thing({ mug: 0.7 }, [0.1, 0.09, 0.13], 0.85);
    const likely = (others: readonly Nameable[]) => {
      const { label, maybe } = namesOf([mug, ...others], WORDS)[0]!;
      const name = "toothbrush cup";
      return label === name ? 1 : (maybe.find(({ category }) => category === name)?.p ?? 0);
    };
    const bath = thing({ bathtub: 0.8 }, [1.6, 0.75, 0.6], 0, [1, 0, 0.3]);
    const toilet = thing({ toilet: 0.8 }, [0.6, 0.4, 0.8], 0, [0.5, 0.8, 0.4]);
    expect(likely([bath, toilet])).toBeGreaterThan(2 * likely([BED]));
  });

  test("are not said where the eyes hardly say them, however well size and room would fit", () => {
    const [unsaid] = namesOf([thing({ cabinet: 0.05, mug: 0.05 }, [0.45, 0.4, 0.5], 0), BED], WORDS);
    expect(unsaid!.label).toBeUndefined();
  });

  test("are told by closer looks: which cabinet it is, and what no word of the eyes means", () => {
    const closer = (kind: string, one: Nameable) => ({ ...one, kindVotes: new Map([[kind, 0.6]]) });
    const [filing, dresser] = ["filing cabinet", "dresser"].map(
      (kind) => namesOf([closer(kind, SMALL_CABINET)], WORDS)[0]!.label,
    );
    expect([filing, dresser]).toEqual(["filing cabinet", "dresser"]);
    const stick = thing({ other: 0.6 }, [0.1, 0.1, 0.18], 0.7);
    expect(namesOf([stick], WORDS)[0]!.label).toBeUndefined();
    expect(namesOf([closer("candle", stick)], WORDS)[0]!.label).toBe("candle");
  });

  test("of machines that are made to one width are not said of what is wider", () => {
    const words = ["fridge", "wardrobe", "bed"];
    const kindVotes = new Map([
      ["fridge", 0.6],
      ["wardrobe", 0.2],
    ]);
    const white = (longM: number) => ({
      ...thing({}, [longM, 0.55, 1.3], 0),
      votes: [0.58, 0.21, 0],
      kindVotes,
    });
    const bed = { ...BED, votes: [0, 0, 0.8] };
    expect([0.62, 0.91, 1.3].map((longM) => namesOf([white(longM), bed], words)[0]!.label)).toEqual([
      "fridge",
      "fridge",
      undefined,
    ]);
  });

  test("of people go by how high they stand: who is as much a door to the eyes is none, in any room", () => {
    const words = ["person", "door", "toilet", "bathtub"];
    const votes = (said: Readonly<Record<string, number>>) => words.map((word) => said[word] ?? 0);
    const upright = { longM: 0.5, wideM: 0.3, highM: 1.7, aboveM: 0, middle: [0, 0, 0.85] };
    const toilet = { ...thing({}, [0.6, 0.4, 0.8], 0, [0.5, 0.8, 0.4]), votes: votes({ toilet: 0.8 }) };
    const said = { person: 0.42, door: 0.46 };
    const doubtful = { ...upright, votes: votes(said), kindVotes: new Map(Object.entries(said)) };
    expect(namesOf([doubtful, toilet], words)[0]!.label).toBe("person");
  });

  test("of print go by its shape: what stands is a book and no sheet, and what is as thick as it is long is none", () => {
    const words = ["book", "paper", "picture"];
    const printed = (said: readonly number[], [longM, wideM, highM]: readonly [number, number, number]) => {
      const one = { votes: said, longM, wideM, highM, aboveM: 0.8, middle: [0, 0, 1] };
      return namesOf([one], words)[0]!;
    };
    expect(printed([0.2, 0.6, 0.1], [0.3, 0.21, 0.02]).label).toBe("paper");
    expect(printed([0.2, 0.6, 0.1], [0.3, 0.12, 0.27]).label).toBe("book");
    // What hangs on a wall has no depth.
    expect(printed([0.2, 0.6, 0.1], [0.21, 0.03, 0.3]).label).toBe("paper");
    const { label, maybe } = printed([0.6, 0, 0], [0.19, 0.14, 0.18]);
    expect(label).toBeUndefined();
    expect(maybe.map(({ category }) => category)).toContain("book");
  });

  test("come from what stands in the same room: a wall in between ends it", () => {
    const mug = thing({ mug: 0.7 }, [0.1, 0.09, 0.13], 0.85);
    const toilet = thing({ toilet: 0.8 }, [0.6, 0.4, 0.8], 0, [0.5, 0.8, 0.4]);
    const cup = (isApart: () => boolean) => {
      const { label, maybe } = namesOf([mug, toilet], WORDS, isApart)[0]!;
      const name = "toothbrush cup";
      return label === name ? 1 : (maybe.find(({ category }) => category === name)?.p ?? 0);
    };
    expect(cup(() => false)).toBeGreaterThan(cup(() => true));
  });

  test("are spoken against by what is too large, and apart from that by what is too small: things are hidden in part", () => {
    const own = kinds().findIndex(({ name }) => name === "bed");
    const [LARGER, SMALLER] = [1, 2];
    const row = (times: number) => {
      const [long, wide, high] = kinds()[own]!.usual.map(({ mean }) => times * Math.exp(mean));
      return evidenceFor(thing({ bed: 0.8 }, [long!, wide!, high!], 0), WORDS, new Map())[own]!;
    };
    expect(row(0.5)[LARGER]).toBeCloseTo(row(1)[LARGER]!);
    expect(row(2)[LARGER]).toBeLessThan(row(1)[LARGER]!);
    expect(row(2)[SMALLER]).toBeCloseTo(row(1)[SMALLER]!);
    expect(row(0.5)[SMALLER]).toBeLessThan(row(1)[SMALLER]!);
  });

  test("are not said where another is likelier, though the eyes say that one less", () => {
    const words = [...WORDS, "fridge", "wardrobe"];
    const cold = {
      ...thing({}, [0.8, 0.6, 1.8], 0),
      votes: words.map((word) => ({ fridge: 0.34, wardrobe: 0.31 })[word] ?? 0),
      kindVotes: new Map([
        ["fridge", 0.34],
        ["wardrobe", 0.31],
      ]),
    };
    const beds = [-1, 1].map((x) => ({ ...BED, middle: [x, 0.5, 0.4] }));
    // Close-up evidence, and the room a little.
    const closerWeights = [0, 0, 0, 0, 0, 0.2, 0, 2];
    const fit = { weights: [2, 0, 0, 0, 0, 0, 0], closerWeights, takenFor: new Map() };
    const { label, maybe } = namesOf([cold, ...beds], words, undefined, fit)[0]!;
    expect(label).toBeUndefined();
    expect(maybe.slice(0, 2).map(({ category }) => category)).toEqual(["wardrobe", "fridge"]);
    expect(maybe[1]!.p).toBeGreaterThan(0.4);
  });

  test("are said where one of two is a little likelier only if the eyes say it loudly", () => {
    const closerWeights = [0, 0, 0, 0, 0, 0, 0, 2];
    const fit = { weights: [2, 0, 0, 0, 0, 0, 0], closerWeights, takenFor: new Map() };
    const label = (dresser: number, crib: number) => {
      const kindVotes = new Map(Object.entries({ dresser, crib }));
      const { label, maybe } = namesOf(
        [{ ...thing({}, [0.45, 0.4, 0.5], 0), kindVotes }],
        WORDS,
        undefined,
        fit,
      )[0]!;
      return label ?? maybe.map(({ category }) => category);
    };
    expect(label(0.56, 0.54)).toBe("dresser");
    expect(label(0.38, 0.36)).toEqual(["dresser", "crib"]);
  });

  test("are sorted by how likely they are, and none is said twice", () => {
    for (const { label, maybe } of namesOf([SMALL_CABINET, BED], WORDS)) {
      expect(maybe.map(({ category }) => category)).not.toContain(label);
      expect(maybe.map(({ p }) => p)).toEqual(maybe.map(({ p }) => p).sort((a, b) => b - a));
      expect(maybe.reduce((sum, { p }) => sum + p, 0)).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  test("do without a floor", () => {
    const [named] = namesOf([{ ...BED, aboveM: Number.NaN }], WORDS);
    expect(named!.label).toSatisfy((label: string) => isKindOf(label, "bed"));
  });

  test("have kinds whose figures are numbers, each in some room", () => {
    for (const { name, usual, common, rooms } of kinds()) {
      expect(
        usual.every(({ mean, variance }) => Number.isFinite(mean) && variance > 0),
        name,
      ).toBe(true);
      expect(Number.isFinite(common), name).toBe(true);
      expect(
        rooms.every((times) => times > 0),
        name,
      ).toBe(true);
    }
  });
});

test("what is print to every look, a book to one and paper to the next, is called by the louder word", () => {
  const words = ["other", "book", "paper", "picture"];
  const leaflet = (book: number, paper: number, picture = 0): Nameable => ({
    votes: [0, book, paper, picture],
    longM: 0.28,
    wideM: 0.2,
    highM: 0.03,
    aboveM: 1.1,
    middle: [0, 0, 1.2],
    kindVotes: new Map([
      ["paper", paper],
      ["shelved book", book / 2],
      ["photo frame", 0.2],
    ]),
  });
  expect(namesOf([leaflet(0.4, 0.27)], words)[0]!.label).toBe("book");
  expect(namesOf([leaflet(0.2, 0.15)], words)[0]!.label).toBeUndefined();
  expect(namesOf([leaflet(0.14, 0.28, 0.16)], words)[0]!.label).toBe("paper");
});

test("print that something bears stands, and is a book, however it is called; and is print where all its words are loud together", () => {
  const words = ["other", "book", "paper", "picture"];
  const standing = (votes: readonly number[], isBorne: boolean): Nameable => ({
    votes,
    longM: 0.22,
    wideM: 0.09,
    highM: 0.28,
    aboveM: 1.1,
    middle: [0, 0, 1.2],
    kindVotes: new Map([["paper", votes[2]!]]),
    isBorne,
  });
  expect(namesOf([standing([0, 0.02, 0.7, 0], true)], words)[0]!.label).toBe("book");
  expect(namesOf([standing([0, 0.02, 0.7, 0], false)], words)[0]!.label).toBeUndefined();
  const brochure = { ...standing([0, 0.37, 0.18, 0.31], true), kindVotes: new Map([["photo frame", 0.15]]) };
  expect(namesOf([brochure], words)[0]!.label).toBe("book");
  const framed = { ...standing([0, 0.2, 0.18, 0.48], true), kindVotes: new Map([["photo frame", 0.5]]) };
  expect(namesOf([framed], words)[0]!.label).not.toBe("book");
});
