import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { VectorSpace } from "../port.ts";

/** Removes every graph of a folder, whole or not: what was forgotten is in them. */
export function dropGraphs(folder: string): void {
  drop(folder, (name) => name.startsWith("hnsw-"));
}

/** Removes the graphs of one space but for one file, and what builders that died left half written. */
export function dropOthers(folder: string, space: VectorSpace, kept?: string): void {
  drop(folder, (name) => {
    if (name === kept || !name.startsWith(`hnsw-${space}`)) return false;
    const builder = /-(\d+)-\d+\.partial$/.exec(name)?.[1];
    return builder === undefined ? kept === undefined || name.endsWith(".bin") : !isAlive(Number(builder));
  });
}

function drop(folder: string, isDue: (name: string) => boolean): void {
  for (const name of readdirSync(folder).filter(isDue)) {
    try {
      rmSync(join(folder, name), { force: true });
    } catch (error) {
      // Some systems keep a file that is mapped; without its facts it is never used.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
