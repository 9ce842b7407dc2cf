import { askMemory } from "../../compose/ask.ts";
import type { Memory } from "../../compose/memory.ts";
import { localFace } from "../../operations/face.ts";
import type { CallsTool } from "./by-tools.ts";
import type { Claims } from "./claims.ts";

/** What a person writes down, with the question that only it answers. */
const NOTES = [
  { text: "The trapeze is in the garage.", question: "Where is the trapeze?" },
  { text: "The vet comes at ten.", question: "When does the vet come?" },
  { text: "The spare key is under the doormat.", question: "Where is the spare key?" },
] as const;
/** Questions about the world before and after: a note is not an observation, and moves no clock. */
const STANDING = ["What has been moved since yesterday?", "What is gone?"] as const;

/** Every face answers from notes, and notes change nothing observed. It writes into the memory: give it a copy. */
export async function byNotes(claims: Claims, memory: Memory, call?: CallsTool): Promise<void> {
  const ask = async (question: string) => (await askMemory(memory, question, { navigate: false })).text;
  const before = await Promise.all(STANDING.map(ask));
  for (const { text } of NOTES) await memory.remember(text);
  for (const [n, question] of STANDING.entries()) {
    claims.add({ subject: question, aspect: "answer", face: "before notes", value: before[n]! });
    claims.add({ subject: question, aspect: "answer", face: "after notes", value: await ask(question) });
  }
  const face = localFace(memory);
  for (const { text, question } of NOTES) {
    const say = (by: string, told: string) =>
      claims.add({ subject: text, aspect: "told", face: by, value: told.includes(text) ? "yes" : "no" });
    say("note", text);
    say(question, await ask(question));
    const { hits } = await face.search({ text, kinds: ["caption"], limit: 3 });
    say("search", hits.flatMap(({ record }) => record.text).join("\n"));
    if (call === undefined) continue;
    say(`MCP ask "${question}"`, (await call("ask", { question })).text);
    say("MCP search", (await call("search", { text, kinds: ["caption"], limit: 3 })).text);
  }
}
