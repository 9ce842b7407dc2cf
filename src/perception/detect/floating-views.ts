import { blobRefOf, contentId, type Frame, type RecordInput } from "../../schema/core.ts";
import { encodeJpeg } from "../pictures.ts";
import { sceneLines, sentencesOf } from "../scene-text.ts";

/** Whether the camera moved is unknown, so the time alone decides when the next picture is kept. */
const EVERY_US = 1_000_000;
const THUMB_PX = 512;
/** Most sensors whose last picture is remembered. */
const SENSORS = 1_024;

/** The names under which a picture is filed. */
export interface FloatingPlace {
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly observationId: string;
}

/**
 * Views of frames without a pose: their place is unknown, but they are found by content and time. At most one per
 * second and sensor is kept.
 */
export class FloatingViews {
  readonly #lastUs = new Map<string, number>();

  /** The view and its picture; undefined without a picture, or if the last one is recent. */
  async keep(
    frame: Frame,
    { sceneId, labels, observationId }: FloatingPlace,
  ): Promise<{ records: RecordInput[]; blobs: Uint8Array[] } | undefined> {
    const { rgb, timeUs, agentId, sensorId, detections = [], captions = [] } = frame;
    const sensor = `${agentId} ${sensorId}`;
    const lastUs = this.#lastUs.get(sensor);
    if (!rgb || (lastUs !== undefined && Math.abs(timeUs - lastUs) < EVERY_US)) return undefined;
    this.#lastUs.delete(sensor);
    this.#lastUs.set(sensor, timeUs);
    const [oldest] = this.#lastUs.keys();
    if (this.#lastUs.size > SENSORS && oldest !== undefined) this.#lastUs.delete(oldest);
    const thumb = await encodeJpeg(rgb, THUMB_PX);
    const things = detections
      .filter(({ faint }) => faint !== true)
      .map(({ label, text, attributes }) => ({ category: label ?? "thing", phrase: text, attributes }));
    const record: RecordInput = {
      kind: "view",
      id: contentId("view", observationId),
      sceneId,
      author: agentId,
      labels: [...labels],
      validFromUs: timeUs,
      validToUs: timeUs + 1,
      text: [...captions.flatMap(sentencesOf), ...sceneLines(things)].slice(0, 32),
      observationId,
      thumb: blobRefOf(thumb),
    };
    return { records: [record], blobs: [thumb] };
  }
}
