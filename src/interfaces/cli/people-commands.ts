import { Option } from "commander";
import { parseCount, parseList, parseMoment, parsePoint, parsePositive } from "./arguments.ts";
import type { PEOPLE } from "./commands/people.ts";
import type { WatchCommandOptions } from "./commands/watch.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** The commands by which people tell a memory something, correct it, and subscribe to it. */
export function addPeople(command: AddCommand): void {
  onMemory(command("remember", "a fact with a place and a time", () => import("./commands/remember.ts")))
    .argument("<text>", "what to remember; each sentence is found by itself")
    .option("--at <x,y,z>", "where, in metres", parsePoint)
    .option("--time <time>", "when it was so (default: now)", parseMoment)
    .option("--until <time>", "until when it was so", parseMoment)
    .option("--topic <name>", "what it is: note, battery, task …")
    .option("--author <id>", "who says so")
    .option("--labels <list>", "access labels that a reader must hold", parseList);

  const saying = (what: keyof typeof PEOPLE, usage: string, description: string) =>
    onMemory(
      command(usage, description, async () => (await import("./commands/people.ts")).PEOPLE[what]),
    ).option("--author <id>", "who says so");
  saying("correct", "correct", "say what kind of thing or room something is: “that is a printer”")
    .argument("<target>", "its id, or words for it: “the box on the desk”")
    .requiredOption("--is <kind>", "what it is: printer");
  saying("name", "name", "give a thing, a room or a place a name to be asked for by")
    .argument("[target]", "its id, or words for it; or --at")
    .requiredOption("--as <name>", "what it is called: “charging dock”, “Grandma's corner”")
    .option("--at <x,y,z>", "a place instead, in metres", parsePoint)
    .option("--radius <m>", "how far the place reaches (default: 1)", parsePositive)
    .option("--labels <list>", "access labels of the place", parseList)
    .option("--scene <id>", "in which scene");
  saying("undo", "undo", "take back a correction or a name").argument("[id]", "which; default: the last one");
  onMemory(
    command(
      "corrections",
      "what people said, the latest first",
      async () => (await import("./commands/people.ts")).PEOPLE.corrections,
    ),
  )
    .option("--labels <list>", "as somebody who holds only these access labels", parseList)
    .option("--limit <n>", "how many", parseCount);

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
