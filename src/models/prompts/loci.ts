import { z } from "zod";
import { lines, phrase, probability } from "./fields.ts";
import { definePrompt, systemOf } from "./prompt-spec.ts";
import { quoted } from "./quote.ts";

const MAX_THINGS = 64;
const thousandth = z.number().min(0).max(1_000);

/**
 * Locates things in a picture, which no paper asks of a language model. Boxes are given in thousandths of the
 * picture, since models scale it to an unknown size.
 */
export const findThings = definePrompt({
  id: "loci/find-things",
  form: "json",
  input: z.object({ classes: z.array(phrase).max(256).default([]) }),
  output: z.object({
    things: z
      .array(
        z.object({
          label: phrase,
          /** Left, top, right, bottom. */
          box: z.tuple([thousandth, thousandth, thousandth, thousandth]),
          confidence: probability.default(0.6),
        }),
      )
      .max(MAX_THINGS),
  }),
  images: { least: 1, most: 1 },
  maxTokens: 2_000,
  render: ({ classes }) => ({
    system: systemOf("You find things in the pictures of a robot's camera."),
    user: lines(
      classes.length > 0
        ? lines(
            "Find every one of these in the picture, and nothing else:",
            quoted("classes", classes.join("\n")),
          )
        : "Find every separate thing in the picture that one could move, use or go to; no walls, floors or ceilings.",
      `Answer {"things": [{"label": ${classes.length > 0 ? "the word from the list" : "its kind in one or two words"}, "box": [left, top, right, bottom], "confidence": 0 to 1}]}, at most ${MAX_THINGS}.`,
      "Boxes are whole thousandths of the picture's width and height, 0 at the left and at the top. Where there is nothing, give an empty list.",
    ),
  }),
});
