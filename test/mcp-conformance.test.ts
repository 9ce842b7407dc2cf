import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createAdaptorServer } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { localFace } from "../src/compose.ts";
import type { Env, ServerContext } from "../src/interfaces/http/context.ts";
import { mcpRoutes } from "../src/interfaces/mcp/http.ts";
import { TOOLS } from "../src/interfaces/mcp/server.ts";
import { type Tool, tool } from "../src/interfaces/mcp/tool.ts";
import { type TestServer, testServer } from "../src/interfaces/testing/test-server.ts";
import { LociError } from "../src/schema/index.ts";

const SUITE = resolve(import.meta.dirname, "../node_modules/@modelcontextprotocol/conformance/dist/index.js");

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer();
  folder = mkdtempSync(join(tmpdir(), "loci-conformance-"));
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs one scenario of the suite in a process of its own; all of its checks must pass, and there must be one. */
async function passes(url: string, scenario: string): Promise<void> {
  const args = [SUITE, "server", "--url", `${url}/mcp`, "--scenario", scenario];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 100_000 });
  expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
}

describe("the conformance suite, on the server as it is", { timeout: 120_000 }, () => {
  it.each(["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"])(
    "%s",
    (scenario) => passes(server.url, scenario),
  );
});

/** The suite's own tools, offered by our server beside ours. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const embedded = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "embedded" },
} as const;
const text = { type: "text", text: "This is a simple text response for testing." } as const;

const fixture = (name: string, run: Tool["run"]): Tool =>
  tool({ name, description: name, does: "read", input: z.strictObject({}), run });
const FIXTURES: readonly Tool[] = [
  fixture("test_simple_text", async () => ({ content: [text] })),
  fixture("test_image_content", async () => ({ content: [image] })),
  fixture("test_embedded_resource", async () => ({ content: [embedded] })),
  fixture("test_multiple_content_types", async () => ({ content: [text, image, embedded] })),
  fixture("test_error_handling", async () => {
    throw new LociError("invalid-input", "This tool intentionally returns an error for testing");
  }),
  fixture("test_tool_with_progress", async (_, { context: { mcpReq } }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100])
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
    return { content: [text] };
  }),
];

describe("the conformance suite, with its tools beside ours", { timeout: 120_000 }, () => {
  let http: Server;
  let url: string;
  beforeAll(async () => {
    const face = localFace(server.memory);
    const app = new OpenAPIHono<Env>();
    app.use(async (c, next) => {
      c.set("caller", { actor: { id: "owner", labels: "*" }, scopes: ["admin"] });
      await next();
    });
    const context = {
      face: () => face,
      log: pino({ level: "silent" }),
      shutdown: new AbortController().signal,
    };
    mcpRoutes(app, context as unknown as ServerContext, [...TOOLS, ...FIXTURES]);
    http = createAdaptorServer({ fetch: app.fetch }) as Server;
    await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    http?.closeAllConnections();
    http?.close();
  });

  it.each([
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
  ])("%s", (scenario) => passes(url, scenario));
});
