import type { App, ServerContext } from "../context.ts";

/** Figures for Prometheus; for admins, since they reveal other callers' activity. */
export function metricsRoutes(app: App, context: ServerContext): void {
  app.get("/metrics", context.require("admin"), (c) =>
    c.body(context.metrics(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
}
