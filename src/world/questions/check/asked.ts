import type { QuestionRecord } from "../../../schema/index.ts";
import { synonymsOf } from "../phrases.ts";
import type { Truth, TruthPlacement, TruthRoom, TruthThing } from "./truth.ts";

/** The values of docs/formulas.md#questions, repeated independently of the generator. */
export const FRAMES = 3;
export const PIXELS = 60;
const ROOM_FRAMES = 8;

/** A question beside its truth: the input of a rule. Everything is read again from the plain data. */
export class Asked {
  readonly truth: Truth;
  readonly question: QuestionRecord;
  readonly atUs: number;

  constructor(truth: Truth, question: QuestionRecord) {
    this.truth = truth;
    this.question = question;
    this.atUs = question.askedAtUs;
  }

  get targets(): readonly string[] {
    return this.question.targets;
  }

  get text(): string {
    return this.question.answer.text;
  }

  about<T>(key: string): T {
    return this.question.about[key] as T;
  }

  /** Whose observations count: for news from others, those of every agent but the asked one. */
  sees(agentId: string): boolean {
    const { suite, answerable, askedOf } = this.question;
    return suite !== "collab" || !answerable || agentId !== askedOf;
  }

  place(id: string): TruthPlacement | undefined {
    return this.truth.at(id, this.atUs);
  }

  clear(id: string, sinceUs = -Infinity) {
    const all = this.truth.sightings(id, this.atUs, PIXELS, (agent) => this.sees(agent));
    return all.filter(({ timeUs }) => timeUs >= sinceUs);
  }

  isKnown(id: string): boolean {
    return (
      this.place(id) !== undefined &&
      !this.truth.isHidden(id, this.atUs) &&
      this.clear(id, this.truth.since(id, this.atUs)).length >= FRAMES
    );
  }

  lookedOver(room: string): boolean {
    const frames = this.truth.frames.filter(
      (f) => f.timeUs <= this.atUs && f.room === room && this.sees(f.agentId),
    );
    return frames.length >= ROOM_FRAMES;
  }

  /** Things of the house at the moment that the noun could mean. */
  called(noun: string, room?: string): string[] {
    return this.truth
      .present(this.atUs)
      .filter(
        (id) => fits(this.truth.thing(id), noun) && (room === undefined || this.place(id)!.room === room),
      );
  }

  resting(host: string): string[] {
    return this.truth
      .present(this.atUs)
      .filter((id) => this.place(id)!.supportedBy === host && this.place(id)!.insideOf === undefined);
  }

  isFloorFurniture(id: string, timeUs = this.atUs): boolean {
    const { type, category } = this.truth.thing(id);
    const support = this.truth.at(id, timeUs)?.supportedBy;
    const isMat = ["rug", "doormat", "bath mat", "exercise mat"].includes(category);
    return (
      type === "furniture" &&
      !isMat &&
      support !== undefined &&
      this.truth.thing(support).category === "floor"
    );
  }

  room(id: string | null | undefined): TruthRoom | undefined {
    return this.truth.rooms.find((room) => room.id === id);
  }

  /** The one room that an answer's words refer to. */
  roomNamed(words: string): TruthRoom | undefined {
    const signed = this.truth.rooms.filter(({ name, isSigned }) => isSigned && name === words);
    if (signed.length === 1) return signed[0];
    const match = /^(?:in |the )*(?:(upstairs|downstairs) )?(.+)$/.exec(words);
    const fitting = this.truth.rooms.filter(
      ({ type, floor }) =>
        type === match?.[2] && (match[1] === undefined || (match[1] === "upstairs") === floor > 0),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  isName(words: string, id: string): boolean {
    const { name, category } = this.truth.thing(id);
    return words === name || words === category;
  }

  /** Whether the words for a place name the supporting thing and the type of room. */
  saysPlace(words: string, { supportedBy, insideOf, room }: TruthPlacement): boolean {
    const type = this.room(room)?.type;
    if (type !== undefined && !words.includes(type)) return false;
    const host = insideOf ?? supportedBy;
    if (host === undefined) return true;
    const { category, name, type: hostType } = this.truth.thing(host);
    if (hostType === "structure")
      return category === "floor" || words.includes(category === "facade" ? "wall" : category);
    return words.includes(name) && words.startsWith(insideOf === undefined ? "on " : "in ");
  }
}

/** Whether the noun ends one of the thing's names, word by word. */
export function fits(thing: TruthThing, noun: string): boolean {
  const wanted = noun.split(" ");
  const synonyms = synonymsOf(thing);
  return [thing.category, thing.name, ...synonyms].some((name) => {
    const words = name.split(" ");
    return wanted.every((word, i) => words[words.length - wanted.length + i] === word);
  });
}

/** Undefined if the condition holds, else the fault. */
export function must(condition: boolean, fault: string): string | undefined {
  return condition ? undefined : fault;
}

export function first(...faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}
