import type { Random } from "../../../geometry/index.ts";
import type { Model } from "../model.ts";
import { COLOUR_NAMES, type ColourName, shade } from "../palette.ts";
import { mm } from "../plan/rect.ts";
import { TEXTS } from "../texts.ts";
import type { Look } from "../types.ts";

/** One drawn example of a model: its name, colour word and everything that its solids need. */
export interface Specimen {
  readonly model: Model;
  readonly name: string;
  readonly colour: ColourName;
  readonly look: Look;
}

/** Draws size, colours, material, variant and print. `smallest` asks for the least size, for tight rooms. */
export function drawSpecimen(model: Model, random: Random, smallest = false): Specimen {
  const size = model.size.map(([low, high]) => mm(smallest ? low : random.range(low, high)));
  const colour = random.pick(model.colours);
  const accentColour = random.pick(COLOUR_NAMES.filter((other) => other !== colour));
  const texts = model.texts === undefined ? undefined : TEXTS[model.texts];
  const look: Look = {
    model: model.category,
    size: { x: size[0]!, y: size[1]!, z: size[2]! },
    main: shade(colour, random),
    accent: shade(accentColour, random),
    material: random.pick(model.materials),
    variant: random.int(0, 12),
    ...(texts === undefined ? {} : { text: random.pick(texts) }),
  };
  return { model, name: random.pick(model.names), colour, look };
}
