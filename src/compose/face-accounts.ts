import { observedSpan } from "../belief/span.ts";
import { momentUs } from "../memory/query.ts";
import type {
  Coverage,
  CoverageQuery,
  Diff,
  DiffQuery,
  Goal,
  GoalQuery,
  Life,
  LifeQuery,
  Route,
  RouteQuery,
  Timeline,
  TimelineQuery,
} from "../schema/core.ts";
import { scopeFor, type WorkCall } from "./ask.ts";
import { askedMap, goalIn, placeIn, pointFrom, routeIn } from "./asked-map.ts";
import type { FacePart } from "./face-part.ts";
import { mapsOf } from "./scene-maps.ts";

/** What a memory reports beyond answers to questions. Things are given by id or by words: "the red mug". */
export interface AccountsFace {
  /** The life of a thing: where it was, which agents saw it, its events and its pictures. */
  life(thing: string, query?: LifeQuery, call?: WorkCall): Promise<Life>;
  /** Events over a span, counted in equal steps. */
  timeline(query?: TimelineQuery, call?: WorkCall): Promise<Timeline>;
  /** The differences between two times. */
  diff(query: DiffQuery, call?: WorkCall): Promise<Diff>;
  /** Which ground was observed, and when last. */
  coverage(query?: CoverageQuery, call?: WorkCall): Promise<Coverage>;
  /** A route to a place, as a line with rooms and doors. */
  route(query: RouteQuery, call?: WorkCall): Promise<Route>;
  /** Where to stand to see a thing, or in a room. */
  goal(query: GoalQuery, call?: WorkCall): Promise<Goal>;
}

/** The implementation for a memory in this process. */
export function accountsFace({ seen }: FacePart): AccountsFace {
  const accounts = () => import("../reasoning/accounts/index.ts");
  const scopeIn = (scene: string | undefined, call: WorkCall = {}, agentId?: string, frame?: string) =>
    scopeFor(seen, { sceneId: scene, agentId, frame }, call);
  return {
    life: async (thing, query = {}, call) => {
      const { lifeOf, thingMeant } = await accounts();
      const scope = await scopeIn(query.scene, call);
      return lifeOf(await thingMeant(thing, scope), scope.memory, query);
    },
    timeline: async ({ scene, from, to, ...query } = {}, call) => {
      const { timelineOf } = await accounts();
      const { memory } = await scopeIn(scene, call);
      const observed =
        from === undefined || to === undefined ? await observedSpan(await seen.reader()) : null;
      return timelineOf(memory, {
        ...query,
        fromUs: from === undefined ? (observed?.fromUs ?? memory.nowUs) : momentUs(from),
        toUs: to === undefined ? (observed?.toUs ?? memory.nowUs) : momentUs(to),
      });
    },
    diff: async ({ scene, a, b }, call) => {
      const { diffOf } = await accounts();
      return diffOf((await scopeIn(scene, call)).memory, momentUs(a), momentUs(b));
    },
    coverage: async ({ scene, since } = {}, call) => {
      const { coverageOf } = await accounts();
      const { memory } = await scopeIn(scene, call);
      const { root } = await askedMap(await seen.reader(), { sceneId: scene });
      const map = await mapsOf(seen).of(scene, root);
      return coverageOf(map, memory, since === undefined ? undefined : momentUs(since));
    },
    route: async ({ scene, agent, frame, ...query }, call) => {
      const { routeBetween } = await accounts();
      const asked = await askedMap(await seen.reader(), { sceneId: scene, agentId: agent, frame });
      const between = { from: query.from && pointFrom(asked, query.from), to: pointFrom(asked, query.to) };
      return routeIn(asked, await routeBetween(between, await scopeIn(scene, call, agent, frame)));
    },
    goal: async ({ scene, agent, frame, staleAfterS, ...query }, call) => {
      const { goalFor } = await accounts();
      const asked = await askedMap(await seen.reader(), { sceneId: scene, agentId: agent, frame });
      const scope = await scopeIn(scene, call, agent, frame);
      const { goal, to, ...found } = await goalFor(
        { from: query.from && pointFrom(asked, query.from), to: pointFrom(asked, query.to) },
        scope,
      );
      const told = { ...found, to: placeIn(asked, to) };
      if (goal === null) return { ...told, goal };
      const { evidencedGoal, rosGoal } = await import("./told-goal.ts");
      const { nowUs } = scope.memory;
      const context = { asked, sceneId: scene, nowUs, map: scope.map, staleAfterS };
      const known = goalIn(await evidencedGoal(goal, context), asked);
      return { ...told, goal: known, ros: await rosGoal(known, context, agent ?? found.agent) };
    },
  };
}
