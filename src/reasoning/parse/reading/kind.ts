import type { Builder } from "./build.ts";
import type { Form, Roles } from "./roles.ts";

/** A kind of question: the places in it, how it is put plainly, and the needs it makes. */
export interface Kind {
  /** "first:thing second:thing": see `rolesOf`. */
  readonly places: string;
  /** The same question in the plainest words, places in braces. */
  readonly plain: string;
  readonly build: Builder;
  /** Which of the things is which, where the order of the words does not tell. */
  readonly order?: (form: Form, roles: Roles) => Roles;
}

export function kind(places: string, plain: string, build: Builder, order?: Kind["order"]): Kind {
  return { places, plain, build, ...(order && { order }) };
}
