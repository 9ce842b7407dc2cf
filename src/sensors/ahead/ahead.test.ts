import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Frame } from "../frame.ts";
import { encodeGrey16 } from "../images.ts";
import { createRecording, openRecording } from "../open.ts";
import type { Skip } from "../options.ts";
import { encodePng } from "../png.ts";
import { framesOf } from "../recording.ts";
import { begunAhead, PicturesAhead } from "./ahead.ts";
import { PictureThread } from "./thread.ts";

const [WIDTH, HEIGHT] = [400, 300];
const FRAMES = 26;
const HERE = import.meta.url;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-ahead-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function frameAt(index: number): Frame {
  const size = { width: WIDTH, height: HEIGHT };
  const pixels = WIDTH * HEIGHT;
  return {
    index,
    timeUs: 1_750_000_000_000_000 + index * 100_000,
    agentId: "robot",
    sensorId: "camera",
    intrinsics: { fx: 300, fy: 300, cx: 200, cy: 150, ...size },
    mapFrame: "world",
    rgb: { ...size, data: new Uint8Array(3 * pixels).fill(index + 1) },
    depth: { ...size, data: new Uint16Array(pixels).fill(1_000 + index), unitM: 0.001 },
    masks: { ...size, data: new Uint16Array(pixels).fill(index % 3) },
  };
}

async function recorded(name: string): Promise<string> {
  const path = join(folder, name);
  if (name !== "own") {
    await cp(join(folder, "own"), path, { recursive: true });
    return path;
  }
  const writer = await createRecording(path, { format: "folder", source: "a test" });
  for (let index = 0; index < FRAMES; index++) await writer.writeFrame(frameAt(index));
  await writer.finish();
  return path;
}

async function readAll(path: string, skips: Skip[] = []): Promise<Frame[]> {
  const frames: Frame[] = [];
  const reader = await openRecording(path, { onSkip: (skip) => skips.push(skip) });
  for await (const frame of framesOf(reader)) frames.push(frame);
  return frames;
}

/** A frame with a hash in place of each array: comparing a million numbers one by one takes seconds. */
function brief({ rgb, depth, masks, ...rest }: Frame) {
  const hashed = <I extends { readonly data: Uint8Array | Uint16Array }>(image: I | undefined) =>
    image && { ...image, data: createHash("sha256").update(image.data).digest("hex") };
  return { ...rest, rgb: hashed(rgb), depth: hashed(depth), masks: hashed(masks) };
}

describe("a recording that is decoded in a thread", () => {
  let path: string;
  beforeAll(async () => {
    path = await recorded("own");
  });

  it("gives every frame, to the bit and in order", async () => {
    const frames = await readAll(path);
    expect(frames.map(brief)).toEqual(Array.from({ length: FRAMES }, (_, index) => brief(frameAt(index))));
  });

  it("skips a picture that was cut off, tells of it, and lacks what is missing", async () => {
    const damaged = await recorded("damaged");
    await truncate(join(damaged, "frame-000012.depth.png"), 100);
    await writeFile(join(damaged, "frame-000014.masks.png"), "no picture");
    await unlink(join(damaged, "frame-000020.color.png"));
    const skips: Skip[] = [];
    const frames = await readAll(damaged, skips);
    expect(skips).toEqual([
      { what: "frame-000012", why: expect.stringContaining("a chunk reaches past the end") },
      { what: "frame-000014", why: expect.stringContaining("no PNG signature") },
    ]);
    expect(frames.map(({ index }) => index)).toEqual(
      Array.from({ length: FRAMES }, (_, index) => index).filter((index) => index !== 12 && index !== 14),
    );
    expect(brief(frames.find(({ index }) => index === 20)!)).toEqual(
      brief({ ...frameAt(20), rgb: undefined }),
    );
  });

  it("skips a folder in the place of a picture, and ends with an error of the disk", async () => {
    const broken = await recorded("broken");
    await unlink(join(broken, "frame-000015.depth.png"));
    await mkdir(join(broken, "frame-000015.depth.png"));
    const skips: Skip[] = [];
    expect(await readAll(broken, skips)).toHaveLength(FRAMES - 1);
    expect(skips).toEqual([{ what: "frame-000015", why: expect.stringContaining("not a pipe or a folder") }]);
    await unlink(join(broken, "frame-000017.depth.png"));
    await symlink("frame-000017.depth.png", join(broken, "frame-000017.depth.png"));
    await expect(readAll(broken)).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("stops when it is aborted, between two frames", async () => {
    const reader = await openRecording(path);
    const abort = new AbortController();
    const seen: number[] = [];
    const reading = async () => {
      for await (const { index } of framesOf(reader, { signal: abort.signal })) {
        seen.push(index);
        if (index === 9) abort.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: "aborted" });
    expect(seen.at(-1)).toBe(9);
  });

  it("lets the process end when nobody reads on", async () => {
    const script = `
      const { openRecording } = await import(${JSON.stringify(new URL("../open.ts", HERE).href)});
      const items = (await openRecording(${JSON.stringify(path)})).items();
      for (let n = 0; n < 12; n++) await items.next();
      console.log("enough");`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      timeout: 30_000,
    });
    expect((await run).stdout).toBe("enough\n");
  });
});

