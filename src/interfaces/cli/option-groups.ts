import { type Command, Option } from "commander";
import { parseList, parseMoment } from "./arguments.ts";
import type { Terminal } from "./terminal.ts";

/** How the program wires a command: its module exports `run(options, terminal, ...args)`. */
export type AddCommand = <O extends { json?: boolean }>(
  usage: string,
  description: string,
  load: () => Promise<{ run: (options: O, terminal: Terminal, ...args: string[]) => Promise<void> }>,
) => Command;

/** Suites about simulated worlds, and datasets of others, as the help lists them. */
export const SUITES =
  "openeqa, mt, navqa-short, navqa-medium, navqa-long, erag, change, motion, collab, all, warehouse, campus-short, campus-medium, campus-long";
export const DATASETS =
  "mine, open-eqa, a-eqa, hm-eqa, mt-hm3d, express-bench, la-eqa, navqa, oc-navqa, vsi-bench, sqa3d, sqa3d-posed, goat, goat-second, goals, homer-plus, embodied-rag, erqa, vlm4d, pictures";

/** Options of commands that use a memory. */
export const onMemory = (made: Command): Command =>
  made
    .addOption(
      new Option("--memory <place>", "the memory: a folder, or postgres://user@host/database?scene=NAME")
        .env("LOCI_MEMORY")
        .default(".loci"),
    )
    .addOption(
      new Option(
        "--embedder <choice>",
        "loci, hashing:DIM, use-lite, transformers:DIR, openai:MODEL@URL",
      ).env("LOCI_EMBEDDER"),
    );

/** Options of commands that read as a given reader or as of a time. */
export const asReader = (made: Command): Command =>
  made
    .option("--as-of <time>", "what the memory believed then", parseMoment)
    .option("--as-of-world <time>", "what was so in the world then", parseMoment)
    .option("--labels <list>", "read as somebody who holds only these access labels", parseList);
