import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
const secrets = new Map<string, string>();
beforeAll(async () => {
  server = await testServer({ memory: { embedder: "hashing:16" } });
  for (const grant of [
    { name: "boss", scopes: ["admin" as const], labels: "*" as const },
    { name: "reader", scopes: ["read" as const], labels: "*" as const },
    { name: "guest", scopes: ["admin" as const], labels: ["guests"] },
    { name: "kitchen", scopes: ["admin" as const], labels: "*" as const, scene: "kitchen" },
  ])
    secrets.set(grant.name, server.serving.access.add(grant, 0));
});
afterAll(() => server.close());

async function align(who: string, body: unknown): Promise<{ status: number; said: string }> {
  const response = await fetch(`${server.url}/v1/maps/align`, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.get(who)}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, said: await response.text() };
}

describe("maps over HTTP", () => {
  it("are joined by who may see all of them and change what all see", async () => {
    expect(await align("boss", {})).toEqual({ status: 200, said: '{"joins":[]}' });
    expect(await align("guest", {})).toMatchObject({ status: 403 });
    expect(await align("reader", {})).toMatchObject({ status: 403 });
    expect((await align("kitchen", { scene: "attic" })).said).toContain("this token is for scene");
  });

  it("that are not there, or not named, are one line", async () => {
    const both = await align("boss", { into: "world", map: "attic" });
    expect(both).toMatchObject({ status: 404 });
    expect(both.said).toContain("there is no map");
    expect((await align("boss", { into: "world" })).said).toContain("name two maps");
    expect((await align("boss", { undo: true })).said).toContain("name the map");
    expect(await align("boss", { map: "attic", undo: true })).toMatchObject({ status: 404 });
    expect(await align("boss", { transform: { yawRad: "much" } })).toMatchObject({ status: 400 });
  });

  it("are listed for who holds every label", async () => {
    const maps = await fetch(`${server.url}/v1/maps`, {
      headers: { authorization: `Bearer ${secrets.get("reader")}` },
    });
    expect(await maps.json()).toEqual({ clocks: [], maps: [] });
  });
});
