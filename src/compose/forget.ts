import type { Corrections } from "../corrections/index.ts";
import type {
  ForgetOptions,
  ForgetReport,
  Hit,
  MemoryReader,
  MemoryWriter,
  RedactPictures,
} from "../memory/port.ts";
import { isLociError } from "../schema/core.ts";
import type { Gone } from "../watches/index.ts";
import { appendAudit } from "./audit.ts";
import { forgetBeside } from "./beside.ts";

/** The memory that forgets, as far as it has to be known here. */
interface Forgetting {
  readonly folder: string;
  readonly corrections: Corrections;
  readonly forgetting: ReadonlySet<(gone: Gone) => void>;
  reader(): Promise<MemoryReader>;
  writer(): Promise<MemoryWriter>;
}

export interface ForgetThingOptions extends Omit<ForgetOptions, "redact"> {
  /** What happens to pictures in which it is one of many; default "blacken". */
  readonly pictures?: "blacken" | "give up";
  /** Ids that are not here are noted, so that nobody brings them. */
  readonly ahead?: boolean;
  /** Who forgets, for the audit; default the owner. */
  readonly who?: string;
  /** Not so where another memory's word is followed; default true. */
  readonly isOwn?: boolean;
}

/**
 * Forgets records; where they are what people said, with the versions of things that were called so. Then everything
 * beside the memory forgets them, in files and in this process.
 */
export async function forgetIn(
  memory: Forgetting,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  { pictures = "blacken", ahead = false, who = "owner", isOwn = true, ...options }: ForgetThingOptions,
): Promise<ForgetReport> {
  const redact: RedactPictures = async (shown) => {
    const { blackenedJpeg } = await import("../perception/index.ts");
    return Promise.all(shown.map(({ bytes, boxes }) => blackenedJpeg(bytes, boxes)));
  };
  const { corrections, folder } = memory;
  const writer = await memory.writer();
  if (ids.length > 0)
    auditUnlessFull(folder, { atUs: Date.now() * 1000, who, act: "forget", ids: [...ids], reason });
  const names = await namesOf(await memory.reader(), ids);
  const past = await corrections.withdraw(ids);
  const beside = async (gone: readonly string[]) => {
    const all: Gone = { ids: new Set(gone), names: await unused(await memory.reader(), names) };
    for (const hear of memory.forgetting) hear(all);
    forgetBeside(folder, all, { isOwn });
  };
  try {
    const report = await writer.forget(
      { ids, reason, ahead, ...(past.length > 0 && { past }) },
      { ...options, ...(pictures === "blacken" && { redact }) },
    );
    await beside([...ids, ...report.forgotten.map(({ id }) => id)]);
    return report;
  } catch (error) {
    // Forgotten, though somebody still reads the memory as it was before.
    if (isLociError(error, "memory-busy")) await beside(ids);
    throw error;
  } finally {
    corrections.reload();
  }
}

/** Shorter names are words of too many other things. */
const SHORTEST_NAME = 3;

/** What has all words of a name is among so many that have the most of them. */
const LIKELIEST = 64;

/** What these were ever called. */
async function namesOf(reader: MemoryReader, ids: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const id of ids)
    for (const version of await reader.history(id)) {
      if ("name" in version && typeof version.name === "string") names.add(version.name);
      if (version.kind === "track") for (const alias of version.aliases) names.add(alias);
    }
  return [...names].filter((name) => name.length >= SHORTEST_NAME);
}

/** Names that no record has among its words any more: only what is gone was called so. */
async function unused(reader: MemoryReader, names: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const words of names) {
    const { hits } = await reader.search({ meaning: { words }, limit: LIKELIEST });
    const isCalled = ({ record }: Hit) =>
      [...record.text, "name" in record ? record.name : ""].some((line) =>
        line.toLowerCase().includes(words.toLowerCase()),
      );
    if (!hits.some(isCalled)) left.push(words);
  }
  return left;
}

/** Forgetting is what makes room on a full disk: there it goes on without its line; the memory's own log still says what went. */
function auditUnlessFull(...line: Parameters<typeof appendAudit>): void {
  try {
    appendAudit(...line);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
