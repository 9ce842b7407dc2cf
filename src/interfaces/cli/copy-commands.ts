import { parsePose, parseShare } from "./arguments.ts";
import type { AlignOptions } from "./commands/align.ts";
import type { SyncCommandOptions } from "./commands/sync.ts";
import { type AddCommand, onMemory } from "./option-groups.ts";

/** The commands that make another memory of one, and one map of several. */
export function addCopies(add: AddCommand): void {
  onMemory(
    add(
      "backup",
      "a consistent copy in another folder, while writing goes on",
      () => import("./commands/backup.ts"),
    ),
  ).argument("<dir>", "the new folder");
  add(
    "copy",
    "one memory into an empty one of any engine, every version and time as it was; cut off, run it again",
    () => import("./commands/copy.ts"),
  )
    .argument("<from>", "a folder, or postgres://user@host/database?scene=NAME")
    .argument("<to>", "likewise");
  onMemory(
    add<SyncCommandOptions>(
      "sync",
      "exchange what two memories have not heard of each other; cut off, run it again (docs/sync.md)",
      () => import("./commands/sync.ts"),
    ),
  )
    .argument(
      "<remote>",
      "a folder, http://HOST:PORT of a server (token in LOCI_TOKEN), or postgres://…?scene=NAME",
    )
    .option("--push", "only send what the other one lacks")
    .option("--pull", "only fetch what this one lacks")
    .option(
      "--forget-share <share>",
      "the part of the records, 0 to 1, that the other's forgettings may take with them",
      parseShare,
      0.05,
    );
  onMemory(
    add<AlignOptions>(
      "align",
      "join maps of one place that nobody has aligned; alone: all that can be recognised in one another",
      () => import("./commands/align.ts"),
    ),
  )
    .argument("[a]", "a map, by its name as stats tells it")
    .argument("[b]", "the map that is laid into it")
    .option(
      "--transform <x,y,z,yaw>",
      "how b lies in a, where it is known; yaw in radians, or 90deg",
      parsePose,
    )
    .option("--undo", "take b off a again: nothing is taken in anew")
    .option("--scene <id>", "of which place");
}
