import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const PLACES = [
  process.env["LOCI_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** A real Chromium, or undefined: tests that need one are skipped by name. `.ci/run` provides it. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path));
export const WITHOUT_CHROMIUM = CHROMIUM === undefined;
/** The reason in a skipped suite's name. */
export const WHY_SKIPPED = WITHOUT_CHROMIUM
  ? " (skipped: no Chromium on this machine; set LOCI_CHROMIUM or install it)"
  : "";

/** WebGL 2 without a graphics card. */
const SOFTWARE_GL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export function launch({ webgl = true }: { webgl?: boolean } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      ...(webgl ? SOFTWARE_GL : ["--disable-gpu", "--disable-3d-apis"]),
    ],
  });
}

export interface OpenPage {
  readonly page: Page;
  /** The page's console errors. */
  readonly errors: string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** A loaded page; its console errors are kept. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { width = 1280, height = 800, dark = false } = options;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => {
    const { lociViewer } = window as unknown as {
      lociViewer?: { stage: unknown; store: { phase: { value: { is: string } } } };
    };
    const { is } = lociViewer?.store.phase.value ?? { is: "loading" };
    return is !== "loading" && (is !== "ready" || lociViewer!.stage !== undefined);
  });
  return { page, errors };
}
