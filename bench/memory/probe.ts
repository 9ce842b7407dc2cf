// A fresh process that asks one question and says so; its parent holds the clock. Started by probe.mjs.
import { readFileSync } from "node:fs";
import type { EngineContext, EngineName } from "./port.ts";
import type { QueryArgs, QueryKind } from "./workload.ts";

export interface Probe {
  readonly engine: EngineName;
  readonly context: EngineContext;
  readonly kind: QueryKind;
  readonly plan: string;
  readonly args: Omit<QueryArgs, "vector"> & { readonly vector?: readonly number[] };
}

const { engine, context, kind, plan, args } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Probe;
const { adapterOf } = await import("./adapters.ts");
const opened = await (await adapterOf(engine)).open(context);
const { vector, ...rest } = args;
const answer = await opened.query(kind, vector ? { ...rest, vector: Float32Array.from(vector) } : rest, plan);
process.stdout.write(`answered ${answer.length}\n`);
await opened.close();
