import { parentPort } from "node:worker_threads";
import type { Intrinsics, Transform } from "../../geometry/index.ts";
import type { CompiledScene } from "./compiled-scene.ts";
import { type Picture, Renderer } from "./renderer.ts";

/** What the pool sends: scenes by number, then pictures of them. */
export type RenderRequest =
  | { readonly type: "scene"; readonly number: number; readonly scene: CompiledScene }
  | { readonly type: "forget"; readonly number: number }
  | {
      readonly type: "render";
      readonly job: number;
      readonly scene: number;
      readonly intrinsics: Intrinsics;
      readonly worldFromCamera: Transform;
    };

/** What comes back. */
export interface RenderReply {
  readonly job: number;
  readonly picture?: Picture;
  readonly error?: string;
}

const renderers = new Map<number, Renderer>();

parentPort?.on("message", (request: RenderRequest) => {
  if (request.type === "scene") renderers.set(request.number, new Renderer(request.scene));
  else if (request.type === "forget") renderers.delete(request.number);
  else {
    try {
      const picture = renderers.get(request.scene)!.render(request.intrinsics, request.worldFromCamera);
      const { rgb, depthMm, instances } = picture;
      const owned = [rgb.buffer, depthMm.buffer, instances.buffer] as ArrayBuffer[];
      parentPort!.postMessage({ job: request.job, picture } satisfies RenderReply, owned);
    } catch (error) {
      parentPort!.postMessage({ job: request.job, error: String(error) } satisfies RenderReply);
    }
  }
});
