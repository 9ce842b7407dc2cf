import { contentId, type RecordOf, recordSchema, type Stored } from "../schema/index.ts";
import type { KnownThing } from "./thing.ts";

export type EventRecord = Stored<RecordOf<"event">>;

/** An event, and the thing it happened to. */
export interface Happening {
  readonly event: EventRecord;
  readonly thing?: KnownThing | undefined;
}

/** The stay that an event left its thing in; `who` of a move also holds the mover. */
export function stateAfter({ type, who, detail }: EventRecord): string {
  const to = type === "move" || type === "appear" ? detail["to"] : undefined;
  return typeof to === "string" ? to : (who.at(-1) ?? "");
}

export const MADE = "made:";

/**
 * An event derived from other records in the form of a record: a stay in a room, a time in view. It is never stored.
 */
export function madeEvent(
  key: string,
  type: EventRecord["type"],
  span: { readonly fromUs: number; readonly toUs: number | null },
  more: Partial<Pick<EventRecord, "regionId" | "author" | "text" | "detail" | "who">> = {},
): EventRecord {
  const record = recordSchema.parse({
    kind: "event",
    // A derived event may come from another derived event: its key is hashed, so the id stays short.
    id: `${MADE}${contentId(type, key, span.fromUs)}`,
    type,
    validFromUs: span.fromUs,
    validToUs: span.toUs === null ? null : Math.max(span.toUs, span.fromUs + 1),
    ...more,
  }) as RecordOf<"event">;
  return { ...record, version: 1, recordedAtUs: span.fromUs, supersededAtUs: null };
}
