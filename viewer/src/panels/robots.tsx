import { useEffect, useState } from "preact/hooks";
import { pictureBy, type Robot, replay, robotsOf } from "../data/robots.ts";
import * as store from "../data/store.ts";
import { lengthText, metres, momentText } from "../data/words.ts";
import { Picture } from "./picture.tsx";
import { Sources } from "./sources.tsx";

/** The robots with their times and distances; each can be followed. */
export function Robots() {
  const robots = robotsOf(store.loaded.value!);
  return (
    <>
      <Sources />
      {robots.length === 0 ? <p class="faint">Nobody's way is known here.</p> : <Ways robots={robots} />}
    </>
  );
}

function Ways({ robots }: { robots: readonly Robot[] }) {
  return (
    <ul class="rows robots">
      {robots.map((robot) => (
        <li key={robot.id}>
          <button type="button" onClick={() => replay(robot.id)} title="Go along with it">
            <i class="dot" style={{ background: robot.colour }} />
            <b>{robot.name}</b>
            <small>
              {momentText(robot.from)}, {lengthText(robot.to - robot.from)}, {metres(robot.lengthM)} · replay
              ▶
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Least time between two requests for a robot's picture. */
const LOOK_MS = 350;
const LEEWAY_S = 5;

/** The robot that is followed, and what it sees. */
export function ReplayCard() {
  const id = store.replay.value;
  const found = store.loaded.value;
  if (id === null || found === null) return null;
  const robot = robotsOf(found).find((one) => one.id === id);
  if (robot === undefined) return null;
  return (
    <aside class="card replay" aria-label="Replay">
      <button type="button" class="close" aria-label="End the replay" onClick={() => replay(null)}>
        ×
      </button>
      <p class="kind">Going along with</p>
      <h2>
        <i class="dot" style={{ background: robot.colour }} />
        {robot.name}
      </h2>
      <Sight robot={robot} />
    </aside>
  );
}

function Sight({ robot }: { robot: Robot }) {
  const [path, setPath] = useState<string | null>(null);
  const { value: time } = store.time;
  useEffect(() => {
    const ending = new AbortController();
    let asked: number | null = null;
    let isUnderWay = false;
    // While time plays it never rests: polled occasionally, one request after the other.
    const look = () => {
      const at = store.time.peek();
      if (isUnderWay || at === asked) return;
      [isUnderWay, asked] = [true, at];
      pictureBy(robot.id, store.toUs(at), ending.signal)
        .then(setPath, () => {})
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
  }, [robot.id]);
  const isOut = time < robot.from - LEEWAY_S || time > robot.to + LEEWAY_S;
  if (isOut) return <p class="faint">It does not look at this moment.</p>;
  return path === null ? (
    <p class="faint">What it sees comes when it has looked.</p>
  ) : (
    <Picture path={path} alt={`What ${robot.name} sees, ${momentText(time)}`} />
  );
}
