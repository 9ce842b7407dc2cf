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

  it("never says more than perhaps where the eyes withheld the name", () => {
    const unnamed = { category: "thing", maybe: [{ category: "sofa", p: 0.99 }] };
    expect(nameBelief(unnamed)).toMatchObject({ standing: "perhaps", category: "sofa" });
    expect(nameBelief(unnamed).p).toBeGreaterThan(NAMES.sureP);
    expect(nameBelief({ category: "thing" })).toEqual({ standing: "unnamed", category: "thing", p: 0 });
  });
});
