import { type Command, Option } from "commander";
import { POLICIES } from "../../schema/exploration-run.ts";
import { parseCount, parseFence, parseList, parsePositive, parseSeed } from "./arguments.ts";
import type { ExploreCommandOptions } from "./commands/explore.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** The commands by which an agent explores. */
export function addExploring(
  command: AddCommand,
  withModels: (made: Command, what: string, roles: string) => Command,
): void {
  const inHouse = (made: Command): Command =>
    withModels(
      onMemory(made),
      "plan, stop and answer with a language model that is shown what the memory holds so far",
      "reasoner, confidence, selector",
    )
      .option(
        "--system <name>",
        "who answers in the end: rules, r4, star, memory-eqa, embodied-rag, r-eqa, blind, uniform, whole-history (default: rules; with --model r4, in mode paper memory-eqa)",
      )
      .option(
        "--model-calls <n>",
        "of the model on the way, for planning and stopping (default 200)",
        parseCount,
      )
      .option("--model-tokens <n>", "that these calls may use up (default 600000)", parseCount)
      .option("--model-seconds <s>", "of waiting for them (default 1200)", parsePositive)
      .addOption(new Option("--family <family>", "what is simulated").choices(["house"]).default("house"))
      .option("--seed <n>", "which house", parseSeed, "1")
      .option("--rooms <n>", "a house of so many", parseCount)
      .addOption(new Option("--floors <n>", "on so many storeys").choices(["1", "2"]).default("1"))
      .option("--noise <x>", "of eyes and odometry, 0 to 1", Number, 0.5)
      .option("--agents <n>", "the one that is asked, and helpers", parseCount, 1)
      .addOption(
        new Option("--policy <name>", "who chooses where to go")
          .choices([...POLICIES].filter((one) => one !== "oracle"))
          .default("memory"),
      )
      .addOption(
        new Option("--mode <mode>", "paper: frontiers alone, and stopping by confidence, as MemoryEQA has it")
          .choices(["loci", "paper"])
          .default("loci"),
      )
      .option("--budget <steps>", "steps of at most 3 m (default: 3 · √ of the floor's area)", parseCount)
      .option("--metres <m>", "of the one that is asked", parsePositive)
      .option("--without <list>", "leave the memory out of: planner, stopping, answering", parseList)
      .option("--record <file>", "write the run to this file, a line of JSON for each step")
      .option("--watch", "draw the map as it grows")
      .option("--robot <url>", "a robot instead of the simulator: ws://HOST:9090, a rosbridge")
      .option("--body <url>", "a body that speaks the protocol of docs/body.md: ws://HOST:PORT")
      .addOption(
        new Option("--drive <how>", "Nav2's action (or a goal on a topic), or velocities on /cmd_vel")
          .choices(["nav2", "velocity"])
          .default("nav2"),
      )
      .option("--detector <choice>", "finds things in the robot's pictures; as for ingest")
      .option("--classes <list>", "words to look for; an open detector needs them", parseList)
      .option("--fence <corners>", 'the floor it must not leave: "0,0 5,0 5,4 0,4"', parseFence)
      .option("--max-speed <m/s>", "not faster than this", parsePositive)
      .option("--max-doubt <m>", "it holds while it is less sure where it is (default 0.5)", parsePositive);
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
