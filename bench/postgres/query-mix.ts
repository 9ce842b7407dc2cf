/**
 * A fleet's hour on paper: which number of nodes bears it, by what one statement was measured to cost.
 * node bench/postgres/query-mix.ts [--robots 1000] [--cores 8] [--resident]
 * Events are drawn one by one: every scene lies on one node, a node's cores serve in the order of arrival, and commits of
 * one scene take turns on top of that. Costs are the medians of docs/scale.md on a slow core; the tail is log-normal.
 */
import { parseArgs } from "node:util";
import { Random } from "../../src/geometry/index.ts";

const { values } = parseArgs({
  options: {
    robots: { type: "string", default: "1000" },
    cores: { type: "string", default: "8" },
    resident: { type: "boolean", default: false },
  },
});
const ROBOTS = Number(values.robots);
const CORES = Number(values.cores);
const ROBOTS_PER_SCENE = 5;
const AT_WORK = 1 / 3;
const SECONDS = 120;

/** How often a robot at work, or whoever asks of it, does what; and milliseconds of a core that it costs. */
const MIX = [
  { what: "commit of a frame", perS: 2, ms: 10, isCommit: true },
  { what: "association (place and meaning)", perS: 4, ms: 1, isCommit: false },
  { what: "question by place and time", perS: 0.2, ms: 6, isCommit: false },
  { what: "question by words", perS: 0.1, ms: 10, isCommit: false },
  { what: "question by meaning alone", perS: 0.05, ms: 90, isCommit: false },
];
/** What is answered from a server's own memory costs the database one look at the tail now and then. */
const mix = values.resident ? MIX.map((one) => (one.isCommit ? one : { ...one, ms: 0.2 })) : MIX;
const SPREAD = 0.6;

interface Event {
  readonly atMs: number;
  readonly scene: number;
  readonly ms: number;
  readonly isCommit: boolean;
}

function eventsOf(random: Random): Event[] {
  const events: Event[] = [];
  const robots = Math.round(ROBOTS * AT_WORK);
  for (const { perS, ms, isCommit } of mix)
    for (let n = 0; n < robots * perS * SECONDS; n++)
      events.push({
        atMs: random.range(0, SECONDS * 1_000),
        scene: Math.floor(random.int(0, ROBOTS) / ROBOTS_PER_SCENE),
        ms: ms * Math.exp(SPREAD * random.normal() - SPREAD ** 2 / 2),
        isCommit,
      });
  return events.sort((a, b) => a.atMs - b.atMs);
}

/** How long each waited and was served, in milliseconds, and how busy the nodes were. */
function serve(events: readonly Event[], nodes: number) {
  const cores = Array.from({ length: nodes }, () => new Float64Array(CORES));
  const locks = new Map<number, number>();
  const took: number[] = [];
  let busyMs = 0;
  for (const { atMs, scene, ms, isCommit } of events) {
    const own = cores[scene % nodes]!;
    let core = 0;
    for (let n = 1; n < CORES; n++) if (own[n]! < own[core]!) core = n;
    const free = Math.max(atMs, own[core]!, isCommit ? (locks.get(scene) ?? 0) : 0);
    own[core] = free + ms;
    if (isCommit) locks.set(scene, free + ms);
    busyMs += ms;
    took.push(free + ms - atMs);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(share * (took.length - 1))]!;
  return { busy: busyMs / (nodes * CORES * SECONDS * 1_000), p50: at(0.5), p99: at(0.99) };
}

const events = eventsOf(new Random("query mix"));
const perS = (some: readonly Event[]) => Math.round(some.length / SECONDS);
console.log(
  `${ROBOTS} robots, a third at work: ${perS(events.filter(({ isCommit }) => isCommit))} commits/s, ${perS(events.filter(({ isCommit }) => !isCommit))} questions/s${values.resident ? " (answered from memory)" : ""}`,
);
for (let nodes = 1; nodes <= 16; nodes *= 2) {
  const { busy, p50, p99 } = serve(events, nodes);
  const said = busy > 1 ? "is not enough" : `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  console.log(`${nodes} nodes of ${CORES} cores: ${(100 * busy).toFixed(0)} % busy, ${said}`);
}
