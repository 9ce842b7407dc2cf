import type { Belief } from "../../belief/belief.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "./check.ts";
import { type Call, NO_OPTIONS, type Scope } from "./operator.ts";
import { operatorNamed } from "./table.ts";
import { unknownValue, type Value } from "./value.ts";

/**
 * Carries out an expression: checked against the table first, then from the inside out. The same expression on the
 * same memory gives the same value; it reads what its operators declare and writes nothing.
 */
export async function evaluate(expression: Expression, scope: Scope): Promise<Value> {
  kindOf(expression);
  return new Evaluation().value(expression, scope);
}

/** What was computed for a question: other readings of it, and what else may be meant, have most of it in common. */
const DONE = new WeakMap<Belief, Map<string, Promise<Value>>>();

class Evaluation {
  /** What does not hang on `it` is computed once for a scope, however many elements a set has. */
  value(node: Expression, scope: Scope): Promise<Value> {
    if (isFree(node)) return this.#compute(node, scope);
    const done = DONE.get(scope.memory) ?? new Map<string, Promise<Value>>();
    DONE.set(scope.memory, done);
    const form = formOf(node);
    const shown = form.includes(SHOWN) ? (scope.memory.pointed?.state.id ?? "") : "";
    const key = `${form} ${shown} ${keyOf(scope)}`;
    const value = done.get(key) ?? this.#compute(node, scope);
    done.set(key, value);
    return value;
  }

  async #compute(node: Expression, scope: Scope): Promise<Value> {
    if (node.op === "it") return scope.it!;
    const operator = operatorNamed(node.op);
    const othersFirst = scope.memory.effort.spend(operator.costs);
    if (othersFirst) await othersFirst;
    const known = new Map<number, Value>();
    if (!operator.copes) {
      for (const [n, argument] of node.of.entries()) {
        const parameter = operator.takes[n] ?? operator.takes.at(-1)!;
        if (parameter.bound) continue;
        const value = await this.value(argument, scope);
        if (value.kind === "unknown") return value;
        // An operator may give one kind or another, as the memory is; not every other one takes both.
        if (!parameter.kinds.includes(value.kind))
          return unknownValue("not-understood", `${operator.name} takes no ${value.kind}`);
        known.set(n, value);
      }
    }
    const arg = async (n: number, narrower?: Partial<Scope>) => {
      const ready = narrower === undefined ? known.get(n) : undefined;
      return ready ?? this.value(node.of[n]!, narrower ? { ...scope, ...narrower } : scope);
    };
    const call: Call = {
      node,
      scope,
      size: node.of.length,
      options: (operator.options ?? NO_OPTIONS).parse(node.with),
      arg,
      args: () => Promise.all(node.of.map((_, n) => arg(n))),
      value: (inner, narrower) => this.value(inner, narrower ? { ...scope, ...narrower } : scope),
    };
    return operator.run(call);
  }
}

const free = new WeakMap<Expression, boolean>();

/** Whether it hangs on the element that an operator around it binds. */
function isFree(node: Expression): boolean {
  let known = free.get(node);
  if (known === undefined) {
    const { takes } = operatorNamed(node.op);
    const isBound = (n: number) => (takes[n] ?? takes.at(-1))?.bound === true;
    known = node.op === "it" || node.of.some((argument, n) => !isBound(n) && isFree(argument));
    free.set(node, known);
  }
  return known;
}

const forms = new WeakMap<Expression, string>();

function formOf(node: Expression): string {
  let form = forms.get(node);
  if (form === undefined) {
    form = JSON.stringify(node);
    forms.set(node, form);
  }
  return form;
}

/** What "this" is changes within a question, as what may be meant is tried; only what asks for it hangs on it. */
const SHOWN = JSON.stringify("shown");

/** What of a scope a value may hang on, beside `it`. */
function keyOf({ during, viewer, enough, broadened, memory, agentId, witness }: Scope): string {
  const rooms = enough && { ...enough, rooms: enough.rooms?.map(({ id }) => id) };
  return JSON.stringify([during, viewer, rooms, broadened, memory.lookedAmong, agentId, witness]);
}
