import type { Scene } from "../state/scene.ts";

/** A thing in words, as captions and views need it. */
export interface DescribedThing {
  readonly category: string;
  readonly phrase: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The category of what it stands on. */
  readonly on: string | undefined;
}

/** A state in words, or undefined if it is not open. */
export function describe({ byState }: Scene, stateId: string): DescribedThing | undefined {
  const thing = byState.get(stateId);
  if (!thing) return undefined;
  const attributes: Record<string, string | number | boolean> = {};
  for (const [name, votes] of thing.words.attributes) {
    const value = thing.evidence.fluents.valueOf(name) ?? votes.best();
    if (value !== undefined) attributes[name] = value;
  }
  const { supportedBy } = thing.links;
  return {
    category: thing.words.category,
    phrase: thing.words.name,
    attributes,
    on: supportedBy === undefined ? undefined : byState.get(supportedBy)?.words.category,
  };
}
