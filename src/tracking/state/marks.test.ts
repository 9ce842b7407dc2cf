import { describe, expect, it } from "vitest";
import type { LiftedDetection } from "../../schema/core.ts";
import { kindOf, marksOf } from "./marks.ts";

const marks = (phrase: string, attributes: Record<string, string | boolean> = {}) =>
  marksOf({ phrase, attributes } as unknown as LiftedDetection, "shelved book");

describe("marksOf", () => {
  it.each([
    ["red paper novel that says “POEMS”", { colour: "red", material: "paper" }, "novel", "POEMS"],
    ['moving box labelled "TOYS" on one side', {}, "moving box", "TOYS"],
    ["red novel", {}, "red novel", undefined],
    ["red", { colour: "red" }, undefined, undefined],
    ["open novel", { isOpen: true }, "open novel", undefined],
    ["", {}, undefined, undefined],
  ])("takes %s apart", (phrase, attributes, name, text) => {
    const said = new Map(marks(phrase, attributes));
    expect(said.get("called shelved book")).toBe(name);
    expect(said.get("text")).toBe(text);
  });

  it("asks for the name in each category, and trusts names alike in all of them", () => {
    const [[question]] = marks("novel") as [readonly [string, string]];
    expect(question).toBe("called shelved book");
    expect(kindOf(question)).toBe(kindOf("called chair"));
    expect(kindOf("colour")).toBe("colour");
  });
});
