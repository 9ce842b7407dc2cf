import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "../schema/index.ts";
import { type FolderReaderOptions, openFolder } from "./folder/reader.ts";
import { FolderWriter } from "./folder/writer.ts";
import type { ColourCodec } from "./images.ts";
import { openMcap } from "./mcap/reader.ts";
import { McapRecordingWriter } from "./mcap/writer.ts";
import type { RecordingFormat, RecordingReader, RecordingWriter } from "./recording.ts";
import { StagedFolder } from "./staged-folder.ts";

/** The one MCAP file of a recording folder. */
const MCAP_FILE = "recording.mcap";

/** Opens a recording by what lies at the path: an .mcap file, a folder that holds one, or a folder of images. */
export async function openRecording(
  path: string,
  options: FolderReaderOptions = {},
): Promise<RecordingReader> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new LociError("invalid-input", `expected a recording, nothing is at ${path}`, { cause });
  });
  if (!found.isDirectory()) return openMcap(path);
  const names = await readdir(path);
  return names.includes(MCAP_FILE) ? openMcap(join(path, MCAP_FILE)) : openFolder(path, options);
}

/** Writes into a folder that exists already; for those who stage more than the recording. */
export async function writeRecordingInto(
  folder: string,
  options: { format: RecordingFormat; colour?: ColourCodec | undefined; source?: string | undefined },
): Promise<RecordingWriter> {
  if (options.format === "mcap") return McapRecordingWriter.create(join(folder, MCAP_FILE), options);
  return FolderWriter.create(folder, options);
}

/** A new recording at `path`, which appears there when it is finished and leaves nothing when aborted. */
export async function createRecording(
  path: string,
  options: { format: RecordingFormat; colour?: ColourCodec | undefined; source?: string | undefined },
): Promise<RecordingWriter> {
  const staged = await StagedFolder.create(path);
  const inner = await writeRecordingInto(staged.path, options).catch(async (error: unknown) => {
    await staged.discard();
    throw error;
  });
  return {
    writeFrame: (frame) => inner.writeFrame(frame),
    writeEdge: (edge) => inner.writeEdge(edge),
    finish: async () => {
      await inner.finish();
      await staged.commit();
    },
    abort: async () => {
      await inner.abort();
      await staged.discard();
    },
  };
}
