import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import type { RgbImage } from "../../schema/index.ts";
import type { FoundText } from "../text-reader.ts";
import { serveRequests } from "../worker-thread.ts";
import type { PaddleWorkerData } from "./ocr-paddle.ts";
import { Paddle } from "./paddle.ts";
import { openRuntime } from "./runtime.ts";

const { runtime, packagesFrom, files } = workerData as PaddleWorkerData;
let loading: Promise<Paddle> | null = null;

async function load(): Promise<Paddle> {
  const open = await openRuntime(runtime, packagesFrom);
  const [find, spell, letters] = await Promise.all([
    readFile(files.find),
    readFile(files.spell),
    readFile(files.letters, "utf8"),
  ]);
  return new Paddle(await open(find), await open(spell), letters.split(/\r?\n/));
}

serveRequests<RgbImage | null, readonly FoundText[]>(async (picture) => {
  loading ??= load();
  const paddle = await loading;
  return { reply: picture === null ? [] : await paddle.read(picture) };
});
