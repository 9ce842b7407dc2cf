import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { plainResult, type ToolAnswer } from "./answer.ts";

const VALID_MS = 10 * 60_000;
const answerSchema = z.object({ confirm: z.boolean() });

export interface ConfirmationOptions {
  /** Whether the client can put a question to the person before it. */
  readonly canAsk: (context: ServerContext) => boolean;
  readonly nowMs?: () => number;
  /** Shared by all servers of a process: the second step may reach another one. */
  readonly key?: Uint8Array;
}

export interface Act {
  /** What exactly is to be done; the confirmation covers this and nothing else. */
  readonly about: string;
  /** The same for a person. */
  readonly message: string;
  /** The token that the caller got in the first step. */
  readonly token: string | undefined;
}

/**
 * An act that cannot be undone is confirmed by the person at the other end: by a question where the client can ask one,
 * else by calling again with a token. The token is signed over the act, so a "yes" to one never serves another.
 */
export class Confirmation {
  readonly #options: ConfirmationOptions;
  readonly #key: Uint8Array;

  constructor(options: ConfirmationOptions) {
    this.#options = options;
    this.#key = options.key ?? PROCESS_KEY;
  }

  /** Undefined once it is confirmed; until then the answer to send. */
  async missing({ about, message, token }: Act, context: ServerContext): Promise<ToolAnswer | undefined> {
    const bound = `${context.http?.authInfo?.clientId ?? "local"}\0${about}`;
    if (token !== undefined && this.#isValid(token, bound)) return undefined;
    if (!this.#options.canAsk(context)) return this.#secondStep(message, bound, token !== undefined);
    const said = inputResponse(context.mcpReq.inputResponses, "confirm");
    if (said.kind === "elicit" && said.action !== "accept")
      return plainResult("Nothing was done: the person did not confirm it.", { done: false });
    const state = context.mcpReq.requestState<string>();
    const accepted = acceptedContent(context.mcpReq.inputResponses, "confirm", answerSchema);
    if (accepted !== undefined && state !== undefined && this.#isValid(state, bound))
      return accepted.confirm
        ? undefined
        : plainResult("Nothing was done: the person said no.", { done: false });
    return inputRequired({
      inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: answerSchema }) },
      requestState: this.#sign(bound),
    });
  }

  #secondStep(message: string, bound: string, isStale: boolean): ToolAnswer {
    const stale = isStale ? "The token is not for this act, or too old. " : "";
    const confirm = this.#sign(bound);
    return plainResult(
      `${stale}Nothing was done yet. ${message}\nAsk the person first. If they agree, call again with the same arguments and confirm "${confirm}" (valid for ten minutes).`,
      { done: false, confirm },
    );
  }

  #sign(bound: string, untilMs = this.#nowMs() + VALID_MS): string {
    const mac = createHmac("sha256", this.#key).update(`${untilMs}\0${bound}`).digest("base64url");
    return `${untilMs.toString(36)}.${mac.slice(0, 32)}`;
  }

  #isValid(token: string, bound: string): boolean {
    const untilMs = Number.parseInt(token.split(".")[0] ?? "", 36);
    if (!Number.isSafeInteger(untilMs) || untilMs < this.#nowMs()) return false;
    const [given, expected] = [Buffer.from(token), Buffer.from(this.#sign(bound, untilMs))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)();
  }
}

const PROCESS_KEY = randomBytes(32);
