import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIGNATURE_HEIGHT, SIGNATURE_WIDTH, signatureOf, ssim } from "./ssim.ts";

const SIZE = SIGNATURE_WIDTH * SIGNATURE_HEIGHT;
const signature = fc.uint8Array({ minLength: SIZE, maxLength: SIZE });
const flat = (value: number) => new Uint8Array(SIZE).fill(value);
const checks = Uint8Array.from({ length: SIZE }, (_, at) =>
  (at + Math.floor(at / 64)) % 2 === 0 ? 40 : 200,
);

describe("ssim", () => {
  it("is 1 for the same and next to 0 for black against white", () => {
    expect(ssim(checks, checks)).toBe(1);
    expect(ssim(flat(0), flat(0))).toBe(1);
    expect(ssim(flat(0), flat(255))).toBeLessThan(0.001);
  });

  it("agrees with the formula on flat pictures, where only the means count", () => {
    // (2·100·200 + C1) / (100² + 200² + C1) with C1 = 6.5025.
    expect(ssim(flat(100), flat(200))).toBeCloseTo(40_006.5025 / 50_006.5025, 12);
  });

  it("cuts off what is opposite", () => {
    expect(
      ssim(
        checks,
        checks.map((value) => 240 - value),
      ),
    ).toBe(0);
  });

  it("is symmetric and stays within 0 and 1", () => {
    fc.assert(
      fc.property(signature, signature, (a, b) => {
        const value = ssim(a, b);
        expect(value).toBe(ssim(b, a));
        expect(value >= 0 && value <= 1).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("falls with noise, and less with a little light", () => {
    const noisy = (by: number) => checks.map((value, at) => value + (((at * 7919) % 7) - 3) * by);
    expect(ssim(checks, noisy(4))).toBeGreaterThan(ssim(checks, noisy(12)));
    expect(
      ssim(
        checks,
        checks.map((value) => value + 10),
      ),
    ).toBeGreaterThan(0.9);
  });
});

describe("a signature", () => {
  it("averages luma over areas", () => {
    const data = new Uint8Array(128 * 96 * 3);
    for (let at = 0; at < 128 * 96; at++) data.fill((at % 128) % 2 === 0 ? 100 : 200, 3 * at, 3 * at + 3);
    expect(new Set(signatureOf({ width: 128, height: 96, data }))).toEqual(new Set([150]));
  });

  it("comes of pictures smaller than itself too", () => {
    const tiny = signatureOf({ width: 2, height: 1, data: Uint8Array.of(0, 0, 0, 255, 255, 255) });
    expect([tiny.length, tiny[0], tiny[63], tiny[SIZE - 1]]).toEqual([SIZE, 0, 255, 255]);
  });
});
