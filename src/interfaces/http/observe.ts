import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Env, RequestContext, ServerContext } from "./context.ts";
import { WARMING } from "./warm-up.ts";

/** Upper bounds of the histogram, in seconds. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Times {
  readonly counts: number[];
  sumS: number;
  total: number;
}

/**
 * What the server does, for its operators: a line in the log for each request and figures for Prometheus. Both name
 * routes by their pattern: no id, no words of a question, no header and no body is ever logged.
 */
export class Observer {
  readonly #context: Pick<ServerContext, "log">;
  readonly #requests = new Map<string, number>();
  readonly #times = new Map<string, Times>();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #beganMs = performance.now();

  constructor(context: Pick<ServerContext, "log">) {
    this.#context = context;
    this.#delay.enable();
  }

  readonly middleware: MiddlewareHandler<Env> = async (c, next) => {
    const beganMs = performance.now();
    await next();
    const caller = c.get("caller");
    if (caller === WARMING) return;
    const [ms, status] = [performance.now() - beganMs, c.res.status];
    const route = `${c.req.method} ${patternOf(c)}`;
    this.#count(route, status, ms);
    const level = status >= 500 ? "warn" : status >= 400 || c.get("scope") !== "read" ? "info" : "debug";
    const { log } = this.#context;
    if (!log.isLevelEnabled(level)) return;
    log[level]({ route, status, ms: Math.round(ms * 10) / 10, who: caller?.actor.id }, "request");
  };

  /** In the text format of Prometheus. */
  metrics(now: { readonly requests: number; readonly connections: number }): string {
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, values: readonly string[]) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map((value) => name + value));
    metric(
      "loci_http_requests_total",
      "counter",
      "Requests answered",
      [...this.#requests].map(([labels, count]) => `{${labels}} ${count}`),
    );
    metric(
      "loci_http_request_seconds",
      "histogram",
      "Time to the answer",
      [...this.#times].flatMap(histogram),
    );
    metric("loci_http_requests_under_way", "gauge", "Requests at this moment", [` ${now.requests}`]);
    metric("loci_http_connections", "gauge", "Open connections", [` ${now.connections}`]);
    const memory = process.memoryUsage();
    metric("process_resident_memory_bytes", "gauge", "Resident memory", [` ${memory.rss}`]);
    metric("nodejs_heap_size_used_bytes", "gauge", "Heap in use", [` ${memory.heapUsed}`]);
    metric("nodejs_external_memory_bytes", "gauge", "Buffers outside the heap", [` ${memory.external}`]);
    const { user, system } = process.cpuUsage();
    metric("process_cpu_seconds_total", "counter", "Processor time", [` ${(user + system) / 1e6}`]);
    const p99 = this.#delay.percentile(99) / 1e9;
    metric("nodejs_eventloop_lag_p99_seconds", "gauge", "How late the loop runs", [` ${p99}`]);
    metric("loci_uptime_seconds", "gauge", "Since the server began", [
      ` ${(performance.now() - this.#beganMs) / 1000}`,
    ]);
    return `${lines.join("\n")}\n`;
  }

  close(): void {
    this.#delay.disable();
  }

  #count(route: string, status: number, ms: number): void {
    const labels = `route="${route}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const times = this.#times.get(route) ?? { counts: BOUNDS_S.map(() => 0), sumS: 0, total: 0 };
    this.#times.set(route, times);
    times.total++;
    times.sumS += ms / 1000;
    const bucket = BOUNDS_S.findIndex((bound) => ms / 1000 <= bound);
    if (bucket >= 0) times.counts[bucket]!++;
  }
}

/** The pattern of the route that answered; middleware patterns match everything. */
function patternOf(c: RequestContext): string {
  return matchedRoutes(c).findLast(({ path }) => path !== "/*")?.path ?? "/*";
}

function histogram([route, { counts, sumS, total }]: [string, Times]): string[] {
  let below = 0;
  const buckets = counts.map((count, n) => {
    below += count;
    return `_bucket{route="${route}",le="${BOUNDS_S[n]}"} ${below}`;
  });
  return [
    ...buckets,
    `_bucket{route="${route}",le="+Inf"} ${total}`,
    `_sum{route="${route}"} ${sumS}`,
    `_count{route="${route}"} ${total}`,
  ];
}
