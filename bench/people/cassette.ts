/**
 * `node bench/people/cassette.ts FILE --upstream URL --by "who answers, when" --questions A.jsonl …`: an OpenAI-compatible server
 * that passes on to another and keeps what it said, by question. Run `eval people --model openai:NAME@URL` against it; run again, it
 * goes on where it was stopped. `npm run test:slow` says the same again from the files in `bench/people/cassettes`.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { parseArgs } from "node:util";
import { type Cassette, readCassette, startCassetteServer } from "../../src/models/testing/cassette.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    upstream: { type: "string" },
    by: { type: "string" },
    questions: { type: "string", multiple: true },
  },
});
const file = positionals[0]!;
const cassette: Cassette = existsSync(file) ? readCassette(file) : { by: values.by!, questions: {} };
for (const path of values.questions ?? [])
  for (const line of readFileSync(path, "utf8").trim().split("\n"))
    cassette.questions[(JSON.parse(line) as { question: string }).question] ??= [];

const keep = () => {
  const questions = Object.entries(cassette.questions).filter(([, exchanges]) => exchanges.length > 0);
  writeFileSync(
    `${file}.new`,
    `${JSON.stringify({ by: cassette.by, questions: Object.fromEntries(questions) })}\n`,
  );
  renameSync(`${file}.new`, file);
};

const server = await startCassetteServer(cassette, async (body) => {
  const reply = await passedOn(`${values.upstream}/chat/completions`, body);
  if (reply !== undefined) setImmediate(keep);
  return reply;
});
console.log(server.baseUrl);

/** Not by fetch, which gives a model five minutes at most: who answers may be a person. */
function passedOn(url: string, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(url, { method: "POST", headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(response.statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
