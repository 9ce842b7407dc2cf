import type { z } from "zod";
import type { feedSceneSchema } from "../../../src/schema/feed.ts";

/** The feed's scene: docs/feed.md. */
export type FeedScene = z.infer<typeof feedSceneSchema>;
export type FeedRegion = FeedScene["regions"][number];
