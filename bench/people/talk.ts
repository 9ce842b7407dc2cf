/**
 * `node bench/people/talk.ts bench/people/talks/talks.md --cache DIR`: asks the conversations of a file of the memories that `eval
 * people --cache DIR` has made, and prints each answer below the one that is right. A person marks them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Conversation, type Memory, openMemory } from "../../src/compose.ts";

const { values, positionals } = parseArgs({ options: { cache: { type: "string" } }, allowPositionals: true });
const cache = values.cache!;
const memories = new Map<string, Memory>();

async function memoryOf(house: string): Promise<Memory> {
  const known = memories.get(house);
  if (known) return known;
  const folder = readdirSync(cache).find(
    (name) => name.startsWith("memory_") && name.includes(`_${house}_`),
  )!;
  const memory = await openMemory(join(cache, folder), { create: false });
  memories.set(house, memory);
  return memory;
}

let talk: Conversation | undefined;
for (const line of readFileSync(positionals[0]!, "utf8").split("\n")) {
  const title = /^### ((\d+)-\w+)/.exec(line);
  if (title) {
    talk = new Conversation(await memoryOf(title[2]!));
    console.log(`\n${title[1]}`);
  }
  const turn = /^\d+\. (.*?) → (.*)$/.exec(line);
  if (!turn || !talk) continue;
  const { text, status, confidence } = await talk.ask(turn[1]!);
  console.log(
    `${turn[1]}\n  right: ${turn[2]}\n  said:  ${text} (${status}, ${Math.round(100 * confidence)} %)`,
  );
}
for (const memory of memories.values()) await memory.close();
