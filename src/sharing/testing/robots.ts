import { Random } from "../../geometry/index.ts";
import type { WriteBatch } from "../../memory/index.ts";
import { blobRefOf, type RecordInput } from "../../schema/core.ts";

/** The moment at which the robots of these tests begin. */
export const BEGIN_US = 1_790_000_000_000_000;
const STEP_US = 1_000_000;
const THINGS = 4;

/**
 * What a robot writes at one step: an observation with a picture, a thing that is new or has moved, its sightings, a
 * caption, and now and then a note that all robots share. The same robot, seed and step give the same batch.
 */
export function robotStep(
  robot: string,
  seed: number,
  step: number,
  { notes = 0, pictureBytes = 0 }: { readonly notes?: number; readonly pictureBytes?: number } = {},
): WriteBatch {
  const random = new Random(`${robot} ${seed} ${step}`);
  const fromUs = BEGIN_US + step * STEP_US;
  const thing = Math.floor(random.next() * THINGS);
  const common = { author: robot, sceneId: "house", labels: [], validFromUs: fromUs, validToUs: null };
  const moment = { ...common, validToUs: fromUs + 1 };
  const noise = Uint8Array.from({ length: pictureBytes }, () => Math.floor(random.next() * 256));
  const picture = Buffer.concat([Buffer.from(`picture of ${robot} at ${step}, ${seed}`), noise]);
  const anchor = { submap: `${robot}-map`, p: { x: random.next() * 10, y: random.next() * 10, z: 0.5 } };
  const [track, state] = [`track-${robot}-${thing}`, `state-${robot}-${thing}`];
  const name = `${robot} thing${thing}`;
  const records: RecordInput[] = [
    { ...moment, kind: "observation", id: `obs-${robot}-${step}`, sensorId: "camera" },
    { ...common, validFromUs: BEGIN_US, kind: "track", id: track, name, category: name },
    {
      ...common,
      validFromUs: BEGIN_US,
      kind: "state",
      id: state,
      trackId: track,
      name,
      category: name,
      text: [name, `${name} seen in step ${step}`],
      anchor,
      extent: { x: 0.2, y: 0.2, z: 0.2 },
    },
    {
      ...moment,
      kind: "detection",
      id: `det-${robot}-${step}`,
      observationId: `obs-${robot}-${step}`,
      stateId: state,
      category: name,
      score: 0.9,
    },
    {
      ...moment,
      kind: "view",
      id: `view-${robot}-${step}`,
      observationId: `obs-${robot}-${step}`,
      thumb: blobRefOf(picture),
    },
    {
      ...moment,
      kind: "caption",
      id: `caption-${robot}-${step}`,
      source: "template",
      text: [`step ${step} of robot ${robot} in the corridor`],
      views: [`view-${robot}-${step}`],
      anchor,
    },
    ...Array.from(
      { length: notes },
      (_, n): RecordInput => ({
        ...moment,
        kind: "caption",
        id: `note-${robot}-${step}-${n}`,
        source: "template",
        text: [`robot ${robot} notes ${n} at step ${step}`],
        anchor,
      }),
    ),
  ];
  if (random.next() < 0.4)
    records.push({
      ...common,
      validFromUs: BEGIN_US,
      kind: "caption",
      id: "shared-note",
      source: "template",
      text: [`the last to speak was ${robot} in step ${step}`],
    });
  return {
    records,
    blobs: [picture],
    sightings: [
      {
        stateId: state,
        timeUs: fromUs,
        outcome: "seen",
        agentId: robot,
        observationId: `obs-${robot}-${step}`,
        detectionId: `det-${robot}-${step}`,
      },
    ],
    frames:
      step === 0
        ? [
            {
              parent: `${robot}-odom`,
              child: `${robot}-map`,
              transform: { p: { x: 1, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
            },
          ]
        : [],
  };
}
