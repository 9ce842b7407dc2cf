import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export async function run(options: MemoryOptions, terminal: Terminal, folder: string): Promise<void> {
  await withMemory(options, { create: false }, (memory) =>
    memory.backup(folder, (done, total) => terminal.progress(`${done} of ${total} pages`)),
  );
  terminal.result({ folder }, () => `copied to ${folder}`);
}
