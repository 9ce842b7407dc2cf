import { type Command, Option } from "commander";
import { POLICIES } from "../../schema/exploration-run.ts";
import { parseCount, parseList, parsePositive } from "./arguments.ts";
import type { ExploreCommandOptions } from "./commands/explore.ts";
import { onMemory } from "./option-groups.ts";
import type { Terminal } from "./terminal.ts";

type Add = <O extends { json?: boolean }>(
  usage: string,
  description: string,
  load: () => Promise<{ run: (options: O, terminal: Terminal, ...args: string[]) => Promise<void> }>,
) => Command;

/** The commands by which an agent goes to look. */
export function addExploring(command: Add): void {
  const inHouse = (made: Command): Command =>
    onMemory(made)
      .addOption(new Option("--family <family>", "what is simulated").choices(["house"]).default("house"))
      .option("--seed <n>", "which house", "1")
      .option("--rooms <n>", "a house of so many", parseCount)
      .option("--noise <x>", "of eyes and odometry, 0 to 1", Number, 0.5)
      .option("--agents <n>", "the one that is asked, and helpers", parseCount, 1)
      .addOption(
        new Option("--policy <name>", "who chooses where to go")
          .choices([...POLICIES].filter((one) => one !== "oracle"))
          .default("memory"),
      )
      .option("--budget <steps>", "steps of at most 3 m (default: 3 · √ of the floor's area)", parseCount)
      .option("--metres <m>", "of the one that is asked", parsePositive)
      .option("--without <list>", "leave the memory out of: planner, stopping, answering", parseList)
      .option("--record <file>", "write the run to this file, a line of JSON for each step")
      .option("--watch", "draw the map as it grows");
  inHouse(
    command<ExploreCommandOptions>(
      "explore",
      "finds something out by going to look, if the memory does not know it already",
      () => import("./commands/explore.ts"),
    ),
  )
    .requiredOption("--question <words>", "what is to be found out")
    .option("--options <list>", "the answers to choose from, with commas", parseList);
  inHouse(
    command<ExploreCommandOptions>(
      "navigate",
      "goes to a thing: straight there if it is remembered, looking for it if not",
      () => import("./commands/navigate.ts"),
    ),
  ).argument("<goal>", 'what to go to: "the blue mug"');
}
