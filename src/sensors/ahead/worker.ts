import { parentPort } from "node:worker_threads";
import { isLociError } from "../../schema/errors.ts";
import { type PictureJob, perform } from "./job.ts";
import type { PictureAnswer } from "./thread.ts";

parentPort!.on("message", async ({ id, job }: { readonly id: number; readonly job: PictureJob }) => {
  const post = (answer: PictureAnswer, transfer: ArrayBuffer[] = []) =>
    parentPort!.postMessage(answer, transfer);
  try {
    const done = await perform(job);
    const images = [done.rgb, done.depth, "masks" in done ? done.masks : undefined];
    post(
      { id, done },
      images.flatMap((image) => (image ? [image.data.buffer as ArrayBuffer] : [])),
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    post({ id, failed: { code, message, isOurs: isLociError(error) } });
  }
});
