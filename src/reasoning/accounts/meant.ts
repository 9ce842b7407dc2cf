import type { KnownThing } from "../../belief/thing.ts";
import { LociError } from "../../schema/core.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";

/** The thing with an id (of a track or of a state) or a description, as it is now. */
export async function thingMeant(ref: string, scope: Scope): Promise<KnownThing> {
  const { memory } = scope;
  const known = await memory.thingById(ref);
  if (known) return known;
  const words = ref.trim().toLowerCase();
  const value =
    words === "" ? undefined : await evaluate(node("the", [node("things", [], { category: words })]), scope);
  const [thing] = value?.kind === "things" ? value.things : [];
  if (thing === undefined) throw new LociError("unknown-id", `there is no "${ref.slice(0, 60)}" to tell of`);
  return thing;
}
