import type { Belief } from "../../belief/belief.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "./check.ts";
import { type Call, NO_OPTIONS, type Operator, type Scope } from "./operator.ts";
import { operatorNamed } from "./table.ts";
import { unknownValue, type Value } from "./value.ts";

/**
 * Evaluates an expression: checked against the table first, then from the inside out. The same expression on the same
 * memory gives the same value; it reads what its operators declare and writes nothing.
 */
export async function evaluate(expression: Expression, scope: Scope): Promise<Value> {
  kindOf(expression);
  return new Evaluation().value(expression, scope);
}

/**
 * Values already computed for a question: its other readings, and other candidates for a reference, share most of them.
 */
const DONE = new WeakMap<Belief, Map<string, Promise<Value>>>();

class Evaluation {
  /** A node that does not depend on `it` is computed once for a scope, however many elements a set has. */
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
        if (!parameter.kinds.includes(value.kind)) return new NotTaken(operator, value).value;
        known.set(n, value);
      }
    }
    const arg = async (n: number, narrower?: Partial<Scope>) => {
      const ready = narrower === undefined ? known.get(n) : undefined;
      if (ready) return ready;
      const value = await this.value(node.of[n]!, narrower ? { ...scope, ...narrower } : scope);
      const { kinds, bound } = operator.takes[n] ?? operator.takes.at(-1)!;
      if (bound || value.kind === "unknown" || kinds.includes(value.kind)) return value;
      throw new NotTaken(operator, value);
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
    try {
      return await operator.run(call);
    } catch (error) {
      if (error instanceof NotTaken && error.operator === operator) return error.value;
      throw error;
    }
  }
}

/** An operator's result kind may depend on the memory; not every operator takes each of its kinds. */
class NotTaken extends Error {
  readonly operator: Operator;
  readonly value: Value;

  constructor(operator: Operator, { kind }: Value) {
    super(`${operator.name} takes no ${kind}`);
    this.operator = operator;
    this.value = unknownValue("not-understood", this.message);
  }
}

const free = new WeakMap<Expression, boolean>();

/** Whether it depends on the element that an enclosing operator binds. */
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

/**
 * The thing that "this" means changes within a question, as candidates are tried; only expressions with `shown` depend
 * on it.
 */
const SHOWN = JSON.stringify("shown");

/** The parts of a scope that a value may depend on, beside `it`. */
function keyOf({ during, viewer, enough, broadened, memory, agentId, witness }: Scope): string {
  const rooms = enough && { ...enough, rooms: enough.rooms?.map(({ id }) => id) };
  return JSON.stringify([during, viewer, rooms, broadened, memory.lookedAmong, agentId, witness]);
}
