import { useEffect, useState } from "preact/hooks";
import { postJson } from "../data/api.ts";
import { copy, showWay } from "../data/asking.ts";
import { askForListener, type Goal, goalText, type Listener, listener } from "../data/robots.ts";
import * as store from "../data/store.ts";
import { metres } from "../data/words.ts";

type Place = string | { readonly x: number; readonly y: number; readonly z: number };

/** A clicked place on the floor: the route there, or a goal for a robot. */
export function SpotMenu() {
  const spot = store.spot.value;
  if (spot === null) return null;
  const at = { x: round(spot.x), y: round(spot.y), z: round(spot.z) };
  const close = () => {
    store.spot.value = null;
  };
  return (
    <div
      class="spot"
      role="dialog"
      aria-label="A place on the floor"
      style={{
        left: `clamp(150px, ${spot.left}px, calc(100% - 150px))`,
        top: `${Math.max(spot.top, 120)}px`,
      }}
    >
      <b>
        {at.x}, {at.y}
      </b>
      <button type="button" onClick={() => void showWay(at).then(close)}>
        The way here
      </button>
      <GoalButtons key={`${at.x} ${at.y}`} to={at} onDone={close} />
    </div>
  );
}

/**
 * A goal for a robot: copied or, if a robot is connected, sent after a preview, so that a stray click never moves a
 * robot.
 */
export function GoalButtons({ to, onDone = () => {} }: { to: Place; onDone?: () => void }) {
  const [goal, setGoal] = useState<Goal | null>(null);
  useEffect(() => void askForListener(), []);
  const robot = listener.value;
  const plan = () => postJson<{ goal: Goal | null }>("v1/goal", { to });
  const fail = (error: Error) => store.say(error.message);
  if (goal !== null && robot !== null)
    return <Confirm goal={goal} robot={robot} to={to} onDone={onDone} onBack={() => setGoal(null)} />;
  return (
    <>
      <button
        type="button"
        onClick={() =>
          void plan().then((found) => {
            onDone();
            return copy(JSON.stringify(found, null, 2), "Goal");
          }, fail)
        }
      >
        Copy as a goal
      </button>
      {robot !== null && (
        <button
          type="button"
          onClick={() => void plan().then((found) => setGoal(found.goal ?? standing(to)), fail)}
        >
          Send the robot
        </button>
      )}
    </>
  );
}

interface ConfirmProps {
  readonly goal: Goal;
  readonly robot: Listener;
  readonly to: Place;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

function Confirm({ goal, robot, to, onDone, onBack }: ConfirmProps) {
  const [isUnderWay, setUnderWay] = useState(false);
  const send = () => {
    setUnderWay(true);
    postJson<{ goal: Goal }>("v1/robot/goal", { to }).then(
      (sent) => {
        onDone();
        onBack();
        store.say(`Sent to ${robot.address}: go to ${goalText(sent.goal)}`);
      },
      (error: Error) => {
        setUnderWay(false);
        store.say(error.message);
      },
    );
  };
  return (
    <span class="confirm">
      <span>
        Go to <b>{goalText(goal)}</b>
        {goal.pathM !== undefined && `, ${metres(goal.pathM)}`}
        {goal.reachable === false && ", no way known"}?
      </span>
      <button type="button" class="chip on" disabled={isUnderWay} onClick={send}>
        Send to {robot.address}
      </button>
      <button type="button" onClick={onBack}>
        Not now
      </button>
    </span>
  );
}

/** For a point without a map, the point itself; for a thing without one, nothing. */
function standing(to: Place): Goal | null {
  if (typeof to !== "string") return { position: to, yawRad: 0, reachable: false };
  store.say("No way there is known");
  return null;
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
