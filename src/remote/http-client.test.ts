import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { events } from "./event-stream.ts";
import { HttpClient, wasNeverSent } from "./http-client.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, n: number) => void;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server with a scripted response to its n-th request. */
async function answering(
  answer: Answer,
): Promise<{ readonly url: string; readonly seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response, seen.push(request) - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

describe("a remote call", () => {
  it("brings its token to the one server and follows no redirect", async () => {
    const other = await answering((_, response) => json(response, 200, {}));
    const { url, seen } = await answering((_, response) =>
      response.writeHead(307, { location: `${other.url}/v1/stats` }).end(),
    );
    const client = new HttpClient(url, { token: "loci_secret", retries: 0 });
    await expect(client.json({ method: "GET", path: "/v1/stats" })).rejects.toMatchObject({
      code: "source-unavailable",
    });
    expect(seen[0]?.headers.authorization).toBe("Bearer loci_secret");
    expect(other.seen).toEqual([]);
  });

  it("is tried again where that does no harm", async () => {
    const { url, seen } = await answering((request, response, n) => {
      if (n === 0) request.socket.destroy();
      else if (n === 1) json(response, 503, { code: "overloaded", detail: "busy" });
      else json(response, 200, { ok: true });
    });
    const client = new HttpClient(url);
    expect(await client.json({ method: "GET", path: "/" })).toEqual({ ok: true });
    expect(seen).toHaveLength(3);
  });

  it("is not where it might be done twice", async () => {
    const { url, seen } = await answering((request) => request.socket.destroy());
    const client = new HttpClient(url);
    const failed = await client.json({ method: "POST", path: "/", body: {} }).catch((error) => error);
    expect(failed).toMatchObject({ code: "source-unavailable" });
    expect(wasNeverSent(failed)).toBe(false);
    expect(seen).toHaveLength(1);
  });

  it("knows that nobody was there", async () => {
    const { url } = await answering(() => undefined);
    await closing.pop()!();
    const client = new HttpClient(url, { retries: 0 });
    const failed = await client.json({ method: "GET", path: "/" }).catch((error) => error);
    expect(failed).toMatchObject({ code: "source-unavailable" });
    expect(wasNeverSent(failed)).toBe(true);
  });

  it("ends by its signal and by its time", async () => {
    const { url } = await answering(() => undefined);
    const client = new HttpClient(url, { timeoutMs: 50, retries: 0 });
    await expect(client.json({ method: "GET", path: "/" })).rejects.toMatchObject({
      code: "source-unavailable",
    });
    const signal = AbortSignal.abort();
    await expect(client.json({ method: "GET", path: "/", signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it.each([
    [400, { code: "invalid-input", detail: "expected metres" }, "invalid-input", "expected metres"],
    [409, { code: "version-conflict", detail: "it changed" }, "version-conflict", "it changed"],
    [403, "<html>", "access-denied", "answered 403"],
    [418, { code: "teapot" }, "invalid-input", "answered 418"],
    [500, { code: "unexpected", detail: "a bug" }, "source-unavailable", "a bug"],
  ])("%i comes back as what it was", async (status, body, code, message) => {
    const { url } = await answering((_, response) => json(response, status, body));
    const client = new HttpClient(url, { retries: 0 });
    await expect(client.json({ method: "GET", path: "/" })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it.each(["ftp://x", "http://user@host", "nonsense"])("refuses %s", (url) => {
    expect(() => new HttpClient(url)).toThrow(/http:\/\/HOST:PORT/);
  });
});

describe("a stream of events", () => {
  const call = { method: "GET", path: "/events" } as const;
  const begin = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/event-stream" });
  const read = async (url: string, options = {}) => {
    const got: string[] = [];
    for await (const { data } of events(new HttpClient(url), call, options)) {
      got.push(data);
      if (data === "over") break;
    }
    return got;
  };

  it("is taken up where it broke off", async () => {
    const { url, seen } = await answering((request, response, n) => {
      begin(response);
      if (n === 0)
        response.write("id: 1\ndata: one\n\nid: 2\ndata: two\n\ndata: cut o", () => request.socket.destroy());
      else response.end("id: 3\ndata: three\n\ndata: over\n\n");
    });
    expect(await read(url)).toEqual(["one", "two", "three", "over"]);
    expect(seen[1]?.headers["last-event-id"]).toBe("2");
  });

  it("is given up when it stays silent, and begun again", async () => {
    const { url, seen } = await answering((_, response, n) => {
      begin(response).flushHeaders();
      if (n > 0) response.end("data: over\n\n");
    });
    expect(await read(url, { silenceMs: 50 })).toEqual(["over"]);
    expect(seen).toHaveLength(2);
  });

  it("ends by its signal", async () => {
    const ending = new AbortController();
    const { url } = await answering((_, response) => {
      begin(response).flushHeaders();
      ending.abort();
    });
    expect(await read(url, { signal: ending.signal })).toEqual([]);
  });

  it("is not begun again where the server refuses it", async () => {
    const { url, seen } = await answering((_, response) =>
      json(response, 403, { code: "access-denied", detail: "no" }),
    );
    await expect(read(url)).rejects.toMatchObject({ code: "access-denied" });
    expect(seen).toHaveLength(1);
  });
});
