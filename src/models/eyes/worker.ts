import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { serveRequests } from "../worker-thread.ts";
import type { EyesInput, Look } from "./eyes.ts";
import type { EyesReply, EyesWorkerData } from "./open-eyes.ts";
import { Seer } from "./seer.ts";
import { readNet } from "./weight-file.ts";

const { runtime, packagesFrom } = workerData as EyesWorkerData;
let loading: Promise<{ seer: Seer; id: string; categories: readonly string[] }> | null = null;

async function load() {
  const bytes = await readFile(new URL("./eyes-v1.bin", import.meta.url));
  const net = readNet(bytes);
  const seer = await Seer.open(net, runtime, packagesFrom);
  const content = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  return { seer, id: `loci-eyes-v1-${content}`, categories: net.categories };
}

serveRequests<EyesInput | null, EyesReply>(async (input) => {
  loading ??= load();
  const { seer, id, categories } = await loading;
  if (input === null) return { reply: { id, categories } };
  const look: Look = await seer.look(input);
  const planes = [look.surface, look.boundary, look.centre, look.offset, look.category];
  return { reply: { look }, transfer: planes.map(({ buffer }) => buffer as ArrayBuffer) };
});
