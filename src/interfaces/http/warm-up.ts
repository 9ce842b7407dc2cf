import { type FoundHit, localFace, type Memory } from "../../compose.ts";
import type { Access, Caller } from "./access.ts";

/** The longest that warming up may delay the start of a server. */
const MAX_MS = 4_000;
/** Searches that compile the code, and one more for so many records, whose rows they bring into memory. */
const SEARCHES = 300;
const RECORDS_PER_SEARCH = 50;
const MOST_SEARCHES = 3_000;
const AT_ONCE = 8;
/** The records that they are about, the latest ones. */
const MOST_HITS = 1_000;

/** The caller used to warm the server up; not counted and not logged. */
export const WARMING: Caller = { actor: { id: "warm-up", labels: "*" }, scopes: ["read"] };

/**
 * Does in advance what the first requests would wait for: the index, the embedder, the map and the reader of questions
 * are opened, and searches go through the whole server until its code is compiled. A server that reports itself ready
 * is then fast.
 */
export async function warmUp(memory: Memory, url: string, access: Access): Promise<void> {
  const face = localFace(memory);
  const { hits } = await face.search({ rank: "latest", limit: MOST_HITS });
  await face.close();
  // Counted once, then kept with each commit.
  const { versions } = await memory.stats();
  const token = access.issue(WARMING);
  const own = url.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]");
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(own + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    await response.arrayBuffer();
  };
  const most = Math.min(MOST_SEARCHES, SEARCHES + versions / RECORDS_PER_SEARCH);
  const beganMs = performance.now();
  let n = 0;
  const searchOn = async (): Promise<void> => {
    while (n < most && hits.length > 0 && performance.now() - beganMs < MAX_MS)
      await post("/v1/search", queryFrom(hits[n % hits.length]!, n++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, searchOn));
  // The reader of questions and the map are opened on first use.
  if (hits.length > 0) {
    await post("/v1/ask", { question: "Where is the door?" });
    await post("/v1/coverage", {});
  }
  access.revoke(token);
}

/** A search of one of the three usual kinds, about what a hit is about. */
function queryFrom({ record, position }: FoundHit, n: number): object {
  const [text, from] = [record.text[0] ?? record.kind, record.validFromUs];
  const near = position && { near: position, within: 10 };
  if (n % 3 === 0) return { from, to: from + 1, ...near };
  return n % 3 === 1 ? { text, by: "meaning", ...near } : { text, by: "words", from, to: from + 1 };
}
