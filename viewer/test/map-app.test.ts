import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import type { Browser, Frame, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { launch, WHY_SKIPPED, WITHOUT_CHROMIUM } from "./browser.ts";
import type { MapHost } from "./map-host.ts";

const LONG_MS = 180_000;
const MAP = "ui://loci/map";

const LOCI = resolve(import.meta.dirname, "../../bin/loci.mjs");
/** By path: it belongs to programs without a page, and is not compiled as one. */
const HOUSE = resolve(import.meta.dirname, "../../test/mcp-house.ts");

let house: { readonly folder: string; remove(): void };
let server: ChildProcess;
let mcp: Client;

beforeAll(async () => {
  const made = (await import(HOUSE)) as { EMBEDDER: string; housesFolder(): Promise<typeof house> };
  house = await made.housesFolder();
  const args = ["serve", "--memory", house.folder, "--embedder", made.EMBEDDER, "--port", "0", "--json"];
  server = spawn(process.execPath, [LOCI, ...args, "--log", "error"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: server.stdout! }).once("line", (line) => done(JSON.parse(line).url));
    server.once("exit", (code) => fail(new Error(`serve ended with ${code}`)));
  });
  mcp = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await mcp.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
}, LONG_MS);

afterAll(async () => {
  await mcp?.close();
  const ended = new Promise((done) => server?.once("exit", done));
  if (server?.kill("SIGTERM")) await ended;
  house?.remove();
});

async function textOf(uri: string): Promise<string> {
  const [content] = (await mcp.readResource({ uri })).contents;
  return content && "text" in content ? content.text : "";
}

describe("the map as a client sees it", () => {
  it("is linked from the tools whose answers have places", async () => {
    const { tools } = await mcp.listTools();
    const linked = tools.filter(({ _meta }) => _meta?.["ui"] !== undefined);
    expect(linked.map(({ name }) => name)).toEqual(["ask", "search", "life", "route"]);
    for (const { _meta } of linked) expect(_meta).toEqual({ ui: { resourceUri: MAP } });
  });

  it(
    "is one page that needs nothing else",
    async () => {
      const { resources } = await mcp.listResources();
      expect(resources.find(({ uri }) => uri === MAP)).toMatchObject({ mimeType: RESOURCE_MIME_TYPE });
      const [content] = (await mcp.readResource({ uri: MAP })).contents;
      expect(content).toMatchObject({ uri: MAP, mimeType: RESOURCE_MIME_TYPE });
      const html = await textOf(MAP);
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toContain("<style>");
      expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
      expect(Buffer.byteLength(html)).toBeLessThan(200_000);
    },
    LONG_MS,
  );

  it("has rooms and the robot to draw, of all scenes or one", async () => {
    const plan = JSON.parse(await textOf("loci://floorplan/default"));
    expect(plan.rooms.map(({ name }: { name: string }) => name).sort()).toEqual([
      "bedroom",
      "kitchen",
      "living room",
    ]);
    expect(plan.robot).toMatchObject({ x: 8, y: 2.5 });
    expect(JSON.parse(await textOf("loci://floorplan")).rooms.length).toBe(5);
  });
});

describe.skipIf(WITHOUT_CHROMIUM)(`the map in a host${WHY_SKIPPED}`, () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  const called: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 760, height: 560 } });
    page.on("pageerror", (error) => errors.push(error.message));
    await page.exposeFunction("serverCall", (name: string, args: Record<string, unknown>) => {
      called.push(name);
      return mcp.callTool({ name, arguments: args });
    });
    await page.exposeFunction("serverRead", (uri: string) => mcp.readResource({ uri }));
    await page.addScriptTag({ content: await hostScript(), type: "module" });
    await page.waitForFunction(() => "mapHost" in window);
  }, LONG_MS);
  afterAll(() => browser?.close());

  async function show(name: string, args: Record<string, unknown>): Promise<Frame> {
    const html = await textOf(MAP);
    await page.evaluate(
      (given) => {
        const { mapHost } = window as unknown as { mapHost: MapHost };
        return mapHost.show(given.html, given.name, given.args);
      },
      { html, name, args },
    );
    const frame = page.frames().at(-1)!;
    await frame.waitForSelector(".room");
    return frame;
  }

  it(
    "draws the rooms, the robot and what was found, and tells the life of what is clicked",
    async () => {
      const frame = await show("search", { text: "red mug", kinds: ["state"], limit: 1, scene: "default" });
      expect((await frame.locator(".name").allTextContents()).sort()).toEqual([
        "bedroom",
        "kitchen",
        "living room",
      ]);
      expect(await frame.locator(".robot").count()).toBe(1);
      const mug = frame.locator('.thing[data-id="track-mug"]');
      const [lit, kitchen] = [
        await mug.locator("circle").boundingBox(),
        await frame.locator('.room[data-id="kitchen"]').boundingBox(),
      ];
      expect(lit!.x).toBeGreaterThan(kitchen!.x);
      expect(lit!.x + lit!.width).toBeLessThan(kitchen!.x + kitchen!.width);
      // A sandboxed frame that the browser has not composed yet loses clicks, so clicks are repeated until one
      // arrives.
      const told = () => frame.locator("#told").textContent();
      await vi.waitFor(
        async () => {
          if ((await told()) === "") await mug.locator("circle").click();
          expect(await told()).toMatch(/"red ceramic mug".*stayed in "kitchen"/s);
        },
        { timeout: LONG_MS / 2, interval: 200 },
      );
      expect(called).toEqual(["search", "life"]);
      // The focus outline is drawn within the drawing, where a pixel is a metre.
      const outline = await mug.evaluate((group) => getComputedStyle(group).outlineStyle);
      expect(outline).toBe("none");
      expect(errors).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "draws the way of a route, and takes the host's light",
    async () => {
      const frame = await show("route", { scene: "default", to: "bedroom", from: "kitchen" });
      const points = (await frame.locator(".way").getAttribute("points"))!.split(" ");
      expect(points.length).toBeGreaterThan(1);
      expect(Number(points.at(-1)!.split(",")[0])).toBeGreaterThan(10);
      const ground = () => frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.evaluate(() => (window as unknown as { mapHost: MapHost }).mapHost.theme("dark"));
      await frame.waitForSelector(':root[data-theme="dark"]');
      expect(await ground()).not.toBe(light);
      expect(errors).toEqual([]);
    },
    LONG_MS,
  );
});

/** The host's script with the SDK in it. */
async function hostScript(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, rolldownOptions: { input: resolve(import.meta.dirname, "map-host.ts") } },
  });
  if (!("output" in made)) throw new Error("expected one bundle");
  return made.output[0].code;
}
