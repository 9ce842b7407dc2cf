import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await testServer({ memory: { embedder: "hashing:16" } });
});
afterAll(() => server.close());

async function post(path: string, body: string) {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await server.fetch(path, { method: "POST", body, headers });
  return { status: response.status, text: await response.text() };
}

const caption = (n: number) => ({
  ...{ kind: "caption", id: `c${n}`, source: "human", text: [`the number ${n % 50}`] },
  ...{ sceneId: "default", author: "x", labels: [], validFromUs: 1, validToUs: 2 },
});
/** Longer than what is read in one go. */
const many = (one: string, bytes = 2_000_000) =>
  Array(Math.floor(bytes / (one.length + 1)))
    .fill(one)
    .join();

describe("a long body", { timeout: 120_000 }, () => {
  it("says what a short one says", async () => {
    const records = Array.from({ length: 4_000 }, (_, n) => caption(n));
    const { status, text } = await post("/v1/records", JSON.stringify({ records }, null, 2));
    expect([status, JSON.parse(text).written]).toEqual([200, 4_000]);
    const found = await (await server.fetch("/v1/records/c3999")).json();
    expect(found).toMatchObject({ text: ["the number 49"] });
  });

  it.each([
    ["objects without end", "/v1/detections", `{"looks":[${many("{}")}]}`, 413, "arrays and objects"],
    ["a list that is too long", "/v1/detections", `{"looks":[${many("1")}]}`, 400, "looks: Too big.*1000"],
    [
      "a list within a list that is too long",
      "/v1/records",
      `{"records":[${JSON.stringify(caption(1)).replace('["the number 1"]', `[${many("1")}]`)}]}`,
      400,
      "records.0.text: Too big",
    ],
    ["members without end", "/v1/facts", `{${many('"k":1')}}`, 413, "members"],
    ["levels without end", "/v1/records", "[".repeat(2_000_000), 400, "levels deep"],
    ["levels without end for MCP", "/mcp", "[".repeat(900_000), 400, "levels deep"],
    ["something that is no JSON", "/v1/records", `{"records":[${many("{}", 500_000)},]}`, 400, "Malformed"],
  ])("with %s is refused before all of it is looked at", async (_, path, body, status, words) => {
    const said = await post(path, body);
    expect([said.status, said.text]).toEqual([status, expect.stringMatching(words)]);
    // Of millions of wrong members none is written down.
    expect(said.text.length).toBeLessThan(500);
  });
});

describe("a long body that is checked in turns", { timeout: 120_000 }, () => {
  const records = (wrong: object) => [...Array.from({ length: 4_000 }, (_, n) => caption(n)), wrong];

  it("is told where it is wrong, as a short one is", async () => {
    const short = await post(
      "/v1/records",
      JSON.stringify({ records: [{ ...caption(1), validFromUs: "x" }] }),
    );
    const long = await post(
      "/v1/records",
      JSON.stringify({ records: records({ ...caption(1), validFromUs: "x" }) }),
    );
    expect([short.status, long.status]).toEqual([400, 400]);
    expect(long.text.replace("4000", "0")).toBe(short.text);
  });

  it("is refused as a whole for what lies beside its lists", async () => {
    const { status, text } = await post(
      "/v1/records",
      JSON.stringify({ records: records(caption(5)), more: 1 }),
    );
    expect([status, text]).toEqual([400, expect.stringMatching(/[Uu]nrecognized key.*more/)]);
  });

  it("gets what was left out, in its lists and beside them", async () => {
    const { author: _, labels: __, ...bare } = caption(9_999);
    const { status, text } = await post("/v1/records", JSON.stringify({ records: records(bare) }));
    expect([status, JSON.parse(text).written > 0]).toEqual([200, true]);
    expect(await (await server.fetch("/v1/records/c9999")).json()).toMatchObject({ labels: [] });
  });
});
