import type { KnownThing } from "../../../belief/thing.ts";
import { clockText } from "../../say/figures.ts";
import { isPerson, theThing } from "../../say/naming.ts";
import type { Operator, Scope } from "../operator.ts";
import { KINDS, unknownValue, type Value, wordsValue } from "../value.ts";

/** The most records that are described; all are attached to the answer. */
const MOST_TOLD = 3;

/** The evidence for an answer, in words: how often, when and by which robot its subject was seen. */
async function told(value: Value, { memory }: Scope): Promise<readonly string[]> {
  const states = value.evidence.filter(({ kind }) => kind === "state").slice(0, MOST_TOLD);
  const known = new Map(thingsIn(value).map((thing) => [thing.state.id, thing]));
  const presence = await memory.presence(states.map(({ ref }) => ref));
  const seen = states.map(({ ref, why, atUs }) => {
    const looks = presence.get(ref);
    const thing = known.get(ref);
    const what = thing && isPerson(thing) ? theThing(thing) : `the ${why}`;
    if (!looks || looks.seenCount === 0) return `I was told of ${what}`;
    const last = Math.min(memory.nowUs, looks.lastSeenUs ?? atUs);
    const often = looks.seenCount === 1 ? "once" : `${looks.seenCount} times`;
    return `I saw ${what} ${often}, last at ${clockText(last)}`;
  });
  const written = value.evidence
    .filter(({ kind }) => kind === "caption")
    .slice(0, MOST_TOLD)
    .map(({ why, atUs }) => `I was told “${why}” at ${clockText(atUs)}`);
  const happened = value.evidence
    .filter(({ kind }) => kind === "event")
    .slice(0, MOST_TOLD)
    .map(({ why, atUs }) => `at ${clockText(atUs)}: ${why}`);
  return [...seen, ...written, ...happened];
}

function thingsIn(value: Value): readonly KnownThing[] {
  switch (value.kind) {
    case "things":
      return value.things;
    case "words":
      return value.items.flatMap(({ thing }) => thing ?? []);
    case "truth":
      return value.shown ? thingsIn(value.shown) : [];
    default:
      return [];
  }
}

/** The evidence for a statement. */
export const grounds: readonly Operator[] = [
  {
    name: "grounds",
    says: "why the asked one thinks so, how it knows: what an answer rests on, when and how often it was seen",
    takes: [{ name: "answer", kinds: KINDS }],
    gives: "words",
    reads: ["state", "observation"],
    copes: true,
    async run(call) {
      const value = await call.arg(0);
      const lines = await told(value, call.scope);
      const missing = value.complete.missing.slice(0, MOST_TOLD);
      if (lines.length === 0 && value.kind === "unknown")
        return wordsValue(
          "description",
          [{ words: value.says === "" ? "I saw nothing that tells" : value.says, p: value.p }],
          value,
        );
      if (lines.length === 0 && missing.length === 0)
        return unknownValue("not-yet", "I can point at no single look that says so", {
          evidence: value.evidence,
        });
      const unlooked = missing.length > 0 ? [`I did not look at ${missing.join(", ")}`] : [];
      const words = `${[...lines, ...unlooked].join("; ")}.`;
      return wordsValue(
        "description",
        [{ words: words[0]!.toUpperCase() + words.slice(1), p: value.p }],
        value,
      );
    },
  },
];
