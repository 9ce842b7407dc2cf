import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Memory, memoryExists, openMemory } from "../../../compose.ts";
import type { Hit } from "../../../index.ts";
import { LociError } from "../../../schema/core.ts";
import { titleOf } from "../query.ts";
import { story, storyTime } from "../story.ts";
import { countOf, type Terminal, timeText } from "../terminal.ts";

interface Options {
  readonly json?: boolean;
  readonly once?: boolean;
  readonly memory?: string;
}

interface Asked {
  readonly question: string;
  readonly call: string;
  readonly answer: string;
  readonly evidence: readonly string[];
}

const DAY = 24 * 60;

/** A sample memory of two robots in one flat, and a question for every key. */
export async function run(options: Options, terminal: Terminal): Promise<void> {
  const folder = options.memory ?? mkdtempSync(join(tmpdir(), "loci-demo-"));
  if (memoryExists(folder))
    throw new LociError("memory-exists", `${folder} holds a memory already; give the demo a new folder`);
  const memory = await openMemory(folder, { nowUs: () => storyTime(DAY + 60) });
  try {
    const { records, sightings } = story();
    const { written } = await memory.write({ records, sightings });
    const stats = await memory.stats();
    const asked = await askAll(memory);
    terminal.result({ records: written, bytes: stats.bytes, questions: asked }, () =>
      [
        `Two robots, two days, one flat: ${countOf(written, "record")} and ${countOf(stats.sightings, "sighting")} remembered, by meaning, place and time.`,
        ...asked.flatMap(({ question, call, answer, evidence }) => [
          "",
          `? ${question}`,
          `  ${call}`,
          `> ${answer}`,
          ...evidence.map((line) => `  - ${line}`),
        ]),
        "",
        options.memory
          ? `The memory stays in ${folder}: try  npm run -s loci -- search --memory ${folder} --text "something to drink from"`
          : 'Your own: npm run -s loci -- remember "the ladder is in the garage" --at 1,2,0   then   npm run -s loci -- search --text ladder',
      ].join("\n"),
    );
  } finally {
    await memory.close();
    if (options.memory === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function askAll(memory: Memory): Promise<Asked[]> {
  const kitchen = { x: 2.5, y: 1.2, z: 0.8 };
  const reader = await memory.reader();
  const ask = async (
    question: string,
    call: string,
    hits: readonly Hit[],
    answer?: string,
  ): Promise<Asked> => ({
    question,
    call,
    answer: answer ?? (hits[0] ? describe(hits[0]) : "nothing found"),
    evidence: hits.slice(answer ? 0 : 1, 3).map(describe),
  });
  const [mug] = await reader.presence(["mug-1"]);
  const atTen = memory.as({ asOfWorldUs: storyTime(120) });
  const guest = memory.as({ principal: { id: "guest", labels: [] } });
  return [
    await ask(
      "Where can I find something to drink from?",
      'tracks().like("something to drink from").live()',
      await memory.tracks().like("something to drink from").live().find(3),
    ),
    await ask(
      "Where was the red mug at ten on the first day?",
      'as({ asOfWorldUs }).tracks().like("red mug")',
      await atTen.tracks().like("red mug").find(1),
    ),
    await ask(
      "When did it leave the kitchen?",
      'presence(["mug-1"])',
      [],
      `between ${timeText(mug?.lastSeenUs ?? 0)}, when it was last seen there, and ${timeText(mug?.firstAbsentAfterUs ?? 0)}, when a robot looked and it was gone`,
    ),
    await ask(
      "Who moved it?",
      'captions().like("somebody carries a mug").during(…)',
      await memory.captions().like("somebody carries a mug").during(storyTime(120), storyTime(210)).find(1),
    ),
    await ask(
      "What is within two metres of the kitchen counter?",
      "states().near(kitchen, 2).live()",
      await memory.states().near(kitchen, 2).live().find(5),
    ),
    await ask(
      "Which thing is closest to the fire extinguisher?",
      "states().nearest(p).live()",
      (await memory.states().nearest({ x: 4.1, y: 3.8, z: 1 }).live().find(2)).slice(1),
    ),
    await ask(
      "Does anything need watering?",
      'tracks().like("needs watering")',
      await memory.tracks().like("needs watering").find(2),
    ),
    await ask(
      "What happened in the office on the first day?",
      'records().like("office").during(…)',
      await memory.records("caption", "state").like("office").during(storyTime(0), storyTime(DAY)).find(3),
    ),
    await ask(
      "Which robot was short of power?",
      'captions().like("low battery")',
      await memory.captions().like("low battery").find(1),
    ),
    await ask(
      "How long did Anna wait?",
      'captions().words("waited")',
      await memory.captions().words("waited").find(1),
    ),
    await ask(
      "What arrived most recently?",
      'captions().rankedBy("latest")',
      await memory.captions().rankedBy("latest").find(1),
    ),
    await ask(
      "What does a guest learn of the diary?",
      'as({ principal: guest }).tracks().words("diary").count()',
      [],
      `${await guest.tracks().words("diary").count()} records; its owner sees ${await memory.tracks().words("diary").count()}`,
    ),
  ];
}

function describe({ record, position }: Hit): string {
  const where = position
    ? ` at ${position.x.toFixed(1)}, ${position.y.toFixed(1)}, ${position.z.toFixed(1)} m`
    : "";
  const when =
    record.validToUs === null
      ? `since ${timeText(record.validFromUs)}`
      : `from ${timeText(record.validFromUs)}`;
  return `${titleOf(record)}${where}, ${when} (${record.author}, ${record.id})`;
}
