import { describe, expect, it } from "vitest";
import { parseSource } from "./request.ts";

describe("a source as it is written", () => {
  it("is an address or a path, with options as ingest has them", () => {
    expect(parseSource("house.mcap")).toEqual({ source: "house.mcap", labels: [] });
    expect(
      parseSource(
        "rosbridge://robot:9090?agent=rob1&scene=home&rate=2.5&frames=10&labels=a,b&when-behind=keyframes&profile=small&topic=colour=/a&topic=colour=/b&topic=depth=/d",
      ),
    ).toEqual({
      source: "rosbridge://robot:9090",
      scene: "home",
      labels: ["a", "b"],
      whenBehind: "keyframes",
      profile: "small",
      read: {
        agentId: "rob1",
        rateHz: 2.5,
        maxFrames: 10,
        topics: { colour: ["/a", "/b"], depth: "/d" },
      },
    });
  });

  it.each([
    ["rosbridge://robot?speed=2", "among name, scene"],
    ["rosbridge://robot?rate=often", "rateHz"],
    ["rosbridge://robot?profile=tiny", "profile"],
    ["rosbridge://robot?topic=/camera", "USE=NAME"],
    ["", "source"],
  ])("is refused as %s", (text, words) => {
    expect(() => parseSource(text)).toThrow(words);
  });
});
