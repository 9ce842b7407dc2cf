import fc from "fast-check";
import { expect, test } from "vitest";
import { solveSymmetric3 } from "./symmetric.ts";

test("what it finds solves the system", () => {
  const number = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(number, number, number), fc.tuple(number, number, number), ([b, c, e], right) => {
      // A heavy diagonal, as a prior makes it.
      const [a, d, f] = [40, 50, 60];
      const [x, y, z] = solveSymmetric3([a, b, c, d, e, f], right);
      expect(a * x + b * y + c * z).toBeCloseTo(right[0], 8);
      expect(b * x + d * y + e * z).toBeCloseTo(right[1], 8);
      expect(c * x + e * y + f * z).toBeCloseTo(right[2], 8);
    }),
  );
});
