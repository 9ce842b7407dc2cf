import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Frame } from "../frame.ts";
import { openVideo } from "./video-source.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-video-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A stand-in that prints what ffmpeg prints and writes three pictures of 4 × 2, split at arbitrary places. */
async function fakeFfmpeg(pictures: string): Promise<string> {
  const path = join(folder, "ffmpeg");
  await writeFile(
    path,
    `#!${process.execPath}
if (!process.argv.includes("image2pipe")) {
  console.error("  Duration: 00:00:01.50, start: 0.0\\n  Stream #0:0: Video: h264, yuv420p, 4x2");
  process.exit(1);
}
${pictures}
`,
  );
  await chmod(path, 0o755);
  return path;
}

const THREE = `const all = Buffer.concat([10, 20, 30].map((v) => Buffer.concat([Buffer.from("P6\\n4 2\\n255\\n"), Buffer.alloc(24, v)])));
for (let at = 0; at < all.length; at += 7) process.stdout.write(all.subarray(at, at + 7));`;

async function framesOf(ffmpeg: string, maxFrames?: number): Promise<Frame[]> {
  const video = await openVideo(
    join(folder, "x.mp4"),
    { startUs: 1_000, ...(maxFrames && { maxFrames }) },
    ffmpeg,
  );
  expect(video.plan).toMatchObject({
    format: "video",
    frames: 3,
    poses: null,
    startUs: 1_000,
    endUs: 1_501_000,
  });
  const frames: Frame[] = [];
  for await (const item of video.items()) if (item.kind === "frame") frames.push(item.frame);
  return frames;
}

test("a video becomes frames, two a second, however the pipe cuts them", async () => {
  const frames = await framesOf(await fakeFfmpeg(THREE));
  expect(frames.map(({ timeUs, rgb }) => [timeUs, rgb!.width, rgb!.height, rgb!.data[23]])).toEqual([
    [1_000, 4, 2, 10],
    [501_000, 4, 2, 20],
    [1_001_000, 4, 2, 30],
  ]);
});

test("whoever has enough ends ffmpeg", async () => {
  expect(await framesOf(await fakeFfmpeg(`${THREE}\nsetInterval(() => {}, 1000);`), 1)).toHaveLength(1);
});

test("a stream that is cut off gives what is whole, one that is something else is an error", async () => {
  expect(await framesOf(await fakeFfmpeg(`process.stdout.write("P6\\n4 2\\n255\\nabc");`))).toEqual([]);
  await expect(framesOf(await fakeFfmpeg(`process.stdout.write("x".repeat(400));`))).rejects.toThrow(
    /something else/,
  );
});

test("without ffmpeg one line says what to do", async () => {
  await expect(openVideo("x.mp4", {}, join(folder, "none"))).rejects.toThrow(
    /apt install ffmpeg.*ffmpeg -i IN/,
  );
});
