import { join } from "node:path";
import { Db3RecordingWriter } from "./db3/writer.ts";
import { detectSource } from "./detect.ts";
import { FolderWriter } from "./folder/writer.ts";
import type { ColourCodec } from "./images.ts";
import { McapRecordingWriter } from "./mcap/writer.ts";
import { parseReadOptions, type ReadOptions } from "./options.ts";
import type { SourcePlan } from "./plan.ts";
import type { RecordingFormat, RecordingReader, RecordingWriter } from "./recording.ts";
import { type OpenSource, readerOf } from "./source.ts";
import { StagedFolder } from "./staged-folder.ts";

/** The file in a recording folder for the single-file formats. */
const MCAP_FILE = "recording.mcap";
const DB3_FILE = "recording.db3";

/** Inspects a path once: the plan is then known, and reading continues from the same source. */
export async function openSource(path: string, options: ReadOptions = {}): Promise<OpenSource> {
  return detectSource(path, parseReadOptions(options));
}

/**
 * Opens a recording by its content: our own formats, ROS bags of three kinds, RGB-D datasets, pictures, captions,
 * detections, scene graphs. For missing information it throws an error that names the option.
 */
export async function openRecording(path: string, options: ReadOptions = {}): Promise<RecordingReader> {
  const source = await openSource(path, options);
  try {
    return readerOf(source);
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * Describes the recording at a path and how it would be read: streams, counts, rates, poses, conventions, what is
 * missing.
 */
export async function describeSource(path: string, options: ReadOptions = {}): Promise<SourcePlan> {
  const source = await openSource(path, options);
  await source.close();
  return source.plan;
}

/** Writes into an existing folder; for callers that stage more than the recording. */
export async function writeRecordingInto(
  folder: string,
  options: { format: RecordingFormat; colour?: ColourCodec | undefined; source?: string | undefined },
): Promise<RecordingWriter> {
  if (options.format === "mcap") return McapRecordingWriter.create(join(folder, MCAP_FILE), options);
  if (options.format === "db3") return Db3RecordingWriter.create(join(folder, DB3_FILE), options);
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
