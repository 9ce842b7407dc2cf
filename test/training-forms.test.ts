import { describe, expect, it } from "vitest";
import { composed } from "../training/reader/compose.ts";

describe("forms", () => {
  it("choose alike in the question and in the expression", () => {
    const pairs = composed('*9 is <device> {on|off}\tis(<device>, attribute: "power", value: "{on|off}")');
    expect(pairs).toHaveLength(9);
    for (const pair of pairs) {
      const [question, expression] = pair.split("\t");
      const state = /\bo(?:n|ff)(?=\??$)/.exec(question!)![0];
      expect(expression).toContain(`value: "${state}"`);
    }
  });

  it("fill two slots of a kind with two things, and one slot alike wherever it stands", () => {
    for (const pair of composed("*20 <code> or <code2>, is <code> higher\tname(or(<code>, <code2>))")) {
      const codes = pair.split("\t")[0]!.match(/[A-Z]{2}-\d{3}/g)!;
      expect(codes[2]).toBe(codes[0]);
      expect(codes[1]).not.toBe(codes[0]);
    }
  });

  it("give the same pairs whatever other forms there are", () => {
    const [one, other] = ["is <thing> (here|there)\tplace(<thing>)", "where is <big>\tplace(<big>)"];
    expect(composed(`${other}\n${one}`)).toEqual([...composed(other), ...composed(one)]);
  });

  it("are refused where they name what there is not", () => {
    expect(() => composed("where is <nothing>\tplace(<nothing>)")).toThrow(/no slot <nothing>/);
    expect(() => composed("where is it\tplace(<thing>)")).toThrow(/not filled/);
  });
});
