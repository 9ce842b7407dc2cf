import { isLociError, LociError } from "../../schema/index.ts";
import type { GenerateRequest } from "./language-model.ts";

/** A 4xx about tools or pictures means that the model lacks them, and the caller can continue without. */
export function notSupported(error: unknown, request: GenerateRequest): LociError | undefined {
  if (!isLociError(error, "model-failed") || !/answered (?:400|404|415|422|501)/.test(error.message)) return;
  const said = error.message.slice(error.message.indexOf("answered"));
  const aboutTools = (request.tools?.length ?? 0) > 0 && /\btools?\b|function/i.test(said);
  const hasImage = request.messages.some(
    (message) => message.role === "user" && message.parts.some(({ type }) => type === "image"),
  );
  const aboutImages = hasImage && /image|vision|multi-?modal/i.test(said);
  if (!aboutTools && !aboutImages) return;
  return new LociError("not-supported", error.message, { cause: error });
}
