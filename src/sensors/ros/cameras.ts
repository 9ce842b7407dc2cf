import { isBent, type Lens } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/index.ts";
import type { ReadOptions } from "../options.ts";
import { isDepthEncoding } from "./image-decoding.ts";
import type { Decode, MessageSource, RosTopic } from "./message-source.ts";
import type { RosCameraInfo, RosImage } from "./messages.ts";

/** The topics of one camera. */
export interface CameraTopics {
  readonly sensorId: string;
  /** Undefined for a camera that only measures depth. */
  readonly colour: RosTopic | undefined;
  readonly depth: RosTopic | undefined;
  readonly cloud: RosTopic | undefined;
  readonly info: RosTopic | undefined;
  readonly depthInfo: RosTopic | undefined;
}

/** Messages to search for the first one of each topic. */
const PEEKED_MESSAGES = 20_000;
/** Last words of image topics that do not identify the camera. */
const LEAVES =
  /^(image\w*|compressed|compressedDepth|raw|rect|color|colour|rgb|depth|aligned_depth_to_color|depth_registered|hw_registered|points)$/i;

/**
 * Finds cameras by the types and names of topics and the encodings of their first images: one colour stream each,
 * with the camera info, depth and cloud whose names match best. Topics named in the options take precedence.
 */
export async function findCameras(
  source: MessageSource,
  decode: Decode,
  options: ReadOptions,
  signal?: AbortSignal,
): Promise<CameraTopics[]> {
  const of = (...types: string[]) =>
    source.topics.filter(({ known, encoding }) => known && encoding !== "other" && types.includes(known));
  const images = of("sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage");
  const firsts = await firstEncodings(source, decode, of("sensor_msgs/msg/Image"), signal);
  const isDepth = (topic: RosTopic) => {
    if (topic.name === options.topics?.depth) return true;
    const encoding = firsts.get(topic.name);
    if (encoding !== undefined && encoding !== "mono16") return isDepthEncoding(encoding);
    return /depth/i.test(topic.name);
  };
  const wanted = options.topics?.colour;
  const colours = images.filter((topic) =>
    wanted ? wanted.includes(topic.name) : !isDepth(topic) && !/mask|label|segment/i.test(topic.name),
  );
  const depths = images.filter(
    (topic) => isDepth(topic) && !/mask|label|segment/i.test(topic.name) && !wanted?.includes(topic.name),
  );
  const clouds = of("sensor_msgs/msg/PointCloud2");
  const infos = of("sensor_msgs/msg/CameraInfo");
  const named = (list: readonly RosTopic[], name: string | undefined) =>
    list.find((topic) => topic.name === name);
  const main = withoutTwins(colours.length > 0 ? colours : depths);
  return main.map((topic): CameraTopics => {
    const isColour = colours.includes(topic);
    const depth = isColour
      ? (named(depths, options.topics?.depth) ?? nearest(topic, withoutTwins(depths), 1))
      : topic;
    const cloud = depth ? undefined : (named(clouds, options.topics?.cloud) ?? nearest(topic, clouds, 0));
    return {
      sensorId:
        options.sensorId ??
        sensorIdOf(
          topic.name,
          main.map(({ name }) => name),
        ),
      colour: isColour ? topic : undefined,
      depth,
      cloud,
      info: named(infos, options.topics?.cameraInfo) ?? nearest(topic, infos, 1) ?? onlyOne(infos),
      depthInfo: depth && nearest(depth, infos, 1),
    };
  });
}

/** Intrinsics in our pixel convention, scaled to the size of the pictures. */
export function intrinsicsOf(
  info: RosCameraInfo,
  isRectified: boolean,
  size: { width: number; height: number },
) {
  const k = info.k ?? info.K;
  const p = info.p ?? info.P;
  const [fx, fy, cx, cy] =
    isRectified && p && p[0]! > 0 ? [p[0], p[5], p[2], p[6]] : k ? [k[0], k[4], k[2], k[5]] : [];
  if (!(fx! > 0 && fy! > 0) || !Number.isFinite(cx! + cy!)) return undefined;
  const sx = info.width > 0 ? size.width / info.width : 1;
  const sy = info.height > 0 ? size.height / info.height : 1;
  return {
    fx: fx! * sx,
    fy: fy! * sy,
    cx: (cx! + 0.5) * sx,
    cy: (cy! + 0.5) * sy,
    width: size.width,
    height: size.height,
  };
}

