import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoted, seen, seenJson } from "./world-text.ts";

describe("text of the world", () => {
  it("keeps what can be seen", () => {
    for (const text of ["a red mug", "Łódź, 東京, שלום, مرحبا", "½ m² ± 3 %", "👍 café", "it's “so”"])
      expect(seen(text)).toBe(text);
  });

  it("shows what cannot, whatever it is, and stays on its line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(seen(text)).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u);
      }),
    );
    expect(seen("a\u{e0068}\u{e0069}b")).toBe("a\\u{e0068}\\u{e0069}b");
    expect(seen("one\r\n\u2028two\ud800")).toBe("one two\ufffd");
  });

  it("ends where we say, and not before", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(50), (text, most) => {
        const inner = quoted(text, most).slice(1, -1);
        expect(inner).not.toContain('"');
        expect(inner.length).toBeLessThanOrEqual(most + 1);
      }),
    );
  });

  it("is made harmless wherever it stands in data", () => {
    expect(seenJson({ a: ["x\u0007", { b: "y\n" }], n: 1, z: null })).toEqual({
      a: ["x\\u{7}", { b: "y " }],
      n: 1,
      z: null,
    });
  });
});
