import type { Box } from "../geometry/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { labelOf, type PlaceLabel } from "./labels.ts";
import { printedOn } from "./matching.ts";
import type { StateRecord } from "./thing.ts";

/** Something that stays where it is and has the name of a place written on it. */
export interface Labelled {
  readonly label: PlaceLabel;
  readonly box: Box;
  /** The stay of what bears it. */
  readonly state: StateRecord;
}

/** The place that is written on a thing, where it is one that stays; undefined where there is none. */
export function labelledBy(record: StateRecord, box: Box | undefined): Labelled | undefined {
  const mobility = mobilityOf(record.category);
  if (!box || (mobility !== "fixed" && mobility !== "furniture")) return undefined;
  const [text] = printedOn(record);
  const label = text === undefined ? undefined : labelOf(text);
  return label && { label, box, state: record };
}
