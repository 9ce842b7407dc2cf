import { type Form, has, leadOf, type Roles, secondAfter, swapped, tailOf } from "./roles.ts";

/** "A is exceeded by B": then B is the larger. */
export function largerFirst(form: Form, roles: Roles): Roles {
  return /\b(?:exceeded|surpassed|beaten|outdone|dwarfed|outsized|topped|overtopped|outstripped|eclipsed|outmatched)\b.*\bby\b/.test(
    form.text,
  )
    ? swapped(roles, "first", "second")
    : secondAfter(form, roles, "than");
}

/** What lies on what: "on" says it; without it, whoever holds is below. */
export function hostSecond(form: Form, roles: Roles): Roles {
  const on = (name: string) => leadOf(form, roles[name]!)[0] === "ontop";
  if (on("second")) return roles;
  // "is it B that A is on"
  if (on("first") || /^(?:is|was) it .* on$/.test(form.text)) return swapped(roles, "first", "second");
  return has(form, "hold", "have", "carry", "lie") &&
    tailOf(form, roles["first"]!).some((one) => /^(?:hold|have|carry)$/.test(one))
    ? swapped(roles, "first", "second")
    : roles;
}

/** Whether there is room: what is "for" or fits is the thing, what is "on" or has room the host. */
export function hostOfRoom(form: Form, roles: Roles): Roles {
  const lead = (name: string) => leadOf(form, roles[name]!);
  const on = (name: string) => /^(?:ontop|inside)$/.test(lead(name)[0] ?? "");
  if (on("host")) return roles;
  if (on("thing")) return swapped(roles, "host", "thing");
  const first = roles["host"]!.from < roles["thing"]!.from ? "host" : "thing";
  const last = first === "host" ? "thing" : "host";
  // "I have A here; will it go on B"
  if (lead(last)[0] === "fit" && /\b(?:on|onto|in|into) $/.test(form.text.slice(0, roles[last]!.from)))
    return last === "host" ? roles : swapped(roles, "host", "thing");
  const takes = tailOf(form, roles[first]!).some((one) =>
    /^(?:hold|have|take|space|of|fit|spend|find|offer|can)$/.test(one),
  );
  return takes === (first === "host") ? roles : swapped(roles, "host", "thing");
}

/** "is A closer to B than to C": C follows "than", A is what is closer. */
export function nearerOf(form: Form, roles: Roles): Roles {
  const all = ["first", "second", "third"].map((name) => roles[name]!).toSorted((a, b) => a.from - b.from);
  const [a, b, c] = all as [Roles[string], Roles[string], Roles[string]];
  const than = (chunk: Roles[string]) =>
    leadOf(form, chunk)
      .slice(0, 4)
      .some((one) => one === "than" || one === "or");
  if (than(b) && !than(c)) return { first: c, second: a, third: b };
  // "to B than to C from A"
  if (leadOf(form, c)[0] === "from" && !than(c)) return { first: c, second: a, third: b };
  return { first: a, second: b, third: c };
}

/** "A before B", "before B … A", "B after A", "only after A … B". */
export function earlierFirst(form: Form, roles: Roles): Roles {
  // "A and then B" is in order.
  const word = (name: string) => {
    const lead = leadOf(form, roles[name]!);
    return lead.find((one, n) => /^(?:before|after|when|than)$/.test(one) && lead[n + 1] !== "and");
  };
  const [first, second] = [word("first"), word("second")];
  if (second === "after") return swapped(roles, "first", "second");
  if (
    first === "before" &&
    second !== "before" &&
    !/^(?:before|than)$/.test(second ?? "") &&
    !hasAlready(form)
  )
    return swapped(roles, "first", "second");
  return roles;
}

/** "how long did it take to see B after A": what the other came after is the earlier. */
export function gapStartFirst(form: Form, roles: Roles): Roles {
  const led = (name: string, word: string) => {
    const lead = leadOf(form, roles[name]!);
    return lead.some((one, n) => one === word && lead[n + 1] !== "and");
  };
  const after = led("second", "after") && !led("first", "after") && !led("second", "before");
  const before = led("first", "before") && !led("second", "before") && !led("second", "after");
  return after || before ? swapped(roles, "first", "second") : roles;
}

const hasAlready = ({ text }: Form) => /\balready\b|\bearlier (?:sighting|one)\b/.test(text);

export function standingOf(form: Form, roles: Roles): Roles {
  const all = ["at", "facing", "thing"].map((name) => roles[name]!).toSorted((a, b) => a.from - b.from);
  const faced = all.find((chunk) =>
    leadOf(form, chunk)
      .slice(0, 3)
      .some((one) => one === "facing" || one === "towards" || one === "look"),
  );
  const rest = all.filter((chunk) => chunk !== faced);
  if (!faced) return roles;
  const at =
    rest.find((chunk) =>
      leadOf(form, chunk)
        .slice(0, 2)
        .some((one) => /^(?:standing|at|from|lie|beside|ontop)$/.test(one)),
    ) ?? rest[0]!;
  return { ...roles, facing: faced, at, thing: rest.find((chunk) => chunk !== at)! };
}

export function enteringOf(form: Form, roles: Roles): Roles {
  return leadOf(form, roles["room"]!)[0] === "from" ||
    /^(?:exit|put)$/.test(leadOf(form, roles["room"]!)[0] ?? "")
    ? swapped(roles, "room", "from")
    : roles;
}
