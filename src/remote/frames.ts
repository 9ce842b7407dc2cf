import type { SentFrame } from "../compose/live-frames.ts";
import type { MemoryFace } from "../operations/index.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** A frame with its pictures as the parts of a form. Its id derives from its content, so it may be sent again. */
export function sendFrame(
  client: HttpClient,
  { picture, depth, masks, ...frame }: SentFrame,
): ReturnType<MemoryFace["ingestFrame"]> {
  const form = new FormData();
  form.set("frame", new Blob([JSON.stringify(frame)], { type: "application/json" }));
  for (const [name, bytes] of Object.entries({ picture, depth, masks }))
    if (bytes !== undefined) form.set(name, new Blob([new Uint8Array(bytes)]));
  const sent = client.json({ method: "POST", path: "/v1/frames", body: form, isRepeatable: true });
  return shaped(sent, shapes.outcome);
}
