import { describe, expect, it } from "vitest";
import { codeOf, labelOf, pathOf, sameLabel } from "./labels.ts";

describe("what is written as the name of a place", () => {
  it("is a kind of room or of what stays, with its letter or number", () => {
    expect(labelOf("AISLE C")).toEqual({ name: "aisle C", kind: "aisle", path: ["C"] });
    expect(labelOf("Staging 2")).toMatchObject({ name: "staging 2", kind: "staging bay", path: ["2"] });
    expect(labelOf("DOCK 4")).toMatchObject({ name: "dock 4", path: ["4"] });
    expect(labelOf("LIBRARY")).toEqual({ name: "library", kind: "library", path: [] });
  });

  it("is a code of several parts", () => {
    expect(labelOf("b-03-1")).toEqual({ name: "B-03-1", kind: undefined, path: ["B", "03", "1"] });
  });

  it("is nothing that names no place", () => {
    for (const text of ["EXIT", "KEEP CLEAR", "OAK WALK", "7", "mug 4", "well-known"])
      expect(labelOf(text), text).toBeUndefined();
  });

  it("has parts that are letters or numbers", () => {
    expect(pathOf("LK-88")).toEqual(["LK", "88"]);
    expect(pathOf("T7")).toEqual(["T7"]);
    expect(pathOf("tall")).toBeUndefined();
    expect(pathOf("a-b")).toBeUndefined();
  });

  it("is the same by its number, whatever zeros and synonyms it is written with", () => {
    expect(codeOf({ path: ["b", "3", "1"] })).toBe(codeOf({ path: ["B", "03", "1"] }));
    expect(sameLabel(labelOf("loading bay 2")!, labelOf("STAGING 2")!)).toBe(true);
    expect(sameLabel(labelOf("aisle 2")!, labelOf("STAGING 2")!)).toBe(false);
  });
});
