import type { Candidate } from "./gather.ts";

/**
 * A few views that together show every track that any view shows, beside the views kept anyway: repeatedly the one that
 * adds most tracks (the greedy set cover, within ln n of the fewest). Ties go to the earlier one in the list. A view is
 * evaluated again only when its gain has shrunk, so the cost is linear in all that the views show.
 */
export function coverOf(views: readonly Candidate[], stays: (view: Candidate) => boolean): Set<string> {
  const shown = new Set<string>();
  for (const view of views) if (stays(view)) for (const track of view.tracks) shown.add(track);
  const adds = (view: Candidate) => {
    let count = 0;
    for (const track of view.tracks) if (!shown.has(track)) count++;
    return count;
  };
  const byAdded: Candidate[][] = [];
  const file = (view: Candidate, count: number) => {
    byAdded[count] ??= [];
    byAdded[count].push(view);
  };
  for (const view of views) if (!stays(view)) file(view, adds(view));
  const cover = new Set<string>();
  for (let count = byAdded.length - 1; count > 0; count--) {
    for (const view of byAdded[count] ?? []) {
      const now = adds(view);
      if (now < count) {
        file(view, now);
        continue;
      }
      cover.add(view.record.id);
      for (const track of view.tracks) shown.add(track);
    }
  }
  return cover;
}
