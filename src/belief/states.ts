import { isKindOf } from "../ontology/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";

/** States that only things have, and states that only living beings have. */
const OF_THINGS: ReadonlySet<string> = new Set(["openness", "power", "fill", "making", "occupancy", "lock"]);
const OF_BEINGS: ReadonlySet<string> = new Set(["posture"]);

/** Whether a category can have a state at all: a person seen as "open" stood at the door behind them. */
export function canBe(category: string, attribute: string): boolean {
  const isBeing = isKindOf(category, "person") || isKindOf(category, "animal");
  return !(isBeing ? OF_THINGS : OF_BEINGS).has(attribute);
}

/** A record without the states that its category cannot have. */
export function withoutImpossible(record: Stored<RecordOf<"state">>): Stored<RecordOf<"state">> {
  const { category } = record;
  const wrong = Object.entries(record.attributes).filter(([name]) => !canBe(category, name));
  if (wrong.length === 0) return record;
  const attributes = Object.fromEntries(
    Object.entries(record.attributes).filter(([name]) => canBe(category, name)),
  );
  const said = new Set(wrong.map(([, { value }]) => `the ${category} is ${String(value)}`));
  return { ...record, attributes, text: record.text.filter((line) => !said.has(line)) };
}
