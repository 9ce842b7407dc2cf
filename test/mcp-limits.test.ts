import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWER_TOKENS, CHARS_PER_TOKEN } from "../src/interfaces/mcp/answer.ts";
import { type TestServer, testServer } from "../src/interfaces/testing/test-server.ts";
import { client, type McpClient } from "./mcp-clients.ts";
import { NOW_US } from "./mcp-house.ts";

const NOTES = 120;
const LONG =
  "The lamp in the corner by the window flickers when the heater runs, and nobody has found out why. ";

let server: TestServer;
const tokens = {
  reader: { name: "reader", scopes: ["read"], labels: [] },
  writer: { name: "writer", scopes: ["read", "write"], labels: [] },
  robot: { name: "robot", scopes: ["write"], labels: [] },
  family: { name: "family", scopes: ["read"], labels: ["family"] },
  owner: { name: "owner", scopes: ["admin"], labels: "*" },
} as const;
const secrets = new Map<string, string>();

beforeAll(async () => {
  server = await testServer({
    fill: (memory) =>
      memory.write({
        records: Array.from({ length: NOTES }, (_, n) => ({
          kind: "caption",
          id: `note-${String(n).padStart(3, "0")}`,
          source: "human",
          text: [`Note ${n}. ${LONG.repeat(6)}`],
          labels: n < 100 ? [] : ["family"],
          validFromUs: NOW_US + n,
          validToUs: NOW_US + n + 1,
        })),
      }),
  });
  for (const grant of Object.values(tokens))
    secrets.set(
      grant.name,
      server.serving.access.add(
        { ...grant, scopes: [...grant.scopes], labels: grant.labels === "*" ? "*" : [...grant.labels] },
        0,
      ),
    );
});
afterAll(() => server?.close());

async function as<T>(who: keyof typeof tokens, work: (mcp: McpClient) => Promise<T>): Promise<T> {
  const mcp = await client({ url: server.url, token: secrets.get(who)! }, "modern");
  try {
    return await work(mcp);
  } finally {
    await mcp.close();
  }
}

/** Every page of a search; each within what an answer may be. */
async function pages(mcp: McpClient, args: Readonly<Record<string, unknown>>): Promise<string[][]> {
  const all: string[][] = [];
  for (let cursor: unknown; ; ) {
    const said = await mcp.call("search", { ...args, ...(cursor !== undefined && { cursor }) });
    expect(said.isError).toBe(false);
    const size = said.text.length + JSON.stringify(said.data).length;
    expect(size).toBeLessThanOrEqual(ANSWER_TOKENS * CHARS_PER_TOKEN);
    all.push((said.data["items"] as { id: string }[]).map(({ id }) => id));
    cursor = said.data["nextCursor"];
    if (cursor === undefined) return all;
    expect(said.text).toContain(`cursor "${cursor}"`);
  }
}

describe("answers", () => {
  it("stay within their tokens, and what is left comes by the cursor, once and in order", async () => {
    const found = await as("reader", (mcp) => pages(mcp, { kinds: ["caption"], limit: 50 }));
    expect(found.length).toBeGreaterThan(2);
    const ids = found.flat();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(
      Array.from({ length: 100 }, (_, n) => `note-${String(n).padStart(3, "0")}`),
    );
    expect(await as("reader", (mcp) => pages(mcp, { kinds: ["caption"], limit: 50 }))).toEqual(found);
  });

  it("cut one record that is too long by itself, and go on", async () => {
    await server.memory.write({
      records: [
        {
          kind: "region",
          id: "long",
          type: "cluster",
          level: 1,
          name: "long",
          relationships: Array.from({ length: 64 }, (_, n) => `${n} ${LONG.repeat(8)}`),
          validFromUs: NOW_US,
          validToUs: null,
        },
      ],
    });
    const said = await as("reader", (mcp) => mcp.call("record", { id: "long" }));
    expect(said.text.length + JSON.stringify(said.data).length).toBeLessThanOrEqual(
      ANSWER_TOKENS * CHARS_PER_TOKEN,
    );
    expect(said.data["items"]).toEqual([{ id: "long", cut: true }]);
  });
});

describe("tokens", () => {
  it("offer the tools that they allow", async () => {
    const names = async (who: keyof typeof tokens) =>
      (await as(who, (mcp) => mcp.tools())).map(({ name }) => name);
    expect(await names("reader")).not.toContain("remember");
    expect(await names("writer")).toContain("remember");
    expect(await names("writer")).not.toContain("forget");
    expect(await names("owner")).toContain("forget");
    await expect(as("reader", (mcp) => mcp.call("remember", { text: "x" }))).rejects.toThrow(/not found/);
  });

  it("offer what tells of the memory only with the scope to read", async () => {
    const names = async (who: keyof typeof tokens) =>
      (await as(who, (mcp) => mcp.tools())).map(({ name }) => name).sort();
    expect(await names("robot")).toEqual(["correct", "remember"]);
    expect(await names("reader")).toContain("watch");
    await expect(
      as("robot", (mcp) => mcp.call("watch", { question: "Is there a note about the lamp?" })),
    ).rejects.toThrow(/not found/);
  });

  it("show what their labels allow, and do not tell of the rest", async () => {
    const [open, family] = await Promise.all(
      (["reader", "family"] as const).map((who) =>
        as(who, async (mcp) => (await pages(mcp, { kinds: ["caption"], limit: 50 })).flat().length),
      ),
    );
    expect([open, family]).toEqual([100, 120]);
    const secret = await as("reader", (mcp) => mcp.call("record", { id: "note-110" }));
    const none = await as("reader", (mcp) => mcp.call("record", { id: "note-999" }));
    expect(secret.text.replace("110", "")).toBe(none.text.replace("999", ""));
  });

  it("are needed once there are any, and the refusal says where to read on", async () => {
    const refused = await server.fetch("/mcp", { method: "POST", body: "{}" });
    expect(refused.status).toBe(401);
    const about = `${server.url}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${about}"`);
    const metadata = await fetch(about);
    expect(await metadata.json()).toMatchObject({
      resource: `${server.url}/mcp`,
      scopes_supported: ["read", "write", "admin"],
      bearer_methods_supported: ["header"],
    });
  });
});
