import type { Command } from "commander";
import { parseMoment, parseSaidMoment } from "./arguments.ts";
import type { LISTINGS } from "./commands/listings.ts";

type Load = () => Promise<{ run: (typeof LISTINGS)["things"]["run"] }>;

/** The commands that list what a memory holds. */
export function addListings(add: (usage: string, description: string, load: Load) => Command): void {
  const listing = (what: keyof typeof LISTINGS, description: string) =>
    add(what, description, async () => (await import("./commands/listings.ts")).LISTINGS[what])
      .option("--now <time>", "as of when (default: the last moment the memory knows)", parseMoment)
      .option("--scene <id>", "of which place")
      .option("--frame <id>", "of the map that this frame belongs to (default: the first map)");
  listing("things", "what there is, and where")
    .option("--room <name>", "only in this room")
    .option("--floor <name>", "only on this floor: upstairs, ground …")
    .option("--kind <name>", "only of this kind: chair, furniture …")
    .option(
      "--pictures <folder>",
      "write the best view of each into this folder, with a page that names them",
    );
  listing("rooms", "the rooms, with their floor and size");
  listing("people", "who was seen, and where last");
  listing("changes", "what changed").option(
    "--since <time>",
    "only after this: a time, or words such as yesterday",
    parseSaidMoment,
  );
  listing("route", "the way to a room or a thing")
    .argument("<a>", "from where; alone: where to, from where the asked one stands")
    .argument("[b]", "where to");
}
