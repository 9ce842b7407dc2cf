import { z } from "zod";
import { apply, compose, polygonContains, type Vec3 } from "../geometry/index.ts";
import { type DepthImage, LIMITS, nameSchema, type Percept, parseOrThrow } from "../schema/index.ts";

const point = z.object({ x: z.number(), y: z.number() });

/**
 * What must not be remembered. `redact` names categories whose detections are dropped, with their pixels blurred or
 * blackened in every kept picture. `zones` are prisms in the world in which nothing is recorded: frames taken inside
 * are skipped, and in other frames their content is removed.
 */
export const privacyPolicySchema = z.strictObject({
  redact: z
    .array(z.strictObject({ category: nameSchema, action: z.enum(["drop", "blur"]).default("drop") }))
    .max(256)
    .default([]),
  zones: z
    .array(
      z.strictObject({
        name: nameSchema.default("zone"),
        points: z.array(point).min(3).max(LIMITS.polygonPoints),
        minZ: z.number().optional(),
        maxZ: z.number().optional(),
      }),
    )
    .max(256)
    .default([]),
});

export type PrivacyPolicy = z.output<typeof privacyPolicySchema>;
export type PrivacyPolicyInput = z.input<typeof privacyPolicySchema>;

export function parsePrivacyPolicy(input: unknown): PrivacyPolicy {
  return parseOrThrow(privacyPolicySchema, input, "privacy policy");
}

/** The zone that contains a point of the world, if any. */
export function zoneAt(
  { zones }: PrivacyPolicy,
  pointInWorld: Vec3,
): PrivacyPolicy["zones"][number] | undefined {
  return zones.find(({ points, minZ = -Infinity, maxZ = Infinity }) =>
    polygonContains({ points, minZ, maxZ }, pointInWorld),
  );
}

/**
 * A percept without the content of zones: detections there are dropped, depth becomes unmeasured and colour black, so
 * that neither views nor map contain it. Recorded captions are dropped too, since their subject is unknown. Pixels
 * without depth cannot be located, so they become black as well.
 */
export function withoutZones(policy: PrivacyPolicy, percept: Percept): Percept {
  if (policy.zones.length === 0) return percept;
  const stays = percept.detections.map(
    ({ solid }) =>
      solid !== undefined && zoneAt(policy, apply(percept.worldFromSubmap, solid.centroid)) === undefined,
  );
  const { depth, rgb } = percept;
  const keep = depth && outsidePixels(policy, percept, depth);
  const sameSize = depth !== undefined && rgb?.width === depth.width && rgb.height === depth.height;
  return {
    ...percept,
    captions: [],
    detections: percept.detections.filter((_, n) => stays[n]),
    depth: depth && { ...depth, data: depth.data.map((value, at) => (keep![at] ? value : 0)) },
    rgb: rgb && {
      ...rgb,
      data: rgb.data.map((value, at) => (sameSize && keep![Math.floor(at / 3)] ? value : 0)),
    },
  };
}

/** 1 for each pixel whose surface is measured and lies outside every zone. */
function outsidePixels(policy: PrivacyPolicy, percept: Percept, depth: DepthImage): Uint8Array {
  const worldFromCamera = compose(percept.worldFromSubmap, percept.submapFromCamera);
  const keep = new Uint8Array(depth.data.length);
  const { fx, fy, cx, cy } = percept.intrinsics;
  for (let at = 0; at < keep.length; at++) {
    const z = depth.data[at]! * depth.unitM;
    if (z === 0) continue;
    const x = (((at % depth.width) + 0.5 - cx) / fx) * z;
    const y = ((Math.floor(at / depth.width) + 0.5 - cy) / fy) * z;
    if (zoneAt(policy, apply(worldFromCamera, { x, y, z })) === undefined) keep[at] = 1;
  }
  return keep;
}
