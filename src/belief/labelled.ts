import type { Box } from "../geometry/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { labelOf, type PlaceLabel } from "./labels.ts";
import { printedOn } from "./matching.ts";
import { isMover } from "./mobility.ts";
import type { KnownThing, StateRecord } from "./thing.ts";

/** A fixed thing with the name of a place written on it. */
export interface Labelled {
  readonly label: PlaceLabel;
  readonly box: Box;
  /** The stay of the thing that bears the label. */
  readonly state: StateRecord;
}

/** The place name written on a fixed thing; undefined where there is none. */
export function labelledBy(record: StateRecord, box: Box | undefined): Labelled | undefined {
  const label = labelOn(record);
  return box && label && { label, box, state: record };
}

/** Whether the name of a place is written on it. */
export function bearsLabel(record: StateRecord): boolean {
  return labelOn(record) !== undefined;
}

function labelOn(record: StateRecord): PlaceLabel | undefined {
  const mobility = mobilityOf(record.category);
  if (mobility !== "fixed" && mobility !== "furniture") return undefined;
  const [text] = printedOn(record);
  return text === undefined ? undefined : labelOf(text);
}

/** Whether it is a sign or a door that was taken for a person or a vehicle: these do not bear the name of a place. */
export function isSignboard({ category, state }: Pick<KnownThing, "category" | "state">): boolean {
  return isMover(category) && printedOn(state).some((text) => labelOf(text)?.kind !== undefined);
}
