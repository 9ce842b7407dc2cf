import { Option } from "commander";
import { parseCount, parseList, parseMoment, parsePoint } from "./arguments.ts";
import type { WatchCommandOptions } from "./commands/watch.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** The commands by which people tell a memory something and subscribe to it. */
export function addPeople(command: AddCommand): void {
  onMemory(command("remember", "a fact with a place and a time", () => import("./commands/remember.ts")))
    .argument("<text>", "what to remember; each sentence is found by itself")
    .option("--at <x,y,z>", "where, in metres", parsePoint)
    .option("--time <time>", "when it was so (default: now)", parseMoment)
    .option("--until <time>", "until when it was so", parseMoment)
    .option("--topic <name>", "what it is: note, battery, task …")
    .option("--author <id>", "who says so")
    .option("--labels <list>", "access labels that a reader must hold", parseList);

  onMemory(
    command<WatchCommandOptions>(
      "watch",
      "print a line whenever something comes to be so",
      () => import("./commands/watch.ts"),
    ),
  )
    .argument("[question]", "“tell me when the door opens”, “who is in the kitchen?”")
    .option("--expression <text>", "an expression instead, in the notation of ask --explain")
    .addOption(
      new Option("--on <side>", "when to tell (default: as the words say)").choices([
        "enter",
        "exit",
        "change",
      ]),
    )
    .option("--min-confidence <p>", "something is so from here on", Number, 0.5)
    .option("--hysteresis <p>", "and no longer when it falls below that by this", Number, 0.1)
    .option("--cooldown <s>", "seconds of silence after telling", Number, 0)
    .option("--scene <id>", "about which place")
    .option("--labels <list>", "as somebody who holds only these access labels", parseList)
    .option("--count <n>", "end after so many", parseCount);
}
