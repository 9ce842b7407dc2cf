/**
 * Makes the pictures of the README from a memory that is served: the viewer answering a question, and a strip of the slider.
 * node scripts/viewer-pictures.ts http://127.0.0.1:7077   (needs Chromium: LOCI_CHROMIUM or /usr/bin/chromium)
 */
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import sharp from "sharp";

const url = process.argv[2] ?? "http://127.0.0.1:7077";
const out = resolve(import.meta.dirname, "../docs/images");
const executablePath = process.env["LOCI_CHROMIUM"] ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({
  viewport: { width: 1440, height: 860 },
  reducedMotion: "reduce",
  timezoneId: "UTC",
});
page.setDefaultTimeout(180_000);
await page.goto(url);
await page.waitForSelector(".intro");
await page.waitForTimeout(4_000);
await page.fill("#question", "What has been moved since yesterday?");
await page.keyboard.press("Enter");
await page.waitForSelector(".evidence img");
await page.waitForTimeout(2_500);
const picture = await page.screenshot({ timeout: 180_000 });
await sharp(picture).png({ palette: true, quality: 90, effort: 9 }).toFile(join(out, "viewer.png"));

/** Four moments of the slider, the map alone. */
const SHARES = [0.05, 0.2, 0.5, 1];
const [wide, high] = [480, 330];
await page.evaluate("lociViewer.show(null)");
await page.setViewportSize({ width: 1_060, height: 620 });
await page.addStyleTag({ content: ".toolbar, .browse { display: none }" });
const frames: Buffer[] = [];
for (const share of SHARES) {
  await page.evaluate(
    `lociViewer.store.moment.value = ${share === 1 ? null : `lociViewer.store.axis.value.timeAt(${share})`}`,
  );
  await page.waitForTimeout(1_500);
  const map = await page.locator(".view").screenshot({ timeout: 180_000 });
  frames.push(await sharp(map).resize(wide, high, { fit: "cover" }).png().toBuffer());
}
await sharp({ create: { width: SHARES.length * wide, height: high, channels: 3, background: "#ffffff" } })
  .composite(frames.map((input, n) => ({ input, left: n * wide, top: 0 })))
  .png({ palette: true, quality: 90, effort: 9 })
  .toFile(join(out, "viewer-time.png"));
await browser.close();
