import { z } from "zod";
import type { MemoryFace } from "../../../compose.ts";
import { count, timeText } from "../../../operations/telling.ts";
import { quoted } from "../../../operations/world-text.ts";
import { type Correction, LociError, type Watch, type WatchEvent } from "../../../schema/index.ts";
import { pageResult, plainResult, type Row, type ToolAnswer } from "../answer.ts";
import { id, point, tool, wholeFrom, words } from "../tool.ts";

const MAX_EVENTS = 50;
const MAX_NUMBER = 1e9;
const MAX_WAIT_S = 25;
/** Past events arrive within this. */
const LOOK_MS = 500;

export const correct = tool({
  name: "correct",
  description:
    'Put a thing, room or place right as a person says: is = what kind it is ("printer"), name = what it is called ("Grandma\'s corner"), of a target (id or words) or a point. undo takes an earlier correction\'s id.',
  does: "write",
  input: z.strictObject({
    target: words(256).optional(),
    at: point.optional().describe("only with name: a place"),
    is: words(256).optional(),
    name: words(256).optional(),
    undo: id.optional(),
  }),
  async run({ target, at, is, name, undo }, { face }) {
    const said = await correction(face, { target, at, is, name, undo });
    const done = said.undone === undefined ? `${quoted(said.target)} is now` : "Taken back: it is no longer";
    return plainResult(
      `${done} ${said.what === "kind" ? "a" : "called"} ${quoted(said.says)} [${said.id}].`,
      { id: said.id, target: said.target, what: said.what, says: said.says, was: said.was ?? null },
    );
  },
});

interface Asked {
  readonly target: string | undefined;
  readonly at: z.infer<typeof point> | undefined;
  readonly is: string | undefined;
  readonly name: string | undefined;
  readonly undo: string | undefined;
}

async function correction(face: MemoryFace, { target, at, is, name, undo }: Asked): Promise<Correction> {
  if ([is, name, undo].filter((one) => one !== undefined).length !== 1)
    throw new LociError("invalid-input", "expected one of is, name and undo");
  if (undo !== undefined) return face.undo(undo);
  if (is !== undefined) {
    if (target === undefined || at !== undefined)
      throw new LociError("invalid-input", "expected a target to say what kind it is; at goes with name");
    return face.correct({ target, is });
  }
  if ((target === undefined) === (at === undefined))
    throw new LociError("invalid-input", "expected a target or a point to name, one of them");
  return face.name({ name: name!, ...(target !== undefined && { target }), ...(at && { at }) });
}

export const watch = tool({
  name: "watch",
  description:
    'Standing queries. question: be told from now on ("tell me when the front door opens"). id: what happened since event number after, waiting up to waitS seconds; with end: stop it. Without arguments: list them.',
  does: "write",
  // As over HTTP: it tells what the memory holds, and what it writes is the caller's own.
  needs: ["read"],
  input: z.strictObject({
    question: words(1_000).optional(),
    id: id.optional(),
    after: wholeFrom(0, MAX_NUMBER).optional(),
    waitS: wholeFrom(0, MAX_WAIT_S).optional(),
    end: z.boolean().optional(),
  }),
  async run(
    { question, id: wanted, after = 0, waitS = 0, end = false },
    { face, signal },
  ): Promise<ToolAnswer> {
    if (question !== undefined && wanted !== undefined)
      throw new LociError("invalid-input", "expected a question for a new watch or the id of one, not both");
    if (question !== undefined) {
      const made = await face.watch({ question });
      return plainResult(
        `Watching [${made.id}]: ${watchText(made)} Ask with its id what happened.`,
        watchData(made),
      );
    }
    if (wanted === undefined) {
      const all = await face.watches();
      return pageResult({
        summary: count(all.length, "standing query").replace("querys", "queries"),
        rows: all.map(watchRow),
      });
    }
    if (end) return plainResult(`Ended [${(await face.unwatch(wanted)).id}].`, { id: wanted, ended: true });
    return happenings(wanted, await eventsOf(face, wanted, after, waitS, signal));
  },
});

/** Events so far, and those that arrive while we wait. */
async function eventsOf(
  face: MemoryFace,
  watchId: string,
  after: number,
  waitS: number,
  signal: AbortSignal,
): Promise<WatchEvent[]> {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal, AbortSignal.timeout(LOOK_MS + waitS * 1000)]);
  const events: WatchEvent[] = [];
  for await (const event of face.watchEvents(watchId, { after }, { signal: until })) {
    events.push(event);
    if (events.length >= MAX_EVENTS) break;
    // The first event ends the waiting; events that arrived with it are included.
    setTimeout(() => enough.abort(), LOOK_MS).unref();
  }
  return events;
}

function happenings(watchId: string, events: readonly WatchEvent[]): ToolAnswer {
  const last = events.at(-1)?.number;
  return pageResult({
    summary: `${count(events.length, "event")} of [${watchId}]${last === undefined ? "" : `; go on with after ${last}`}.`,
    rows: events.map(({ number, toldUs, text, entered, left }) => ({
      line: `${timeText(toldUs)} ${quoted(text)}${namesOf(" now", entered)}${namesOf(" no longer", left)}`,
      data: {
        number,
        when: timeText(toldUs),
        text,
        entered: entered.slice(0, 20).map((one) => ({ id: one.id, name: one.name })),
        left: left.slice(0, 20).map((one) => ({ id: one.id, name: one.name })),
      },
    })),
  });
}

function namesOf(what: string, members: WatchEvent["entered"]): string {
  if (members.length === 0) return "";
  return `${what}: ${members
    .slice(0, 20)
    .map((one) => `${quoted(one.name)} [${one.id}]`)
    .join(", ")}`;
}

function watchText({ question, expression, on }: Watch): string {
  return `${quoted(question ?? expression)}, told on ${on}, understood as ${quoted(expression)}.`;
}

function watchData({ id: watchId, question, expression, on, events, error }: Watch) {
  return {
    id: watchId,
    question: question ?? null,
    expression,
    on,
    events,
    ...(error !== undefined && { error }),
  };
}

function watchRow(one: Watch): Row {
  return { line: `${watchText(one)} ${count(one.events, "event")} so far [${one.id}]`, data: watchData(one) };
}
