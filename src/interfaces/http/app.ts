import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { LociError } from "../../schema/core.ts";
import { mcpRoutes } from "../mcp/http.ts";
import { metadataRoutes } from "../mcp/metadata.ts";
import { type AdmissionOptions, calledRightly, identified } from "./admission.ts";
import type { App, Env, ServerContext } from "./context.ts";
import { EvenTimes } from "./even-times.ts";
import type { Gate } from "./gate.ts";
import { idempotency } from "./idempotency.ts";
import type { Observer } from "./observe.ts";
import { notFound, problemOf, problemResponse } from "./problem.ts";
import { askRoutes } from "./routes/ask.ts";
import { changesRoutes } from "./routes/changes.ts";
import { correctionsRoutes } from "./routes/corrections.ts";
import { docsRoutes } from "./routes/docs.ts";
import { feedRoutes } from "./routes/feed.ts";
import { forgetRoutes } from "./routes/forget.ts";
import { frameRoutes } from "./routes/frames.ts";
import { healthRoutes } from "./routes/health.ts";
import { ingestRoutes } from "./routes/ingest.ts";
import { lifeRoutes } from "./routes/life.ts";
import { listingRoutes } from "./routes/listings.ts";
import { mapRoutes } from "./routes/maps.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { recordRoutes } from "./routes/records.ts";
import { robotRoutes } from "./routes/robot.ts";
import { runRoutes } from "./routes/runs.ts";
import { searchRoutes } from "./routes/search.ts";
import { statsRoutes } from "./routes/stats.ts";
import { syncRoutes } from "./routes/sync.ts";
import { viewerRoutes } from "./routes/viewer.ts";
import { watchesRoutes } from "./routes/watches.ts";
import { wayRoutes } from "./routes/ways.ts";

/** Every resource; each adds its routes to the app. */
const ROUTES: readonly ((app: App, context: ServerContext) => void)[] = [
  statsRoutes,
  searchRoutes,
  ingestRoutes,
  frameRoutes,
  askRoutes,
  listingRoutes,
  recordRoutes,
  forgetRoutes,
  feedRoutes,
  lifeRoutes,
  wayRoutes,
  robotRoutes,
  runRoutes,
  correctionsRoutes,
  changesRoutes,
  watchesRoutes,
  syncRoutes,
  mapRoutes,
  metricsRoutes,
  mcpRoutes,
];

export interface AppOptions extends AdmissionOptions {
  readonly gate: Gate;
  readonly observer: Observer;
  /** Where the viewer's files lie, if it is served too. */
  readonly viewer?: string | undefined;
}

/** The whole of the HTTP interface as one function of a request; `server.ts` gives it a socket. */
export function makeApp(context: ServerContext, options: AppOptions): App {
  const app: App = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      const where = issue?.path.length ? ` at ${issue.path.map(String).join(".")}` : "";
      const words = `${result.target}${where}: ${issue?.message ?? "invalid"}`.slice(0, 300);
      throw new LociError("invalid-input", words);
    },
  });
  app.onError((error) => {
    const said = problemOf(error);
    if (said.status === 500) context.log.error({ err: error }, "unexpected");
    return problemResponse(said);
  });
  app.notFound(notFound);
  const { gate, observer } = options;
  app.use(observer.middleware);
  app.use(noSniffing);
  healthRoutes(app, context);
  app.use(gate.enter);
  app.use(calledRightly(options));
  docsRoutes(app, context);
  viewerRoutes(app, options.viewer);
  metadataRoutes(app);
  app.use(identified(options));
  app.use(new EvenTimes().middleware);
  app.use(gate.share);
  app.use(idempotency(context.limits, context.memory.forgetting));
  for (const add of ROUTES) add(app, context);
  return app;
}

/** Whatever comes back is what it says it is, is nobody's frame, and is kept by no cache unless its route says so. */
const noSniffing: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
