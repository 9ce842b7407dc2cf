import type { Frame } from "../frame.ts";
import type { ColourCodec } from "../images.ts";
import { InfoCounter, type RecordingWriter, type TimedEdge } from "../recording.ts";
import { edgeMessage, frameMessages, timesOf } from "../ros/frame-messages.ts";
import { INFO_METADATA } from "../ros/mcap-source.ts";
import { RosMcapWriter } from "./ros-writer.ts";

/**
 * Writes ROS 2 messages, so that Foxglove and rosbag2 show the recording: compressed colour, raw 16-bit depth and
 * masks, camera info, poses as TF and PoseStamped, scans. What ROS has no message for is written as JSON beside them
 * (`…/frame`); our reader uses it, so that the round trip is exact. Chunks are zstd.
 */
export class McapRecordingWriter implements RecordingWriter {
  readonly #file: RosMcapWriter;
  readonly #colour: ColourCodec;
  readonly #counter: InfoCounter;
  #edges = 0;

  private constructor(file: RosMcapWriter, colour: ColourCodec, source: string) {
    this.#file = file;
    this.#colour = colour;
    this.#counter = new InfoCounter(source);
  }

  static async create(
    path: string,
    options: { colour?: ColourCodec | undefined; source?: string | undefined } = {},
  ): Promise<McapRecordingWriter> {
    const file = await RosMcapWriter.create(path, "loci");
    return new McapRecordingWriter(file, options.colour ?? "png", options.source ?? "");
  }

  async writeFrame(frame: Frame): Promise<void> {
    const times = timesOf(frame.timeUs, frame.receivedAtUs ?? frame.timeUs);
    for (const message of await frameMessages(frame, this.#colour))
      await this.#file.put(message, frame.index, times);
    this.#counter.frame(frame);
  }

  async writeEdge(edge: TimedEdge): Promise<void> {
    await this.#file.put(edgeMessage(edge), this.#edges++, timesOf(edge.receivedAtUs, edge.receivedAtUs));
    this.#counter.edge();
  }

  async finish(): Promise<void> {
    const json = JSON.stringify(this.#counter.info());
    await this.#file.finish({ name: INFO_METADATA, metadata: new Map([["json", json]]) });
  }

  async abort(): Promise<void> {
    await this.#file.abort();
  }
}
