import type { Corrections } from "../corrections/index.ts";
import type {
  ForgetOptions,
  ForgetReport,
  Hit,
  MemoryReader,
  MemoryWriter,
  RedactPictures,
} from "../memory/port.ts";
import { isLociError, type RecordInput } from "../schema/core.ts";
import type { Gone } from "../watches/index.ts";
import { appendAudit } from "./audit.ts";
import { forgetBeside } from "./beside.ts";
import { type SaidByName, saidByName } from "./forget-said.ts";

/** The parts of a memory that forgetting needs. */
interface Forgetting {
  readonly folder: string;
  readonly corrections: Corrections;
  readonly forgetting: ReadonlySet<(gone: Gone) => void>;
  reader(): Promise<MemoryReader>;
  writer(): Promise<MemoryWriter>;
}

export interface ForgetThingOptions extends Omit<ForgetOptions, "redact"> {
  /** What happens to pictures that also show other things; default "blacken". */
  readonly pictures?: "blacken" | "give up";
  /** Ids that are not here are noted, so that no later write or sync brings them in. */
  readonly ahead?: boolean;
  /** The author for the audit; default the owner. */
  readonly who?: string;
  /** False when another memory's forgetting is followed; default true. */
  readonly isOwn?: boolean;
}

/** The result of forgetting, with the number of deleted sentences that mentioned it by name. */
export interface ForgetThingReport extends ForgetReport {
  readonly said: number;
}

/**
 * Forgets records, and what people said of them by name. Where the records are themselves statements by people, the
 * versions of things with those names go too. Then every file beside the memory, and this process's caches, forget
 * them.
 */
export async function forgetIn(
  memory: Forgetting,
  { ids: wanted, reason }: { readonly ids: readonly string[]; readonly reason: string },
  { pictures = "blacken", ahead = false, who = "owner", isOwn = true, ...options }: ForgetThingOptions,
): Promise<ForgetThingReport> {
  const redact: RedactPictures = async (shown) => {
    const { blackenedJpeg } = await import("../perception/index.ts");
    return Promise.all(shown.map(({ bytes, boxes }) => blackenedJpeg(bytes, boxes)));
  };
  const { corrections, folder } = memory;
  const writer = await memory.writer();
  const said = await saidByName(await memory.reader(), wanted);
  const whole = said.filter(({ rest }) => rest.length === 0).map(({ note }) => note.id);
  const ids = [...wanted, ...whole];
  const shortened = await withoutLines(
    await memory.reader(),
    said.filter(({ rest }) => rest.length > 0),
  );
  if (ids.length > 0)
    auditUnlessFull(folder, { atUs: Date.now() * 1000, who, act: "forget", ids: [...ids], reason });
  const names = await namesOf(await memory.reader(), ids);
  const past = [...(await corrections.withdraw(ids)), ...shortened.past];
  const beside = async (gone: readonly string[]) => {
    const all: Gone = { ids: new Set(gone), names: await unused(await memory.reader(), names) };
    for (const hear of memory.forgetting) hear(all);
    forgetBeside(folder, all, { isOwn });
  };
  try {
    const report = await writer.forget(
      {
        ...{ ids, reason, ahead },
        ...(past.length > 0 && { past }),
        ...(shortened.records.length > 0 && { instead: { records: shortened.records } }),
      },
      { ...options, ...(pictures === "blacken" && { redact }) },
    );
    await beside([...ids, ...report.forgotten.map(({ id }) => id)]);
    return { ...report, said: said.reduce((sum, { lines }) => sum + lines.length, 0) };
  } catch (error) {
    // They are forgotten, even though a reader still has the earlier memory open.
    if (isLociError(error, "memory-busy")) await beside(ids);
    throw error;
  } finally {
    corrections.reload();
  }
}

/** Notes that lose only some lines: their new text, and the old versions that still have those lines. */
async function withoutLines(
  reader: MemoryReader,
  said: readonly SaidByName[],
): Promise<{ records: RecordInput[]; past: { id: string; version: number }[] }> {
  const records: RecordInput[] = [];
  const past: { id: string; version: number }[] = [];
  for (const { note, rest } of said) {
    const { version, recordedAtUs: _, supersededAtUs: __, ...as } = note;
    records.push({ ...as, text: [...rest], expectVersion: version } as RecordInput);
    for (const one of await reader.history(note.id)) past.push({ id: note.id, version: one.version });
  }
  return { records, past };
}

/** Shorter names occur within too many other words. */
const SHORTEST_NAME = 3;

/** A record with every word of a name ranks among this many best matches. */
const LIKELIEST = 64;

/** Every name that these records ever had. */
async function namesOf(reader: MemoryReader, ids: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const id of ids)
    for (const version of await reader.history(id)) {
      if ("name" in version && typeof version.name === "string") names.add(version.name);
      if (version.kind === "track") for (const alias of version.aliases) names.add(alias);
    }
  return [...names].filter((name) => name.length >= SHORTEST_NAME);
}

/** Names that no remaining record contains: only forgotten ones used them. */
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

/**
 * Forgetting frees space on a full disk, so there it proceeds without its audit line; the memory's own log still
 * lists what was deleted.
 */
function auditUnlessFull(...line: Parameters<typeof appendAudit>): void {
  try {
    appendAudit(...line);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
