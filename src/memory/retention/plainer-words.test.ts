import { describe, expect, it } from "vitest";
import type { RecordOf } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import type { Candidate, Holdings } from "./gather.ts";
import { plainerWords } from "./plainer-words.ts";

const caption = (text: string[], states: string[], rest: Partial<RecordOf<"caption">> = {}): Candidate => ({
  record: {
    kind: "caption",
    id: "said",
    sceneId: "default",
    author: "robot",
    labels: [],
    validFromUs: 0,
    validToUs: 1,
    source: "template",
    views: [],
    text,
    states,
    version: 1,
    ...rest,
  } as RecordOf<"caption">,
  kind: "caption",
  position: undefined,
  tracks: new Set(),
  citations: 0,
  bytes: 0,
});

const holdings = {
  linesOf: new Map([
    ["closet", ["white wood closet", "the wardrobe is closed"]],
    ["lamp", ["green bedside lamp"]],
  ]),
  categoryOf: new Map([
    ["closet", "wardrobe"],
    ["lamp", "lamp"],
  ]),
} as unknown as Holdings;

const worded = async (candidate: Candidate) =>
  (await plainerWords({} as MemoryReader, [candidate], holdings, () => undefined)).map(
    ({ record }) => record.text,
  );

describe("plainer words", () => {
  const long = "A bedroom with a white closet and a green lamp.";

  it("are the longest sentence, the things' own lines, and what they are where those do not say", async () => {
    expect(await worded(caption(["A closet.", long], ["closet", "lamp"]))).toEqual([
      [long, "wardrobe", "white wood closet", "green bedside lamp"],
    ]);
  });

  it("are not made of what is plain already", async () => {
    expect(await worded(caption([long, "wardrobe", "white wood closet"], ["closet"]))).toEqual([]);
  });

  it("keep what is said by many, and leave what people said alone", async () => {
    const [text] = await worded(caption(["A closet.", long, "the wardrobe is closed"], ["closet"]));
    expect(text).toContain("the wardrobe is closed");
    expect(await worded(caption(["A closet.", long], ["closet"], { source: "human" }))).toEqual([]);
  });
});
