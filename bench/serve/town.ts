import { Random } from "../../src/geometry/index.ts";
import type { DetectionsInput, RecordInput, SearchQuery } from "../../src/schema/index.ts";

const START_US = 1_767_225_600_000_000;
const SPAN_US = 30 * 86_400_000_000;
const SIDE_M = 2_000;
const CLUSTERS = 400;

const COLOURS = "red blue green white black grey brown yellow orange purple".split(" ");
const LOOKS = "small large old new wooden metal plastic round broken shiny".split(" ");
const THINGS =
  "mug plate bowl lamp chair table sofa bed desk shelf book box bottle laptop clock mirror rug plant vase bin fridge kettle sink towel ladder bicycle car bus bench tree door window printer keyboard phone bag hat shoe coat umbrella".split(
    " ",
  );
const PLACES =
  "kitchen bedroom bathroom office hallway workshop lounge library garage garden street station park school shop".split(
    " ",
  );

/** A town of sightings as a function of its seed: the world of `bench memory` in words that an encoder knows. */
export class Town {
  readonly #random: Random;
  readonly #clusters: { readonly x: number; readonly y: number; readonly spreadM: number }[];
  #written = 0;

  constructor(seed: string) {
    this.#random = new Random(seed);
    this.#clusters = Array.from({ length: CLUSTERS }, () => ({
      x: this.#random.range(0, SIDE_M),
      y: this.#random.range(0, SIDE_M),
      spreadM: this.#random.range(4, 40),
    }));
  }

  record(n: number, of: number): RecordInput {
    const fromUs = START_US + Math.floor((n / of) * SPAN_US);
    return {
      kind: "caption",
      id: `r${String(n).padStart(7, "0")}`,
      source: "vlm",
      text: [this.#phrase()],
      validFromUs: fromUs,
      validToUs: fromUs + this.#random.int(1, 600_000_000),
      anchor: { submap: "world", p: this.#place() },
    };
  }

  /** A tenth of a second of a robot that sees ten things at once. */
  look(detections: number): DetectionsInput["looks"][number] {
    const timeUs = START_US + SPAN_US + this.#written++ * 100_000;
    const centre = this.#place();
    return {
      time: timeUs,
      agent: "rob1",
      pose: { p: centre },
      detections: Array.from({ length: detections }, () => ({
        category: this.#pick(THINGS),
        position: {
          x: centre.x + this.#random.normal(0, 3),
          y: centre.y + this.#random.normal(0, 3),
          z: centre.z,
        },
        extent: { x: 0.3, y: 0.3, z: 0.3 },
        score: 0.9,
        // As a detector puts it: some thousand phrases, over and over.
        text: `${this.#pick(LOOKS)} ${this.#pick(COLOURS)} ${this.#pick(THINGS)}`,
      })),
    };
  }

  /** The mix: a third each of place + time, meaning + place, words + time. */
  query(n: number): SearchQuery {
    const fromUs = START_US + Math.floor(this.#random.next() * SPAN_US * 0.9);
    const time = { from: fromUs, to: fromUs + Math.floor(SPAN_US / 20) };
    const near = this.#place();
    if (n % 3 === 0) return { near, within: 50, rank: "latest", ...time };
    if (n % 3 === 1) return { text: this.#phrase(), by: "meaning", near, within: 50, rank: "meaning" };
    return { text: `${this.#pick(COLOURS)} ${this.#pick(THINGS)}`, by: "words", ...time };
  }

  #phrase(): string {
    return `a ${this.#pick(LOOKS)} ${this.#pick(COLOURS)} ${this.#pick(THINGS)} in the ${this.#pick(PLACES)} ${this.#random.int(0, 20)}`;
  }

  #place(): { x: number; y: number; z: number } {
    const { x, y, spreadM } = this.#pick(this.#clusters);
    return {
      x: x + this.#random.normal(0, spreadM),
      y: y + this.#random.normal(0, spreadM),
      z: this.#random.range(0, 20),
    };
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.int(0, list.length)]!;
  }
}
