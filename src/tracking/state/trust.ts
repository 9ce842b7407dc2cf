import { ASSOCIATE } from "../settings/associate.ts";

/** How often each robot called well-known things of others what they are. */
export class Trust {
  readonly #tallies = new Map<string, { right: number; wrong: number }>();

  note(agentId: string, agrees: boolean): void {
    const tally = this.#tallies.get(agentId) ?? { right: 0, wrong: 0 };
    if (agrees) tally.right++;
    else tally.wrong++;
    this.#tallies.set(agentId, tally);
  }

  /** Until enough was compared a robot is believed. */
  isTrusted(agentId: string): boolean {
    const { right, wrong } = this.#tallies.get(agentId) ?? { right: 0, wrong: 0 };
    return right + wrong < ASSOCIATE.trustLooks || right >= ASSOCIATE.trustShare * (right + wrong);
  }
}
