import { z } from "zod";
import { LIMITS } from "../../schema/index.ts";
import { quoted } from "./quote.ts";

/** Fields shared by many prompts. Lengths are bounded, so that no answer grows without end. */
export const question = z.string().min(1).max(LIMITS.queryChars);
export const seen = z.string().max(64_000);
export const sentence = z.string().trim().min(1).max(2_000);
export const phrase = z.string().trim().min(1).max(300);
export const probability = z.number().min(0).max(1);
export const letter = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z](?=$|[^A-Z0-9])/, "expected one letter")
  .transform((text) => text.slice(0, 1));
export const options = z.array(z.string().min(1).max(2_000)).min(2).max(26);
export const point = z.object({ x: z.number(), y: z.number(), z: z.number() });
export const yesNo = z.enum(["yes", "no"]);

/** The options as quoted lines, A first. */
export function optionsBlock(given: readonly string[]): string {
  return quoted("options", given.map((text, n) => `${String.fromCharCode(65 + n)}. ${text}`).join("\n"));
}

/** Blocks and sentences in order; absent ones are omitted. */
export function lines(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}

/** What is believed of the rooms and things that the texts mention; nothing if there are none. */
export function thingsBlock(things: string | undefined): string | undefined {
  if (things === undefined || things === "") return undefined;
  return lines(
    "The rooms and things in them by their ids, each as it is by all looks at it: what it is, room, size, what holds it, its states with when they changed, when it was seen, on which side of the robot it is now. “(3×)” in a text: three captions of that moment say so. Captions err, mostly in what one alone says; where the two disagree, believe the things.",
    quoted("things", things),
  );
}
