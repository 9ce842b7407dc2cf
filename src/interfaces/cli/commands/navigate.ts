import type { Terminal } from "../terminal.ts";
import { type ExploreCommandOptions, goAndLook } from "./explore.ts";

export function run(options: ExploreCommandOptions, terminal: Terminal, goal: string): Promise<void> {
  return goAndLook(options, terminal, "navigate", goal);
}
