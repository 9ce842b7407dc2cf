import { LociError } from "../../schema/errors.ts";
import { serveRequests } from "../worker-thread.ts";

/** A thread for the tests of worker-thread.ts that misbehaves on request. */
export type UnrulyRequest =
  | { readonly do: "echo"; readonly value: number }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "spin" | "crash" | "exit" | "throw" | "refuse" | "print" };

serveRequests<UnrulyRequest, number>(async (request) => {
  switch (request.do) {
    case "echo":
      return { reply: request.value };
    case "sleep":
      await new Promise((resolve) => setTimeout(resolve, request.ms));
      return { reply: request.ms };
    case "spin":
      for (;;);
    case "crash":
      setImmediate(() => {
        throw new Error("outside of any call");
      });
      return new Promise(() => {});
    case "exit":
      process.exit(3);
      break;
    case "print":
      console.log("chatter");
      return { reply: 0 };
    case "refuse":
      throw new LociError("model-unavailable", "no weights");
    case "throw":
      throw new TypeError("cannot read it");
  }
});
