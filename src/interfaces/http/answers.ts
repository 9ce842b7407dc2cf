import { inSlices, LociError } from "../../schema/core.ts";
import type { RequestContext, ServerContext } from "./context.ts";
import { sendText } from "./spec.ts";

const ITEMS_AT_ONCE = 50;

/**
 * A large answer, written item by item in turns with other requests: a thousand records may be a gigabyte, which exceeds
 * the length of a string and takes a while.
 */
export async function sendInSlices(answer: object, caller: string, { limits }: ServerContext) {
  const othersFirst = inSlices(caller);
  let chars = 0;
  const pieceOf = (value: unknown): string => {
    const piece = JSON.stringify(value) ?? "null";
    chars += piece.length;
    if (chars > limits.answerBytes)
      throw new LociError("limit-exceeded", "what was found is too large for one answer; ask for fewer");
    return piece;
  };
  const fields: string[] = [];
  for (const [field, value] of Object.entries(answer)) {
    if (value === undefined) continue;
    if (!Array.isArray(value)) {
      fields.push(`${JSON.stringify(field)}:${pieceOf(value)}`);
      continue;
    }
    const items: string[] = [];
    for (const [n, item] of value.entries()) {
      if (n > 0 && n % ITEMS_AT_ONCE === 0) await othersFirst();
      items.push(pieceOf(item));
    }
    fields.push(`${JSON.stringify(field)}:[${items.join()}]`);
  }
  return sendText(`{${fields.join()}}`);
}

export function sendBytes(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, { headers: { "content-type": BLOCK_TYPE } });
}

/**
 * Bytes with their tag, or JSON with the tag of its text: sent again only when changed. A client with a copy asks each time,
 * since it may be hidden from it by now.
 */
export async function sendTagged(c: RequestContext, answer: object): Promise<Response> {
  const { etag, body, type } = await taggedOf(answer);
  const headers = { etag: `"${etag}"`, "cache-control": "private, no-cache", vary: "authorization" };
  const held = c.req.header("if-none-match")?.split(/\s*,\s*/) ?? [];
  if (held.some((one) => one.replace(/^W\//, "") === headers.etag))
    return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": type } });
}

const BLOCK_TYPE = "application/vnd.loci.block";

async function taggedOf(answer: object) {
  if ("bytes" in answer && "etag" in answer)
    return {
      etag: String(answer.etag),
      body: answer.bytes as Uint8Array<ArrayBuffer>,
      type: BLOCK_TYPE,
    };
  const body = JSON.stringify(answer);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return { etag: Buffer.from(digest).toString("hex").slice(0, 24), body, type: "application/json" };
}
