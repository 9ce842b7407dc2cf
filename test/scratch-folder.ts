import { existsSync, mkdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
/** Many times what the files of two tests take at once. */
const ROOM_BYTES = 2 ** 31;

/**
 * Where the quick suite writes its memories: in RAM where Linux gives room for it, since making a memory waits for the disk some
 * sixteen times. Who sets TMPDIR has chosen; the slow suite, with its crashes and attacks, stays on the disk.
 */
export const SCRATCH: string | undefined =
  process.env["TMPDIR"] === undefined && hasRoom()
    ? join(SHARED_MEMORY, `loci-tests-${process.pid}`)
    : undefined;

function hasRoom(): boolean {
  if (!existsSync(SHARED_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize > ROOM_BYTES;
}

/** Called by vitest before the first file and, what it returns, after the last. */
export default function setup(): () => void {
  if (SCRATCH !== undefined) mkdirSync(SCRATCH, { recursive: true });
  return () => {
    if (SCRATCH !== undefined) rmSync(SCRATCH, { recursive: true, force: true });
  };
}
