import { type RouteConfig as Described, OpenAPIHono, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { LociError } from "../../schema/core.ts";
import { mcpRoutes } from "../mcp/http.ts";
import { metadataRoutes } from "../mcp/metadata.ts";
import { type AdmissionOptions, calledRightly, identified } from "./admission.ts";
import type { App, Env, ServerContext } from "./context.ts";
import { EvenTimes } from "./even-times.ts";
import type { Gate } from "./gate.ts";
import { longBody } from "./long-bodies.ts";
import type { Observer } from "./observe.ts";
import { notFound, problemOf, problemResponse } from "./problem.ts";
import { askRoutes } from "./routes/ask.ts";
import { docsRoutes } from "./routes/docs.ts";
import { frameRoutes } from "./routes/frames.ts";
import { healthRoutes } from "./routes/health.ts";
import { mapRoutes } from "./routes/maps.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { operationRoutes } from "./routes/operations.ts";
import { pictureRoutes } from "./routes/pictures.ts";
import { robotRoutes } from "./routes/robot.ts";
import { runRoutes } from "./routes/runs.ts";
import { syncRoutes } from "./routes/sync.ts";
import { viewerRoutes } from "./routes/viewer.ts";
import { GUARDS, isGuarded } from "./spec.ts";

/** The operations of the table, and what is more than one: each adds its routes to the app. */
const ROUTES: readonly ((app: App, context: ServerContext) => void)[] = [
  operationRoutes,
  frameRoutes,
  askRoutes,
  pictureRoutes,
  robotRoutes,
  runRoutes,
  syncRoutes,
  mapRoutes,
  metricsRoutes,
  mcpRoutes,
];

type RouteConfig = Described & { readonly middleware?: MiddlewareHandler<Env> | MiddlewareHandler<Env>[] };

export interface AppOptions extends AdmissionOptions {
  readonly gate: Gate;
  readonly observer: Observer;
  /** The folder of the viewer's files, if it is served too. */
  readonly viewer?: string | undefined;
}

/** The HTTP interface as one function of a request; `server.ts` gives it a socket. */
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
  app.use(withGuards);
  healthRoutes(app, context);
  app.use(gate.enter);
  app.use(calledRightly(options));
  docsRoutes(app, context);
  viewerRoutes(app, options.viewer);
  metadataRoutes(app);
  app.use(identified(options));
  app.use(new EvenTimes().middleware);
  app.use(gate.share);
  readsInTurns(app, context);
  for (const add of ROUTES) add(app, context);
  return app;
}

/** Routes added after this read long JSON in turns, once the caller's rights are checked. */
function readsInTurns(app: App, { limits }: ServerContext): void {
  const add = app.openapi as (route: RouteConfig, ...more: unknown[]) => App;
  const made = (route: RouteConfig, ...more: unknown[]) => {
    const json = route.request?.body?.content["application/json"];
    const schema = json && "schema" in json ? json.schema : undefined;
    if (!(schema instanceof z.ZodType)) return add(route, ...more);
    const before = [route.middleware ?? []].flat();
    return add({ ...route, middleware: [...before, longBody(schema, limits)] }, ...more);
  };
  app.openapi = made as unknown as App["openapi"];
}

/**
 * Every response gets the guard headers. A route's own headers win, except that content sniffing is always forbidden.
 */
const withGuards: MiddlewareHandler<Env> = async (c, next) => {
  await next();
  if (isGuarded(c.res)) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(GUARDS))
    if (name === "x-content-type-options" || !headers.has(name)) headers.set(name, value);
};
