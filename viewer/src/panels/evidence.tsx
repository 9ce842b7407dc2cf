import { useEffect, useState } from "preact/hooks";
import type { AnswerEvidence } from "../../../src/schema/answer.ts";
import { lifeOf } from "../data/asking.ts";
import * as store from "../data/store.ts";
import { whenText } from "../data/words.ts";
import { personName } from "../world/label-choice.ts";
import { Picture } from "./picture.tsx";

interface Found {
  readonly path: string;
  readonly box?: readonly number[] | undefined;
}

/** The picture of a piece of evidence: its own view, or the view of its thing nearest in time. */
async function pictureOf({ viewId, ref, kind, trackId, atUs }: AnswerEvidence): Promise<Found | null> {
  const track = trackId ?? store.loaded.value?.rows.find(({ id }) => id === ref)?.track;
  if (track !== undefined) {
    const { pictures } = await lifeOf(track);
    // The larger it is in the picture, the better; among equals, the nearest in time.
    const area = (box: readonly number[] | undefined) =>
      box ? (box[2]! - box[0]!) * (box[3]! - box[1]!) : 0;
    const [best] = pictures.toSorted(
      (a, b) =>
        Math.min(area(b.box), 0.12) - Math.min(area(a.box), 0.12) ||
        Math.abs(a.atUs - atUs) - Math.abs(b.atUs - atUs),
    );
    if (best) return { path: `v1/blobs/${best.image}`, box: best.box };
  }
  const view = viewId ?? (kind === "view" ? ref : undefined);
  return view === undefined ? null : { path: `v1/views/${encodeURIComponent(view)}/picture` };
}

/** One record in an answer's evidence, as a picture with text; a click goes there. */
export function EvidenceCard({
  evidence,
  number,
  onPick,
}: {
  evidence: AnswerEvidence;
  /** As on the map, if several things are highlighted. */
  number: number | null;
  onPick: () => void;
}) {
  const [picture, setPicture] = useState<Found | null | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    pictureOf(evidence).then(
      (found) => !isOver && setPicture(found),
      () => !isOver && setPicture(null),
    );
    return () => {
      isOver = true;
    };
  }, [evidence.ref, evidence.trackId]);
  return (
    <div class="evidence">
      {picture && (
        <button
          type="button"
          class="enlarge"
          title="Enlarge"
          onClick={() => {
            store.enlarged.value = {
              ...picture,
              alt: evidence.why,
              note: `${whenText(evidence.atUs)} · ${agentName(evidence.agentId)}`,
            };
          }}
        >
          <Picture path={picture.path} box={picture.box} alt={evidence.why} isClose />
        </button>
      )}
      {picture === undefined && (
        <span class="picture">
          <span class="blank" />
        </span>
      )}
      <button type="button" class="words" onClick={onPick} title="Show on the map">
        <span class="why">
          {number !== null && <b class="number">{number}</b>}
          {evidence.why}
        </span>
        <span class="faint">
          {whenText(evidence.atUs)} · {agentName(evidence.agentId)}
        </span>
      </button>
    </div>
  );
}

/** A picture at full size; closed by a click or a key. */
export function Enlarged() {
  const picture = store.enlarged.value;
  if (picture === null) return null;
  const close = () => {
    store.enlarged.value = null;
  };
  return (
    <div class="enlarged" role="dialog" aria-label={picture.alt}>
      <button type="button" onClick={close} aria-label="Close the picture">
        <Picture path={picture.path} box={picture.box} alt={picture.alt} />
        <span>
          {picture.alt} <small>{picture.note}</small>
        </span>
      </button>
    </div>
  );
}

export function agentName(id: string): string {
  return store.loaded.value?.ways.flatMap(({ ways }) => ways).find((way) => way.id === id)?.name ?? id;
}

/** The name of a thing in a list; people by their own names. */
export function thingName(row: { name: string; type: string }): string {
  return row.type === "person" ? personName(row.name) : row.name;
}
