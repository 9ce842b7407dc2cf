import type { ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { Confirmation } from "./confirm.ts";

/** As a client that cannot ask calls: all that a confirmation looks at. */
const contextOf = (clientId: string) =>
  ({
    http: { authInfo: { token: "", clientId, scopes: [] } },
    mcpReq: { requestState: () => undefined },
  }) as unknown as ServerContext;

const ACT = { about: "[mug]", message: "Forget the mug?" };
const MINUTE_MS = 60_000;

describe("a confirmation in two steps", () => {
  const tokenOf = async (confirmation: Confirmation, who: string) => {
    const asked = await confirmation.missing({ ...ACT, token: undefined }, contextOf(who));
    return (asked as { structuredContent: { confirm: string } }).structuredContent.confirm;
  };

  it("serves one act, for ten minutes, of the one who asked", async () => {
    let nowMs = 1_000_000;
    const confirmation = new Confirmation({ canAsk: () => false, nowMs: () => nowMs });
    const token = await tokenOf(confirmation, "anna");
    const serves = async (act: object, who = "anna") =>
      (await confirmation.missing({ ...ACT, token, ...act }, contextOf(who))) === undefined;
    expect(await serves({})).toBe(true);
    expect(await serves({ about: "[cup]" })).toBe(false);
    expect(await serves({}, "otto")).toBe(false);
    nowMs += 10 * MINUTE_MS;
    expect(await serves({})).toBe(true);
    nowMs += 1;
    expect(await serves({})).toBe(false);
  });

  it("is of no use to a process with another key", async () => {
    const [one, other] = [1, 2].map(
      (n) => new Confirmation({ canAsk: () => false, key: new Uint8Array(32).fill(n) }),
    );
    const token = await tokenOf(one!, "anna");
    expect(await other!.missing({ ...ACT, token }, contextOf("anna"))).toBeDefined();
  });

  it.each(["", ".", "zzzzzzzzzzzz", "9.x", `${"9".repeat(200)}.x`])("is refused as %j", async (token) => {
    const confirmation = new Confirmation({ canAsk: () => false });
    expect(await confirmation.missing({ ...ACT, token }, contextOf("anna"))).toBeDefined();
  });
});