describe("a dataset that is decoded in a thread", () => {
  it("is the same as when it is decoded here", async () => {
    const path = join(folder, "scenes");
    await mkdir(path);
    await writeFile(join(path, "camera-intrinsics.txt"), "300 0 199.5\n0 300 149.5\n0 0 1\n");
    const written = Array.from({ length: FRAMES }, (_, index) => frameAt(index));
    for (const { index, rgb, depth } of written) {
      const stem = join(path, `frame-${String(index).padStart(6, "0")}`);
      await writeFile(`${stem}.color.png`, await encodePng({ ...rgb!, channels: 3 }));
      // 65535 marks missing depth there.
      if (index === 18) depth!.data.fill(65_535, 0, 50);
      await writeFile(`${stem}.depth.png`, await encodeGrey16(depth!));
      await writeFile(`${stem}.pose.txt`, "1 0 0 0\n0 0 1 0\n0 -1 0 1\n0 0 0 1\n");
    }
    const frames = await readAll(path);
    for (const { depth } of written) depth!.data.set(depth!.data.map((step) => (step === 65_535 ? 0 : step)));
    const images = frames.map(brief).map(({ rgb, depth }) => ({ rgb, depth }));
    expect(images).toEqual(written.map(brief).map(({ rgb, depth }) => ({ rgb, depth })));
  });
});

describe("PicturesAhead", () => {
  let stem: string;
  let started = 0;
  let thread: PictureThread | undefined;
  const start = () => {
    started++;
    thread = new PictureThread();
    return thread;
  };
  beforeAll(async () => {
    stem = join(folder, "own", "frame-000003");
  });
  beforeEach(() => {
    started = 0;
  });

  it("starts one thread for many large pictures, and none for few or small ones", async () => {
    for (const [frames, name] of [
      [FRAMES, "own"],
      [5, "own"],
      [FRAMES, "nothing-there"],
    ] as const) {
      const pictures = new PicturesAhead(frames, start);
      await Promise.all([0, 1].map(() => pictures.own(join(folder, name, "frame-000003"))));
      await pictures.own(stem);
      await pictures.close();
    }
    expect(started).toBe(1);
  });

  it("starts none for somebody who looks at the first frame alone", async () => {
    const pictures = new PicturesAhead(FRAMES, start);
    await pictures.own(stem);
    await pictures.close();
    expect(started).toBe(0);
  });

  it("goes on here when the thread is gone", async () => {
    const pictures = new PicturesAhead(FRAMES, start);
    const first = await pictures.own(stem);
    const [under] = await Promise.all([pictures.own(stem), thread!.close()]);
    expect(started).toBe(1);
    for (const later of [under, await pictures.own(stem)])
      expect(Buffer.compare(later.rgb!.data, first.rgb!.data)).toBe(0);
    await pictures.close();
  });

  it("closes while pictures are under way", async () => {
    const pictures = new PicturesAhead(FRAMES, start);
    await pictures.own(stem);
    const left = pictures.own(stem);
    await pictures.close();
    await expect(left).rejects.toThrow("has ended");
  });
});

it("begins two items ahead and no more", async () => {
  const begun: number[] = [];
  for await (const item of begunAhead([0, 1, 2, 3, 4], (n) => begun.push(n) - 1)) {
    expect(begun.length).toBe(Math.min(5, item + 3));
  }
});
