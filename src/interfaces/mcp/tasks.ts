import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { LociError } from "../../schema/core.ts";
import type { ToolAnswer } from "./answer.ts";

/** Long work that a client polls for instead of holding a call open (SEP-2663). */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The progress that a tool reports while it works. */
export type Report = (progress: number, total: number, message: string) => void;

type Work = (signal: AbortSignal, report: Report) => Promise<ToolAnswer>;

interface Task {
  readonly taskId: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly controller: AbortController;
  lastUpdatedAt: string;
  status: "working" | "completed" | "cancelled" | "failed";
  statusMessage?: string;
  result?: ToolAnswer;
  endedMs?: number;
}

const MAX_TASKS = 64;
/** How long after its end a task can still be queried. */
const TTL_MS = 3_600_000;
const POLL_MS = 1_000;
const byId = z.looseObject({ taskId: z.string().min(1).max(128) });

/** The tasks of one process. Each belongs to the caller that began it and does not exist for others. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** Begins work and answers at once with its handle. */
  begin(owner: string, work: Work): ToolAnswer {
    this.#makeRoom();
    const now = new Date().toISOString();
    const task: Task = {
      taskId: randomUUID(),
      owner,
      createdAt: now,
      lastUpdatedAt: now,
      status: "working",
      controller: new AbortController(),
    };
    this.#tasks.set(task.taskId, task);
    const report: Report = (progress, total, message) => {
      task.statusMessage = `${progress} of at most ${total}: ${message}`;
      task.lastUpdatedAt = new Date().toISOString();
    };
    void work(task.controller.signal, report)
      .then((result) => {
        task.result = result;
        end(task, task.controller.signal.aborted ? "cancelled" : "completed");
      })
      .catch(() => end(task, "failed"));
    return { content: [], resultType: "task", ...shownOf(task) } as unknown as ToolAnswer;
  }

  /** Answers `tasks/get` and `tasks/cancel` of one caller. */
  offer(server: McpServer, owner: string): void {
    server.server.setRequestHandler("tasks/get", { params: byId }, ({ taskId }) => {
      const task = this.#of(owner, taskId);
      const result = task.status === "completed" && { result: { resultType: "complete", ...task.result } };
      const error = task.status === "failed" && { error: { code: -32_603, message: "something went wrong" } };
      return { ...shownOf(task), ...result, ...error };
    });
    server.server.setRequestHandler("tasks/cancel", { params: byId }, ({ taskId }) => {
      const task = this.#of(owner, taskId);
      task.controller.abort();
      return {};
    });
  }

  #of(owner: string, taskId: string): Task {
    const task = this.#tasks.get(taskId);
    if (task?.owner !== owner) throw new LociError("unknown-id", "there is no task by this id");
    return task;
  }

  /** Old ones go first, then the oldest that have ended; what works on is never dropped. */
  #makeRoom(): void {
    const now = Date.now();
    const ended = [...this.#tasks.values()].filter(({ endedMs }) => endedMs !== undefined);
    for (const { taskId, endedMs } of ended)
      if (now - endedMs! > TTL_MS || this.#tasks.size >= MAX_TASKS) this.#tasks.delete(taskId);
    if (this.#tasks.size >= MAX_TASKS) throw new LociError("overloaded", `${MAX_TASKS} tasks are under way`);
  }
}

/** Whether the client of a request understands tasks; it says so with every request. */
export function understandsTasks(context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const said = envelope?.[CLIENT_CAPABILITIES_META_KEY] as
    | { extensions?: Record<string, unknown> }
    | undefined;
  return said?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Progress on an open call, for a client that requested it. */
export function progressOf({ mcpReq }: ServerContext): Report {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return (progress, total, message) =>
    void mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, total, message } })
      .catch(() => {});
}

function end(task: Task, status: Task["status"]): void {
  task.status = status;
  task.endedMs = Date.now();
  task.lastUpdatedAt = new Date().toISOString();
}

function shownOf({ taskId, status, statusMessage, createdAt, lastUpdatedAt }: Task) {
  return {
    ...{ taskId, status, createdAt, lastUpdatedAt, ttlMs: TTL_MS, pollIntervalMs: POLL_MS },
    ...(statusMessage !== undefined && { statusMessage }),
  };
}
