import type { Recall } from "../../recall/recall.ts";
import type { Thing } from "../../recall/thing.ts";
import { type Anchor, holds } from "./relations.ts";

function holderId({ state }: Thing): string | undefined {
  return state.insideOf ?? state.supportedBy;
}

/** What a thing stands on or is in, by what tracking found. */
export async function holderOf(thing: Thing, recall: Recall): Promise<Thing | undefined> {
  const id = holderId(thing);
  return id === undefined ? undefined : recall.thingOfState(id, 1);
}

/** Whether one thing carries both, by what tracking found them to stand on or by where they are. */
export async function sharesHolder(one: Thing, other: Thing, recall: Recall): Promise<boolean> {
  const [first, second] = [await holderOf(one, recall), await holderOf(other, recall)];
  if (first && first.trackId === second?.trackId) return true;
  const carries = (holder: Thing, thing: Thing) => {
    if (holderId(thing) === holder.state.id) return true;
    const anchor: Anchor | undefined = holder.box && { box: holder.box, thing: holder };
    return anchor !== undefined && Math.max(holds("on", thing, anchor), holds("in", thing, anchor)) > 0;
  };
  return [first, second].some((holder) => holder && carries(holder, one) && carries(holder, other));
}
