import type { IngestFace } from "../compose/face-ingest.ts";
import type { CallOptions } from "../memory/port.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** What robots send while they run, over HTTP. Ids derive from the content, so everything may be sent again. */
export function remoteIngest(client: HttpClient): IngestFace {
  const send = (path: string, body: unknown, call: CallOptions = {}) =>
    client.json({ method: "POST", path, body, isRepeatable: true, signal: call.signal });
  return {
    ingestFrame: ({ picture, depth, masks, ...frame }) => {
      const form = new FormData();
      form.set("frame", new Blob([JSON.stringify(frame)], { type: "application/json" }));
      for (const [name, bytes] of Object.entries({ picture, depth, masks }))
        if (bytes !== undefined) form.set(name, new Blob([new Uint8Array(bytes)]));
      return shaped(send("/v1/frames", form), shapes.outcome);
    },
    ingestDetections: (input, call) => shaped(send("/v1/detections", input, call), shapes.commit),
    ingestCaptions: (input, call) => shaped(send("/v1/captions", input, call), shapes.commit),
  };
}
