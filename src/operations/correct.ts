import {
  type Correction,
  type CorrectRequest,
  correctionSchema,
  correctRequestSchema,
} from "../schema/index.ts";
import { operation } from "./operation.ts";
import { authored, noted, sayingOf, tellCorrection } from "./saying.ts";

export const correct = operation({
  summary: "“That is a printer”: says what kind of thing or room something is",
  scope: "write",
  input: correctRequestSchema,
  output: correctionSchema,
  http: {
    method: "post",
    path: "/v1/corrections",
    says: "What was said",
    mayMiss: true,
    relies: ["id", "target"],
  },
  command: { positional: ["target"] },
  run: async (context, request): Promise<Correction> => {
    const { correct } = await import("../compose/people.ts");
    return noted(
      context,
      "correct",
      await correct(sayingOf(context), authored(context, request) as CorrectRequest),
    );
  },
  tell: tellCorrection,
});