const LENSES: Readonly<Record<string, Lens["model"]>> = {
  "": "plumb_bob",
  plumb_bob: "plumb_bob",
  rational_polynomial: "rational_polynomial",
  equidistant: "equidistant",
  fisheye: "equidistant",
  kannala_brandt4: "equidistant",
};

/** The lens that a camera info describes; undefined for none, "unknown" for a model that we do not have. */
export function lensOf(info: RosCameraInfo): Lens | "unknown" | undefined {
  const coefficients = Array.from(info.d ?? info.D ?? []);
  if (coefficients.length === 0 || !coefficients.every(Number.isFinite)) return undefined;
  const named = LENSES[info.distortion_model ?? ""];
  if (!named) return coefficients.some((value) => value !== 0) ? "unknown" : undefined;
  // Some drivers call eight coefficients plumb_bob too.
  const model = named === "plumb_bob" && coefficients.length > 5 ? "rational_polynomial" : named;
  const lens = { model, coefficients };
  return isBent(lens) ? lens : undefined;
}

/** The encoding of the first image of each topic. */
async function firstEncodings(
  source: MessageSource,
  decode: Decode,
  topics: readonly RosTopic[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const open = new Map(topics.filter(({ count }) => count !== 0).map((topic) => [topic.name, topic]));
  const found = new Map<string, string>();
  if (open.size === 0) return found;
  let seen = 0;
  for await (const message of source.messages({ topics: new Set(open.keys()), signal })) {
    const topic = open.get(message.topic);
    if (++seen > PEEKED_MESSAGES) break;
    if (!topic) continue;
    try {
      found.set(topic.name, decode<RosImage>(topic, message.data).encoding);
    } catch {
      continue;
    }
    open.delete(topic.name);
    if (open.size === 0) break;
  }
  return found;
}

/** The candidate with the most common leading words, at least `atLeast`; registered depth before other depth. */
function nearest(topic: RosTopic, candidates: readonly RosTopic[], atLeast: number): RosTopic | undefined {
  const words = topic.name.split("/").filter(Boolean);
  let best: RosTopic | undefined;
  let bestScore = -1;
  for (const candidate of candidates) {
    const others = candidate.name.split("/").filter(Boolean);
    let shared = 0;
    while (shared < words.length && words[shared] === others[shared]) shared++;
    const score = shared + (/align|regist/i.test(candidate.name) ? 0.5 : 0) - others.length / 1_000;
    if (shared >= atLeast && score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Of a raw topic and its compressed twins, the one with the most messages; raw on a tie. */
function withoutTwins(topics: readonly RosTopic[]): RosTopic[] {
  const base = ({ name }: RosTopic) => name.replace(/\/(compressed|compressedDepth|theora)$/, "");
  return [...Map.groupBy(topics, base).values()].map((twins) =>
    twins.reduce((best, topic) => {
      const more = (topic.count ?? 0) - (best.count ?? 0);
      return more > 0 || (more === 0 && topic.name.length < best.name.length) ? topic : best;
    }),
  );
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** "/robot/left/image_raw" becomes robot-left; if two would have the same name, the whole topic name is used. */
function sensorIdOf(name: string, all: readonly string[]): string {
  const short = (topic: string) => {
    const words = topic.split("/").filter(Boolean);
    while (words.length > 1 && LEAVES.test(words.at(-1)!)) words.pop();
    return words.join("-");
  };
  const id = all.filter((other) => short(other) === short(name)).length === 1 ? short(name) : name;
  const safe = id
    .replaceAll("/", "-")
    .replace(/[^A-Za-z0-9_.:-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  return safe.slice(0, LIMITS.idChars) || "camera";
}
