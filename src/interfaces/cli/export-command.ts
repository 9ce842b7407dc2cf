import { type Command, InvalidArgumentError, Option } from "commander";
import { EXPORT_FORMATS } from "../../compose.ts";
import { parseMoment, parsePositive } from "./arguments.ts";

/** Options of `export` besides the memory, and those that restrict what is read. */
export function withExportOptions(made: Command): Command {
  return made
    .argument(
      "<file>",
      "what its name ends in decides: .jsonl .mcap .glb .ply .geojson .dsg.json .json .yaml",
    )
    .addOption(new Option("--format <format>", "whatever the name ends in").choices(EXPORT_FORMATS))
    .option("--at <time>", "as of which moment of the world (default: the latest)", parseMoment)
    .option("--scene <id>", "only this scene")
    .option("--floor <n>", "nav2: which storey, 0 the lowest (default: the widest)", parseStorey)
    .option("--resolution <m>", "nav2: metres a pixel (default 0.05)", parsePositive);
}

function parseStorey(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError(`expected a storey from 0, got "${text}".`);
  return Number(text);
}
