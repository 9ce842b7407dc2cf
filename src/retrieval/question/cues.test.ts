import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cuesOf } from "./cues.ts";

describe("cues of a question", () => {
  it.each([
    ["Where is the red mug?", ["red mug"]],
    ["Can you tell me where you last saw my car keys?", ["car keys"]],
    ["How many wooden chairs are there in the kitchen?", ["wooden chairs", "kitchen"]],
    [
      "Did you see a person holding an umbrella near the bus stop?",
      ["person holding", "bus stop", "umbrella"],
    ],
    ["what colour is the sofa in the living room", ["living room", "sofa"]],
  ])("%s", (question, phrases) => {
    expect(cuesOf(question).phrases).toEqual(phrases);
  });

  it("looks for a door when asked about entering or leaving, whatever the building", () => {
    for (const question of [
      "When did you leave the building?",
      "Where did you enter the house?",
      "Which way did you turn after exiting the building?",
    ]) {
      const { query, concepts } = cuesOf(question);
      expect(query).toContain("doorway");
      expect(query).not.toMatch(/building|house|leav|exit|enter/);
      expect(concepts[0]!.words).toContain("door");
    }
    // But "on the left" is not leaving, and a room that is named stays.
    expect(cuesOf("What was on the left of the building?").query).not.toContain("doorway");
    expect(cuesOf("When did you enter the kitchen?").query).toContain("kitchen");
  });

  it("looks for doors when asked how long one was inside, but for a room that is named", () => {
    expect(cuesOf("How long were you in the building for?").query).toContain("doorway");
    expect(cuesOf("How long did you spend in the garage?").query).toBe("garage");
  });

  it("does not look for what the asker did", () => {
    expect(cuesOf("What side of the street are you driving on?").query).toBe("street");
    expect(cuesOf("Which sidewalk were you walking on?").query).toBe("sidewalk");
    expect(cuesOf("Did you see a woman walking a dog?").query).toContain("walking");
  });

  it("tells levels apart", () => {
    expect(cuesOf("Where is the blue bin?").level).toBe("explicit");
    expect(cuesOf("Where is the closest place to sit?").level).toBe("implicit");
    expect(cuesOf("I am thirsty").level).toBe("implicit");
    expect(cuesOf("Describe the environment.").level).toBe("global");
    expect(cuesOf("What is the overall atmosphere of this campus?").level).toBe("global");
  });

  it("sees what is asked about time and nearness", () => {
    expect(cuesOf("When did you last see the forklift?")).toMatchObject({ temporal: true, order: "last" });
    expect(cuesOf("What was the first thing on the table?").order).toBe("first");
    expect(cuesOf("Where is the nearest exit?")).toMatchObject({ nearest: true, temporal: false });
  });

  it("takes anything without breaking, and never asks for nothing", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        const { query, concepts, phrases } = cuesOf(text);
        expect(query).toBe(query.trim());
        expect(concepts.length).toBeLessThanOrEqual(9);
        expect(phrases.length).toBeLessThanOrEqual(4);
      }),
    );
    expect(cuesOf("Where is it?").query).toBe("Where is it?");
    expect(cuesOf(`${"where ".repeat(10_000)}mug`).concepts.map(({ words }) => words)).not.toContain("mug");
  });
});
