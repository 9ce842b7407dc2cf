import { localFace, type Memory } from "../../compose.ts";
import type { Access, Caller } from "./access.ts";

/** The longest that warming up may delay the start of a server. */
const MAX_MS = 1_000;
const SEARCHES = 300;

/** The caller used to warm the server up; not counted and not logged. */
export const WARMING: Caller = { actor: { id: "warm-up", labels: "*" }, scopes: ["read"] };

/**
 * Does in advance what the first requests would wait for: the index, the embedder, the map and the reader of questions
 * are opened, and searches go through the whole server until its code is compiled. A server that reports itself ready
 * is then fast.
 */
export async function warmUp(memory: Memory, url: string, access: Access): Promise<void> {
  const face = localFace(memory);
  const { hits } = await face.search({ rank: "latest", limit: 100 });
  await face.close();
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
  const beganMs = performance.now();
  for (let n = 0; n < SEARCHES && hits.length > 0 && performance.now() - beganMs < MAX_MS; n++) {
    const { record, position } = hits[n % hits.length]!;
    const [text, from] = [record.text[0] ?? record.kind, record.validFromUs];
    const query = [
      { from, to: from + 1, ...(position && { near: position, within: 10 }) },
      { text, by: "meaning", ...(position && { near: position, within: 10 }) },
      { text, by: "words", from, to: from + 1 },
    ][n % 3];
    await post("/v1/search", query!);
  }
  // The reader of questions and the map are opened on first use.
  if (hits.length > 0) {
    await post("/v1/ask", { question: "Where is the door?" });
    await post("/v1/coverage", {});
  }
  access.revoke(token);
}
