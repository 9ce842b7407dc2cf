import type { z } from "zod";
import { attributesOf, lookup } from "../../ontology/index.ts";
import type { Describer, ThingDescription, ThingToDescribe } from "../describer.ts";
import type { EncodedImage } from "../embedder.ts";
import type { LanguageModel } from "../language/language-model.ts";
import { describeInstances, THINGS_A_CALL } from "../prompts/r4.ts";
import { runPrompt } from "../prompts/run-prompt.ts";
import { inParallel, orNull, PARALLEL } from "./or-null.ts";

type Said = z.output<typeof describeInstances.output>["things"][number];

interface Shown {
  readonly at: number;
  readonly label: string | null;
  readonly image: EncodedImage;
}

/**
 * A vision model as describer, several things in one call. Where a call with several pictures fails, each is asked
 * alone: some models take only one. The caller that opened the model closes it.
 */
export function modelDescriber(model: LanguageModel): Describer {
  return {
    id: model.id,
    async describe(things, { signal } = {}) {
      const shown = await shownOf(things);
      const calls = Array.from({ length: Math.ceil(shown.length / THINGS_A_CALL) }, (_, n) =>
        shown.slice(THINGS_A_CALL * n, THINGS_A_CALL * (n + 1)),
      );
      const ask = async (some: readonly Shown[]) => {
        const input = { labels: some.map(({ label }) => label) };
        const images = some.map(({ image }) => image);
        return (await orNull(runPrompt(model, describeInstances, input, { images, signal })))?.things;
      };
      const out = new Array<ThingDescription | null>(things.length).fill(null);
      const take = (some: readonly Shown[], said: readonly Said[]) =>
        some.forEach(({ at }, n) => {
          const one = said.find((each) => each.n === n + 1);
          out[at] = (one && descriptionOf(one)) ?? null;
        });
      await inParallel(calls, model.parallel ?? PARALLEL, async (some) => {
        const together = await ask(some);
        if (together) return take(some, together);
        if (some.length > 1) for (const one of some) take([one], (await ask([one])) ?? []);
      });
      return out;
    },
    close: async () => undefined,
  };
}

async function shownOf(things: readonly ThingToDescribe[]): Promise<Shown[]> {
  const all = await Promise.all(
    things.map(async ({ label = null, image }, at) => ({ at, label, image: await image() })),
  );
  return all.flatMap(({ image, ...rest }) => (image ? [{ ...rest, image }] : []));
}

/** The words of the ontology for what was said; undefined where nothing was. */
function descriptionOf({
  phrase,
  kind,
  sure,
  colour,
  material,
  text,
  state,
  parts,
}: Said): ThingDescription | undefined {
  const name = phrase ?? kind;
  if (!name) return undefined;
  const stated = [colour, material, state].flatMap((words) => (words ? statements(words) : []));
  const standing = (parts ?? []).filter((part) => !name.toLowerCase().includes(part.toLowerCase()));
  return {
    phrase: standing.length > 0 ? `${name} with ${standing.join(", ")}` : name,
    isSure: sure,
    attributes: Object.fromEntries(stated.reverse()),
    ...(kind && { kind: bareKind(kind) }),
    ...(text && { text }),
  };
}

/** The longest known ending, without the adjectives before it; the whole where none is known. */
function bareKind(kind: string): string {
  const words = kind.trim().toLowerCase().split(/\s+/);
  const endings = words.map((_, at) => words.slice(at).join(" "));
  return endings.find((ending) => lookup(ending) !== undefined) ?? endings[0]!;
}

/** What a phrase states, by its last word that states anything: "light brown" → colour brown. */
function statements(words: string): [attribute: string, value: string][] {
  const found = [words, ...words.split(/[\s,/]+/).reverse()].map((each) => attributesOf(each)[0]);
  const first = found.find((one) => one !== undefined);
  return first ? [[first.attribute, first.value]] : [];
}
