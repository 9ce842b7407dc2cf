import { type Expression, type Literal, LociError } from "../../schema/index.ts";

/** Builds a node; what the reader and tests write expressions with. */
export function node(
  op: string,
  of: readonly Expression[] = [],
  options: Readonly<Record<string, Literal | undefined>> = {},
): Expression {
  const given = Object.entries(options).filter((entry): entry is [string, Literal] => entry[1] !== undefined);
  return { op, of, with: Object.fromEntries(given) };
}

/** An expression on one line: `count(in(things(category: "chair"), rooms(name: "kitchen")))`. */
export function print({ op, of, with: options }: Expression): string {
  const parts = [
    ...of.map(print),
    ...Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
  return `${op}(${parts.join(", ")})`;
}

const TOKEN = /\s*(?:([A-Za-z][\w-]*)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([(),:[\]]))/y;
const MOST_CHARS = 20_000;
const MOST_DEPTH = 24;

/** Parses the output of `print` or the same notation from a person: the inverse of it. */
export function scan(text: string): Expression {
  if (text.length > MOST_CHARS)
    throw new LociError("invalid-input", `an expression has at most ${MOST_CHARS} characters`);
  const scanner = new Scanner(text);
  const expression = scanner.expression(1);
  scanner.end();
  return expression;
}

class Scanner {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const at = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match)
        throw new LociError(
          "invalid-input",
          `an expression is name(argument, option: value); got “${text.slice(at, at + 20)}”`,
        );
      this.#tokens.push(match[0].trim());
    }
  }

  expression(depth: number): Expression {
    if (depth > MOST_DEPTH)
      throw new LociError("invalid-input", `an expression is at most ${MOST_DEPTH} deep`);
    const op = this.#take(/^[A-Za-z]/, "the name of an operator");
    const of: Expression[] = [];
    const options: Record<string, Literal> = {};
    this.#take(/^\($/, "(");
    while (this.#peek() !== ")") {
      if (this.#peek(1) === ":") {
        const name = this.#take(/^[A-Za-z]/, "the name of an option");
        this.#at++;
        options[name] = this.#literal();
      } else of.push(this.expression(depth + 1));
      if (this.#peek() === ",") this.#at++;
      else if (this.#peek() !== ")") this.#take(/^\)$/, ", or )");
    }
    this.#at++;
    return { op, of, with: options };
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#take(/^$/, "nothing more");
  }

  #literal(): Literal {
    if (this.#peek() !== "[") {
      const token = this.#take(
        /^(?:"|-?\d|true$|false$)/,
        "a word in quotes, a number, true, false or a list",
      );
      return JSON.parse(token) as Literal;
    }
    this.#at++;
    const items: string[] = [];
    while (this.#peek() !== "]") {
      items.push(JSON.parse(this.#take(/^"/, "a word in quotes")) as string);
      if (this.#peek() === ",") this.#at++;
    }
    this.#at++;
    return items;
  }

  #peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #take(form: RegExp, expected: string): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || !form.test(token))
      throw new LociError(
        "invalid-input",
        `expected ${expected} in the expression; got ${token ?? "its end"}`,
      );
    this.#at++;
    return token;
  }
}
