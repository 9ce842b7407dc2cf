import { useEffect, useState } from "preact/hooks";
import { getJson } from "../data/api.ts";

/** What the server tells of a source; more than is shown here. */
interface Source {
  readonly id: string;
  readonly state: string;
  readonly waits: string | null;
  readonly problem: { readonly message: string } | null;
  readonly frames: { readonly came: number; readonly taken: number; readonly waiting: number };
  readonly totalFrames: number | null;
  readonly dropped: Readonly<Record<string, number>>;
  readonly rateHz: number;
  readonly latencyMs: { readonly median: number; readonly p95: number } | null;
  readonly lastTakenAgoS: number | null;
}

const LOOK_MS = 2_000;

/** The robots and recordings that the server takes in, and how they are doing; nothing where there are none. */
export function Sources() {
  const [sources, setSources] = useState<readonly Source[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    let isUnderWay = false;
    const look = () => {
      if (isUnderWay) return;
      isUnderWay = true;
      getJson<Source[]>("/v1/sources", { signal: ending.signal })
        .then(setSources, () => {})
        .finally(() => {
          isUnderWay = false;
        });
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, []);
  if (sources.length === 0) return null;
  return (
    <section class="sources" aria-label="Sources">
      <h3>Being taken in</h3>
      <ul class="rows">
        {sources.map((source) => (
          <li key={source.id}>
            <b>{source.id}</b> {source.state}
            <small>{figuresOf(source)}</small>
            {(source.waits ?? source.problem?.message) && (
              <small class="faint">{source.waits ?? source.problem?.message}</small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function figuresOf({ frames, totalFrames, dropped, rateHz, latencyMs, lastTakenAgoS }: Source): string {
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  return [
    `${frames.taken}${totalFrames === null ? "" : ` of ${totalFrames}`} frames`,
    ...(frames.waiting > 0 ? [`${frames.waiting} waiting`] : []),
    `${lost} dropped`,
    `${rateHz.toFixed(1)} a second`,
    ...(latencyMs ? [`${latencyMs.median} ms from picture to answer`] : []),
    ...(lastTakenAgoS === null ? [] : [`last ${Math.round(lastTakenAgoS)} s ago`]),
  ].join(" · ");
}
