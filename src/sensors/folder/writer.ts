import { type FileHandle, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Frame, lineOf } from "../frame.ts";
import { type ColourCodec, encodeColour, encodeGrey16 } from "../images.ts";
import { InfoCounter, type RecordingWriter, type TimedEdge } from "../recording.ts";
import {
  EDGES_FILE,
  FRAMES_FILE,
  frameStem,
  INFO_FILE,
  INTRINSICS_FILE,
  intrinsicsText,
  poseText,
} from "./layout.ts";

/**
 * Writes a folder that a 7-Scenes or TSDF reader understands (colour, 16-bit depth in millimetres, camera-to-world
 * poses, intrinsics), with everything else in two files of JSON lines. The folder must exist; the caller stages it,
 * and removes it after an abort.
 */
export class FolderWriter implements RecordingWriter {
  readonly #folder: string;
  readonly #colour: ColourCodec;
  readonly #frames: FileHandle;
  readonly #edges: FileHandle;
  readonly #counter: InfoCounter;
  #hasIntrinsics = false;

  private constructor(
    folder: string,
    colour: ColourCodec,
    source: string,
    frames: FileHandle,
    edges: FileHandle,
  ) {
    this.#folder = folder;
    this.#colour = colour;
    this.#frames = frames;
    this.#edges = edges;
    this.#counter = new InfoCounter(source);
  }

  static async create(
    folder: string,
    options: { colour?: ColourCodec | undefined; source?: string | undefined } = {},
  ): Promise<FolderWriter> {
    const frames = await open(join(folder, FRAMES_FILE), "wx");
    const edges = await open(join(folder, EDGES_FILE), "wx");
    return new FolderWriter(folder, options.colour ?? "png", options.source ?? "", frames, edges);
  }

  async writeFrame(frame: Frame): Promise<void> {
    const stem = join(this.#folder, frameStem(frame.index));
    const { rgb, depth, masks, worldFromCamera } = frame;
    const files: Promise<void>[] = [];
    const put = (name: string, bytes: Promise<Uint8Array>) =>
      files.push(bytes.then((data) => writeFile(name, data)));
    if (rgb) put(`${stem}.color.${this.#colour === "png" ? "png" : "jpg"}`, encodeColour(rgb, this.#colour));
    if (depth) put(`${stem}.depth.png`, encodeGrey16(depth));
    if (masks) put(`${stem}.masks.png`, encodeGrey16(masks));
    if (worldFromCamera) files.push(writeFile(`${stem}.pose.txt`, poseText(worldFromCamera)));
    if (!this.#hasIntrinsics)
      files.push(writeFile(join(this.#folder, INTRINSICS_FILE), intrinsicsText(frame.intrinsics)));
    this.#hasIntrinsics = true;
    await Promise.all(files);
    await this.#frames.write(`${JSON.stringify(lineOf(frame))}\n`);
    this.#counter.frame(frame);
  }

  async writeEdge(edge: TimedEdge): Promise<void> {
    await this.#edges.write(`${JSON.stringify(edge)}\n`);
    this.#counter.edge();
  }

  async finish(): Promise<void> {
    await this.abort();
    await writeFile(join(this.#folder, INFO_FILE), `${JSON.stringify(this.#counter.info(), null, 2)}\n`);
  }

  async abort(): Promise<void> {
    await this.#frames.close();
    await this.#edges.close();
  }
}
