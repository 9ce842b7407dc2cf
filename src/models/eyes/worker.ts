import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { serveRequests } from "../worker-thread.ts";
import type { EyesInput, Look } from "./eyes.ts";
import type { EyesReply, EyesWorkerData } from "./open-eyes.ts";
import { Seer } from "./seer.ts";
import { readNet } from "./weight-file.ts";

const { runtime, packagesFrom } = workerData as EyesWorkerData;
let loading: ReturnType<typeof load> | null = null;

async function load() {
  const bytes = await readFile(new URL("./eyes-v1.bin", import.meta.url));
  const net = readNet(bytes);
  const seer = await Seer.open(net, runtime, packagesFrom);
  const content = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const { categories, kinds, states } = net;
  return { seer, told: { id: `loci-eyes-v1-${content}`, categories, kinds, states } };
}

serveRequests<EyesInput | null, EyesReply>(async (input) => {
  loading ??= load();
  const { seer, told } = await loading;
  if (input === null) return { reply: { told } };
  const look: Look = await seer.look(input);
  const { surface, boundary, centre, offset, category, closer } = look;
  const planes = [surface, boundary, centre, offset, category.names, category.odds];
  if (closer) planes.push(closer.kind.names, closer.kind.odds, closer.state);
  return { reply: { look }, transfer: planes.map(({ buffer }) => buffer as ArrayBuffer) };
});
