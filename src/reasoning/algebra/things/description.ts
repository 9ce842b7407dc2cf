import { z } from "zod";
import type { Description } from "../../../belief/description.ts";
import { lookup } from "../../../ontology/index.ts";
import { LIMITS, nameSchema } from "../../../schema/index.ts";

const words = z.array(nameSchema).max(16).optional();

/** The possible parts of a description: the options of `things`. */
export const thingOptions = z.strictObject({
  category: nameSchema.optional(),
  colour: nameSchema.optional(),
  material: nameSchema.optional(),
  size: nameSchema.optional(),
  pattern: nameSchema.optional(),
  shape: nameSchema.optional(),
  openness: nameSchema.optional(),
  power: nameSchema.optional(),
  fill: nameSchema.optional(),
  occupancy: nameSchema.optional(),
  text: z.string().max(LIMITS.lineChars).optional(),
  owner: nameSchema.optional(),
  name: nameSchema.optional(),
  words,
});
type ThingOptions = z.infer<typeof thingOptions>;

const ATTRIBUTES = [
  "colour",
  "material",
  "pattern",
  "shape",
  "openness",
  "power",
  "fill",
  "occupancy",
  "text",
] as const;
/** Words for anything, which give no kind. */
const ANYTHING: ReadonlySet<string> = new Set(
  "object thing item something anything everything stuff article piece entity".split(" "),
);

/** The options as a description, with the phrase that a speaker would use. */
export function describedBy(options: ThingOptions): Description {
  const said = options.category === undefined ? undefined : kindSaid(options.category.toLowerCase().trim());
  const head = options.name?.toLowerCase() ?? (said === undefined || ANYTHING.has(said) ? "object" : said);
  const attributes = Object.fromEntries(
    ATTRIBUTES.flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [[name, name === "text" ? value : value.toLowerCase()]];
    }),
  );
  const mods = [...(options.size === undefined ? [] : [options.size]), ...(options.words ?? [])];
  return {
    head,
    mods,
    attributes,
    ...(options.owner !== undefined && { owner: options.owner }),
    phrase: phraseOf(options, mods),
  };
}

/** After the name of a thing, these words only say that it is there. */
const THERE = / (?:installed|present|available|visible|fitted|mounted|located|placed|provided|left over)$/;

/** "Curtain installed" is a curtain, unless a thing has that name. */
function kindSaid(category: string): string {
  const short = category.replace(THERE, "");
  return short !== category && lookup(category) === undefined && lookup(short) !== undefined
    ? short
    : category;
}

function phraseOf(options: ThingOptions, mods: readonly string[]): string {
  const { owner, openness, fill, colour, material, text } = options;
  return [
    ...(owner === undefined ? [] : [/^(?:my|your|our|his|her|their)$/.test(owner) ? owner : `${owner}'s`]),
    ...mods,
    ...[openness, fill, colour, material].filter((word) => word !== undefined),
    options.name === undefined ? (options.category ?? "thing") : properly(options.name),
    ...(text === undefined ? [] : [`that says “${text}”`]),
  ].join(" ");
}

/** A name in its written form: the reader's words are lower-case. */
export function properly(name: string): string {
  return name.replace(/(?<=^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
}
