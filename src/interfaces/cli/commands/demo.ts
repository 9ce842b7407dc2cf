import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { askMemory, buildDemo, type Memory, memoryExists, openMemory } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import type { AnswerRecord } from "../../../schema/index.ts";
import { type Serving, serve } from "../../http/server.ts";
import { viewerFolder } from "../../http/viewer-files.ts";
import { answerText, evidenceLines } from "../answer-text.ts";
import { DEMO_QUESTIONS } from "../demo-questions.ts";
import { countOf, type Terminal } from "../terminal.ts";

interface Options {
  readonly json?: boolean;
  readonly once?: boolean;
  readonly memory?: string;
  readonly port?: number;
}

/** A sample memory made from frames, questions of every kind with the evidence behind the answers, and then the page. */
export async function run(options: Options, terminal: Terminal): Promise<void> {
  const folder = options.memory ?? mkdtempSync(join(tmpdir(), "loci-demo-"));
  if (memoryExists(folder))
    throw new LociError("memory-exists", `${folder} holds a memory already; give the demo a new folder`);
  const memory = await openMemory(folder);
  try {
    if (!terminal.json)
      terminal.note("Two robots tour a small house on two mornings; half a minute, please.");
    const built = await buildDemo(memory, {
      signal: terminal.signal,
      onProgress: (line) => terminal.progress(line),
    });
    const stats = await memory.stats();
    const asked: AnswerRecord[] = [];
    for (const { text } of DEMO_QUESTIONS)
      asked.push(await askMemory(memory, text, {}, { signal: terminal.signal }));
    terminal.result({ ...built, bytes: stats.bytes, questions: asked }, () =>
      [
        `${countOf(built.frames, "frame")} became ${countOf(built.tracks, "track")}, ${countOf(stats.records.view, "view")}, ${countOf(stats.records.caption, "caption")} and ${countOf(stats.records.region, "region")}, in ${(stats.bytes / 1e6).toFixed(1)} MB.`,
        ...asked.flatMap((answer) => [
          "",
          `? ${answer.question}`,
          `> ${answerText(answer)}`,
          ...evidenceLines(answer, 3),
        ]),
        "",
        options.memory
          ? `The memory stays in ${folder}: try  npm run -s loci -- ask "where is the bed?" --memory ${folder}`
          : 'Your own: npm run -s loci -- remember "the ladder is in the garage" --at 1,2,0   then   npm run -s loci -- ask "where is the ladder?"',
      ].join("\n"),
    );
    if (!options.once) await show(memory, options, terminal);
  } finally {
    await memory.close();
    if (options.memory === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const PORT = 7077;

/** The same memory in the browser, until the demo is stopped. */
async function show(memory: Memory, { port }: Options, terminal: Terminal): Promise<void> {
  const viewer = await viewerFolder(() => terminal.progress("building the viewer, once"));
  const log = pino({ level: "silent" });
  const at = (n: number) => serve(memory, { port: n, log, viewer });
  // Without a requested port, any free one will do.
  const serving: Serving = await (port === undefined ? at(PORT).catch(() => at(0)) : at(port));
  terminal.note(`\nNow look around in it: open ${serving.url} in a browser (Ctrl-C ends the demo).`);
  await new Promise<void>((resolve) => {
    if (terminal.signal.aborted) resolve();
    else terminal.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await serving.close();
}
