import { describe, expect, it } from "vitest";
import { NAMES, nameBelief } from "./names.ts";

const sofa = { category: "sofa", namedBy: "eyes" };
const book = { category: "book", namedBy: "eyes" };

describe("how sure a name is", () => {
  it("takes names by people and by recordings as they are", () => {
    expect(nameBelief({ category: "book" })).toEqual({ standing: "is", category: "book", p: 1 });
    const perceived = { name: "black thing", text: [], category: "thing" };
    expect(nameBelief({ ...book, maybe: [{ category: "box", p: 0.6 }], perceived }).p).toBe(1);
  });

  it("believes the eyes less where they leave much to other kinds", () => {
    const torn = { ...sofa, maybe: [{ category: "bed", p: 0.55 }] };
    expect(nameBelief(sofa).standing).toBe("is");
    expect(nameBelief(torn).p).toBeLessThan(nameBelief(sofa).p);
    expect(nameBelief(torn).standing).toBe("perhaps");
  });

  it("does not hold a kind of the name against it", () => {
    const chair = { category: "chair", namedBy: "eyes" };
    const special = { ...chair, maybe: [{ category: "office chair", p: 0.6 }] };
    expect(nameBelief(special).p).toBe(nameBelief(chair).p);
  });

  it("believes small things less than furniture, and never claims certainty", () => {
    expect(nameBelief(book).p).toBeLessThan(nameBelief(sofa).p);
    expect(nameBelief(sofa).p).toBeLessThan(0.99);
  });

  it("believes less that a thing is of a kind that is much larger", () => {
    const monitor = { category: "monitor", namedBy: "eyes" };
    const whole = nameBelief({ ...monitor, extent: { x: 0.55, y: 0.1, z: 0.4 } });
    const piece = nameBelief({ ...monitor, extent: { x: 0.1, y: 0.05, z: 0.08 } });
    expect(whole.standing).toBe("perhaps");
    expect(piece.standing).toBe("unnamed");
  });

  it("never says more than perhaps where the eyes withheld the name", () => {
    const unnamed = { category: "thing", maybe: [{ category: "sofa", p: 0.99 }] };
    expect(nameBelief(unnamed)).toMatchObject({ standing: "perhaps", category: "sofa" });
    expect(nameBelief(unnamed).p).toBeGreaterThan(NAMES.sureP);
    expect(nameBelief({ category: "thing" })).toEqual({ standing: "unnamed", category: "thing", p: 0 });
  });
});
