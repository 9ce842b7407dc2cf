import { node } from "../../algebra/notation.ts";
import { meant, type Noun } from "../phrases.ts";
import { type Frame, frames } from "./frame.ts";

/** What something is like, in several words. */
export const DESCRIBE: readonly Frame[] = [
  ...frames(
    [
      "(describe | tell me about | what can you tell me about | what do you know about | tell me more about | what do you remember about | give me a description of | information about | details about | tell me everything about) $np:any",
      "what (does | do | did) $np:any look like",
      "how (does | do | did) $np:any look",
      "(summarise | summarize) $np:any",
      "what BE $np:any like",
    ],
    ({ np }: { np: Noun }) => node("describe", [np.kind === "self" ? node("house") : meant(np)]),
  ),
  ...frames(
    [
      "describe (what you see | the environment | the surroundings | your surroundings | everything | this place | what you saw)",
      "what kind of (place | house | home | building) is this",
      "(what | where) is this place",
      "give me (an overview | a summary) [of everything]",
      "what (do | did | can | would) (you | i | we) (see | know | remember | find)",
      "what is (here | there | around)",
    ],
    () => node("describe", [node("house")]),
    0.02,
  ),
];
