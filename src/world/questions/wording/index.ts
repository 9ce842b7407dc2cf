import { assert } from "../../../schema/index.ts";
import type { Phrase } from "../phrases.ts";
import type { Referent } from "../refer.ts";
import { FAMILY_WORDINGS } from "./families.ts";
import { HAPPENINGS } from "./happenings.ts";
import { PLACES } from "./places.ts";
import { PURPOSE_WORDINGS } from "./purposes.ts";
import { THINGS } from "./things.ts";
import type { WordingTable } from "./wording.ts";

const HOUSE: WordingTable = { ...THINGS, ...PLACES, ...HAPPENINGS, ...PURPOSE_WORDINGS };

/** All wordings by kind of question; kinds that houses share use the same words in other families. */
export const WORDINGS: WordingTable = {
  ...HOUSE,
  ...FAMILY_WORDINGS,
  "stock/where": HOUSE["localisation/point"]!,
  "drive/first-seen": HOUSE["temporal/first-seen"]!,
  "drive/gap": HOUSE["temporal/gap"]!,
};

/** Every wording of a kind, filled in, for both sets. */
export function worded(
  kind: string,
  slots: Readonly<Record<string, Phrase | Referent | string>>,
): { dev: string[]; test: string[] } {
  const wording = WORDINGS[kind];
  assert(wording !== undefined, `no wording for "${kind}"`);
  return {
    dev: wording.dev.map((template) => fill(template, slots, "dev")),
    test: wording.test.map((template) => fill(template, slots, "test")),
  };
}

function fill(
  template: string,
  slots: Readonly<Record<string, Phrase | Referent | string>>,
  set: "dev" | "test",
): string {
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const slot = slots[name];
    assert(slot !== undefined, `nothing fills {${name}} of "${template}"`);
    return typeof slot === "string" ? slot : slot[set];
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}
