import { describe, expect, it } from "vitest";
import { asSaid } from "./values.ts";

describe("amounts in words that were borne out", () => {
  it("take the place of what another record comes to", () => {
    const values = { durationS: 359.5 };
    asSaid(
      values,
      "56 seconds altogether: 16 s from 08:59:59 to 09:00:15 and 40 s from 09:02:57 to 09:03:37.",
    );
    expect(values.durationS).toBe(56);
  });

  it("leave what was measured where both agree, digits and all", () => {
    const values = { quantity: { value: 2.04, unit: "m" as const } };
    asSaid(values, "The sofa is about 2 m wide.");
    expect(values.quantity.value).toBe(2.04);
  });

  it("are of the unit that was asked for", () => {
    const values = { durationS: 90, quantity: { value: 3, unit: "m" as const } };
    asSaid(values, "There are two of them; the room has 12 m².");
    expect(values).toEqual({ durationS: 90, quantity: { value: 3, unit: "m" } });
  });
});
