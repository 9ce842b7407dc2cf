import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";

describe("who is let in", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({
      tokens: [
        { name: "reader", scopes: ["read"], labels: [] },
        { name: "writer", scopes: ["write"], labels: [] },
        { name: "boss", scopes: ["admin"], labels: "*" },
      ],
    });
  });
  afterAll(() => server.close());

  it("lets a token do what its scopes say, and nothing without one", async () => {
    const statuses = async (as?: string) => (await server.fetch("/v1/stats", as ? { as } : {})).status;
    expect(await statuses("reader")).toBe(200);
    expect(await statuses("boss")).toBe(200);
    expect(await statuses("writer")).toBe(403);
    expect(await statuses("loci_wrong")).toBe(401);
    expect(await statuses()).toBe(401);
    expect((await server.fetch("/health")).status).toBe(200);
  });

  it("says errors as problem+json with a stable code", async () => {
    const response = await server.fetch("/v1/nothing", { as: "reader" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ status: 404, code: "unknown-id" });
  });
});

describe("the file of tokens", () => {
  it("is looked at again while the server runs, and lets nobody in when it is damaged", async () => {
    const server = await testServer({ tokens: [{ name: "reader", scopes: ["read"], labels: [] }] });
    const path = join(server.memory.folder, "access.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toMatch(/loci_/);
    const status = async () => (await server.fetch("/v1/stats", { as: "reader" })).status;
    expect(await status()).toBe(200);
    writeFileSync(path, "{");
    await expect.poll(status, { timeout: 10_000 }).toBe(403);
    rmSync(path);
    await expect.poll(status, { timeout: 10_000 }).toBe(401);
    await server.close();
  });
});

describe("without tokens", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server.close());

  it("is the owner's on loopback, called by a loopback name and from no other page", async () => {
    expect((await server.fetch("/v1/stats")).status).toBe(200);
    const origin = (from: string) => server.fetch("/v1/stats", { headers: { origin: from } });
    expect((await origin("https://evil.example")).status).toBe(403);
    expect((await origin("null")).status).toBe(403);
    expect((await origin(server.url)).status).toBe(200);
  });

  it("tells pages of other sites nothing, however they ask, and follows links to its own pages", async () => {
    // What fetch says of itself in Node stands in the way: a plain request says what it is given.
    const asked = (path: string, headers: Record<string, string>) =>
      new Promise<IncomingMessage>((resolve, reject) =>
        get(`${server.url}${path}`, { headers, agent: false }, (response) => resolve(response.resume())).on(
          "error",
          reject,
        ),
      );
    const picture = { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    for (const site of ["cross-site", "same-site"])
      expect((await asked("/v1/stats", { "sec-fetch-site": site, ...picture })).statusCode).toBe(403);
    expect((await asked("/v1/stats", { "sec-fetch-site": "same-origin", ...picture })).statusCode).toBe(200);
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect((await asked("/docs", link)).statusCode).toBe(200);
    expect((await asked("/v1/stats", link)).statusCode).toBe(403);
    for (const path of ["/v1/stats", "/docs", "/health"])
      expect((await asked(path, {})).headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  it("is not served to other machines", async () => {
    await expect(testServer({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "access-denied" });
  });
});
