import { expect, it } from "vitest";
import { describedBy } from "./description.ts";

it("takes what is only said to be there for what it is", () => {
  expect(describedBy({ category: "Curtain installed" }).head).toBe("curtain");
  expect(describedBy({ category: "mug" }).head).toBe("mug");
  expect(describedBy({ category: "zorbleflax installed" }).head).toBe("zorbleflax installed");
  expect(describedBy({ category: "something" }).head).toBe("object");
});
