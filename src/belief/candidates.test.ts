import { describe, expect, it } from "vitest";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { candidatesFor } from "./candidates.ts";
import { SEARCH } from "./settings/search.ts";

/** A thing by its name alone. */
const plain = (head: string, phrase: string) => ({ head, mods: [], attributes: {}, phrase });
const redCup = { ...plain("cup", "red cup"), attributes: { colour: "red" } };

interface Cup {
  readonly category: string;
  readonly name: string;
  readonly colour: string;
  readonly text?: readonly string[];
}

/** A memory of these things that filters by category and colour, and writes down what it is asked. */
function memoryOf(things: readonly Cup[]) {
  const asked: SearchRequest[] = [];
  const hits = things.map(({ category, name, colour, text = [name] }, n) => ({
    record: { id: `s${n}`, category, name, text, attributes: { colour: { value: colour, p: 1 } } },
  })) as unknown as (Hit & { record: { category: string; attributes: Record<string, { value: string }> } })[];
  const passing = ({ where }: SearchRequest) =>
    hits.filter(
      ({ record }) =>
        (where?.category?.includes(record.category) ?? true) &&
        (where?.attributes?.["colour"] ?? record.attributes["colour"]!.value) ===
          record.attributes["colour"]!.value,
    );
  const search = async (request: SearchRequest): Promise<Hit[]> => {
    asked.push(request);
    return passing(request).slice(0, request.limit ?? 10);
  };
  return {
    asked,
    memory: {
      nowUs: 0,
      search,
      likeOnce: (_: string, request: SearchRequest) => search(request),
      count: async (request: SearchRequest) => passing(request).length,
    },
  };
}

const WHITE = Array.from(
  { length: 1_000 },
  (): Cup => ({ category: "cup", name: "white cup", colour: "white" }),
);

describe("candidates for a description", () => {
  it("are few where one is asked for, and the one of the right colour is among them", async () => {
    const { memory, asked } = memoryOf([...WHITE, { category: "cup", name: "red cup", colour: "red" }]);
    const { hits } = await candidatesFor(memory, redCup, 0.6, {});
    expect(hits.some(({ record }) => record.id === "s1000")).toBe(true);
    expect(hits.length).toBeLessThan(150);
    expect(asked.length).toBe(3);
  });

  it("are counted where all are asked for and they are too many to be read", async () => {
    const { memory } = memoryOf(WHITE);
    const { hits, total } = await candidatesFor(memory, plain("cup", "cup"), 0.6, { all: true });
    expect(hits.length).toBe(SEARCH.sampleHits);
    expect(total).toBe(1_000);
  });

  it("are all of them where they can be read", async () => {
    const { memory } = memoryOf(WHITE.slice(0, 90));
    const { hits, total } = await candidatesFor(memory, plain("cup", "cup"), 0.6, { all: true });
    expect(hits.length).toBe(90);
    expect(total).toBeUndefined();
  });

  it("do not take a kind for another because one of it was once mistaken", async () => {
    const toolbox: Cup = {
      category: "toolbox",
      name: "yellow toolbox",
      colour: "yellow",
      text: ["yellow toolbox", "yellow wardrobe"],
    };
    const wardrobe: Cup = { category: "wardrobe", name: "brown wardrobe", colour: "brown" };
    const alone = await candidatesFor(memoryOf([toolbox]).memory, plain("wardrobe", "wardrobe"), 0.6, {});
    expect([...alone.kinds]).toEqual([]);
    const both = await candidatesFor(
      memoryOf([toolbox, wardrobe]).memory,
      plain("wardrobe", "wardrobe"),
      0.6,
      {},
    );
    expect([...both.kinds]).toEqual(["wardrobe"]);
  });
});
