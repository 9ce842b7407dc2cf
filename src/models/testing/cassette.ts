import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const exchangeSchema = z.object({
  /** SHA-256 of the request without pixels: shows later that a model would now be asked something else. */
  digest: z.string(),
  pictures: z.number(),
  /** The body of the reply, unchanged. */
  reply: z.unknown(),
});

const cassetteSchema = z.object({
  /** The model and the time. */
  by: z.string(),
  /** The exchanges of each question, in order. */
  questions: z.record(z.string(), z.array(exchangeSchema)),
});

/** A real model's recorded replies to each question, for replay. */
export type Cassette = z.infer<typeof cassetteSchema>;
type Exchange = z.infer<typeof exchangeSchema>;

export function readCassette(path: string): Cassette {
  return cassetteSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

export interface CassetteServer {
  readonly baseUrl: string;
  /** Requests that differ from the recorded ones, and unrecorded requests. */
  readonly drifted: () => number;
  readonly missed: () => number;
  close(): Promise<void>;
}

interface Told {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/**
 * A loopback OpenAI-compatible server that replays a cassette: the n-th reply for the n-th request about a question.
 * `record` answers and stores unrecorded requests; without it they are server errors.
 */
export async function startCassetteServer(
  cassette: Cassette,
  record?: (body: string, question: string) => Promise<unknown>,
): Promise<CassetteServer> {
  const texts = Object.keys(cassette.questions)
    .filter((text) => text !== "")
    .sort((a, b) => b.length - a.length);
  const next = new Map<string, number>();
  let [drifted, missed] = [0, 0];

  const replyTo = async (body: string): Promise<unknown> => {
    const asked = JSON.parse(body) as Told;
    const told = JSON.stringify(asked.messages.filter(({ role }) => role !== "system"));
    // A request before any question, such as an availability check, counts as one without words.
    const question = texts.find((text) => told.includes(JSON.stringify(text).slice(1, -1))) ?? "";
    const n = next.get(question) ?? 0;
    next.set(question, n + 1);
    cassette.questions[question] ??= [];
    const exchanges = cassette.questions[question];
    const digested = digestOf(asked);
    const known = exchanges[n];
    if (known) {
      if (known.digest !== digested.digest) drifted++;
      return known.reply;
    }
    const reply = await record?.(body, question);
    if (reply !== undefined) exchanges[n] = { ...digested, reply };
    return reply;
  };

  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await replyTo(Buffer.concat(chunks).toString()).catch(() => undefined);
    if (reply === undefined) missed++;
    response.writeHead(reply === undefined ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(reply ?? { error: { message: "nothing is on the cassette for this" } }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    drifted: () => drifted,
    missed: () => missed,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function digestOf({ messages }: Told): Pick<Exchange, "digest" | "pictures"> {
  let pictures = 0;
  const plain = JSON.stringify(messages, (key, value: unknown) => {
    if (key !== "image_url") return value;
    pictures++;
    return "picture";
  });
  return { digest: createHash("sha256").update(plain).digest("hex").slice(0, 16), pictures };
}
