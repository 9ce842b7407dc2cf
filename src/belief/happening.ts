import { contentId, type RecordOf, recordSchema, type Stored } from "../schema/index.ts";
import type { KnownThing } from "./thing.ts";

export type EventRecord = Stored<RecordOf<"event">>;

/** Something that happened, and to what. */
export interface Happening {
  readonly event: EventRecord;
  readonly thing?: KnownThing | undefined;
}

/** The stay that an event left its thing in; what moved it is told beside. */
export function stateAfter({ type, who, detail }: EventRecord): string {
  const to = type === "move" || type === "appear" ? detail["to"] : undefined;
  return typeof to === "string" ? to : (who.at(-1) ?? "");
}

export const MADE = "made:";

/** What follows from other records, as if it had been written down: a stay in a room, a time in view. It is never stored. */
export function madeEvent(
  key: string,
  type: EventRecord["type"],
  span: { readonly fromUs: number; readonly toUs: number | null },
  more: Partial<Pick<EventRecord, "regionId" | "author" | "text" | "detail" | "who">> = {},
): EventRecord {
  const record = recordSchema.parse({
    kind: "event",
    // One may follow from another that does: what it follows from is hashed, however long that chain is.
    id: `${MADE}${contentId(type, key, span.fromUs)}`,
    type,
    validFromUs: span.fromUs,
    validToUs: span.toUs === null ? null : Math.max(span.toUs, span.fromUs + 1),
    ...more,
  }) as RecordOf<"event">;
  return { ...record, version: 1, recordedAtUs: span.fromUs, supersededAtUs: null };
}
