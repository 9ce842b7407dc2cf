import { expect, it } from "vitest";
import { print, scan } from "./algebra/notation.ts";
import { truthValue, unknownValue } from "./algebra/value.ts";
import { isSlip, loosened } from "./loosened.ts";
import { thing } from "./testing/made-values.ts";

const asked = scan(
  'is(the(relate(things(category: "tv"), the(things(category: "bookcase")), relation: "on")), attribute: "power", value: "on")',
);
const tv = thing("tv");

it("asks of the one thing that is not where it was said to be", () => {
  const loose = loosened(asked, unknownValue("looked-absent", "", { choices: [tv] }));
  expect(loose && print(loose.expression)).toBe(
    'is(the(things(category: "tv")), attribute: "power", value: "on")',
  );
});

it("asks of nothing else where two may be meant, or nobody looked", () => {
  expect(loosened(asked, unknownValue("looked-absent", "", { choices: [tv, tv] }))).toBeUndefined();
  expect(loosened(asked, unknownValue("never-seen", ""))).toBeUndefined();
  expect(
    loosened(scan('place(the(things(category: "tv")))'), unknownValue("looked-absent", "")),
  ).toBeUndefined();
});

it("takes for a slip what is near or was so once, and for a false premise what never was so", async () => {
  const value = unknownValue("looked-absent", "", { choices: [tv] });
  const loose = loosened(asked, value)!;
  const soOnly = (words: string) => async (one: Parameters<typeof print>[0]) =>
    truthValue(print(one).includes(words), { p: 1 });
  expect(await isSlip(loose, soOnly('relation: "near"'))).toBe(true);
  expect(await isSlip(loose, soOnly('phase: "all"'))).toBe(true);
  expect(await isSlip(loose, soOnly("nothing is so"))).toBe(false);
  const elsewhere = loosened(
    scan('is(the(in(things(category: "tv"), rooms(name: "kitchen"))), attribute: "power", value: "on")'),
    value,
  )!;
  expect(await isSlip(elsewhere, soOnly('relation: "near"'))).toBe(false);
});
