import { Agent, request } from "node:http";

/** Of a body of JSON that only reads, about as much as is taken. */
const BODY_CHARS = 1_000_000;

/** What costs a server most: every pair of things, ways for each of them, questions without end, long answers, long bodies. */
const WORST: readonly (readonly [path: string, body: object | string])[] = [
  [
    "/v1/watches",
    {
      expression:
        'total(things(), count(filter(relate(things(), it(), relation: "near", withinM: 1000), reachable(it(), rooms(name: "kitchen")))))',
    },
  ],
  ["/v1/watches", { expression: 'filter(things(), reachable(it(), rooms(name: "kitchen")))' }],
  ["/v1/ask", { question: "What has been moved since 09:00?" }],
  ["/v1/ask", { question: "How many things are in the kitchen?" }],
  ["/v1/timeline", {}],
  ["/v1/search", { limit: 1_000 }],
  ["/v1/search", `{"ids":[${"{},".repeat(BODY_CHARS / 3)}1]}`],
  ["/v1/list", "[".repeat(BODY_CHARS)],
];
const CONNECTIONS = 128;

/** One caller doing his worst over many connections, each asking again as soon as it was answered. Returns the way to end it. */
export function hostile(url: string, token: string): () => Record<string, number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers: Record<string, number> = {};
  let isOver = false;
  const again = (n: number): void => {
    if (isOver) return;
    const [path, asked] = WORST[n % WORST.length]!;
    const body = typeof asked === "string" ? asked : JSON.stringify(asked);
    const sent = request(
      url + path,
      {
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (response) => {
        answers[response.statusCode!] = (answers[response.statusCode!] ?? 0) + 1;
        response.resume().on("end", () => again(n + 1));
      },
    );
    sent.on("error", () => setImmediate(again, n + 1));
    sent.end(body);
  };
  for (let n = 0; n < CONNECTIONS; n++) again(n);
  return () => {
    isOver = true;
    agent.destroy();
    return answers;
  };
}
