import { z } from "zod";
import { boundedJsonSchema } from "../../schema/index.ts";

/** Fields that the adapter sets itself: in a settings file they would be a mistake, or override the request. */
const OWN = [
  "model",
  "messages",
  "tools",
  "tool_choice",
  "stream",
  "max_tokens",
  "max_completion_tokens",
  "response_format",
];

/** Server fields beyond OpenAI's protocol: `{"chat_template_kwargs": {"enable_thinking": false}}`. */
export const extraBodySchema = z
  .record(z.string().min(1).max(64), boundedJsonSchema)
  .refine((body) => Object.keys(body).length <= 32, "expected at most 32 fields in extraBody")
  .refine(
    (body) => !Object.keys(body).some((name) => OWN.includes(name)),
    `extraBody may have none of ${OWN.join(", ")}`,
  );
