import { type Draft, draft, goal, thingIn } from "./ask-kinds.ts";
import { readPhrase } from "./noun-phrase.ts";
import { afterVerb, egoVerb } from "./rules-what.ts";

/** Rules for "where". */
export function readWhere(text: string): Draft | undefined {
  const match = /^(?:(?:from|to|in|on) )?where(?:abouts)?\b\s*(?:exactly |else )?(.*)$/.exec(text);
  if (!match) return undefined;
  const rest = match[1]!;
  const belong =
    /^(?:does|do|should|would|did|is|are)\s+(?:i (?:put|place|return|keep|store) )?(this|that|these|those|it)\b(.*?)\s*(?:belong|go|usually (?:be|go|kept)|be put|be placed|live|kept)?(?: back)?$/.exec(
      rest,
    );
  if (
    belong &&
    /(?:belong|go|put|place|keep|kept|return|store|live)/.test(rest) &&
    !/^(?:is|are) /.test(rest)
  ) {
    const thing = readPhrase(`${belong[1]} ${belong[2]!.trim()}`.trim());
    return draft("belong", "position", [goal(thing)]);
  }
  const need =
    /^(?:can|could|should|would|do|may|might|must|shall) (?:i|you|we|one|someone)(?: suggest| recommend)?\s+(.*)$/.exec(
      rest,
    ) ??
    /^(?:is|are) (?:a|the|some) (?:good |nice |best |quiet |right )?(?:place|spot|area|room) (?:to|for|where i can)\s+(.*)$/.exec(
      rest,
    ) ??
    /^(?:to|to go to)\s+(.*)$/.exec(rest);
  const like =
    /^(?:is|are|can (?:i|we) find|do (?:i|we) find|would (?:i|we) find) (?:a|an|the|some) ((?:[a-z]+,? ){0,6}?)(?:place|spot|area|room|corner|somewhere)\b\s*(?:that is|which is|that feels|with a|that looks|that seems)?\s*(.*)$/.exec(
      rest,
    );
  if (like && !need && `${like[1]}${like[2]}`.trim() !== "")
    return draft("implicit", "position", [goal(undefined)], {
      verb: `${like[1]} ${like[2]}`.trim(),
      level: "implicit",
    });
  if (need) {
    const see =
      /^(?:(?:last|first) )?(?:see|saw|find|found|spot|notice|locate|get(?= (?:a|an|the|some|my)\b))\s+(.*)$/.exec(
        need[1]!,
      );
    const found = see ? readPhrase(see[1]!) : undefined;
    const company = /^(?:company|somebody|someone|people|anyone|anybody)$/.test(
      found?.description.phrase ?? "",
    );
    if (found && !company) return draft("locate", "position", [goal(found)]);
    const object = objectOf(need[1]!);
    return draft("function", "position", [goal(object)], {
      verb: need[1]!.replace(/^(?:go|head|walk|drive|turn|look)(?: (?:if|when) (?:i|we) want)? to\s+/, ""),
      level: "implicit",
    });
  }
  const left =
    /^(?:(?:did|do|does|have|has|had) (?:i|you|we|they|someone|somebody|anyone|[a-z]+)|i|you|we|they|someone) (?:last |first |ever |just |have |had )?(?:leave|left|put|place|placed|store|stored|keep|kept|see|saw|seen|find|found|spot|spotted|notice|noticed|park|parked|drop|dropped|forget|forgot|observe|observed|encounter)\s+(.*)$/.exec(
      rest,
    );
  if (left) return draft("locate", "position", [goal(readPhrase(left[1]!))]);
  const ego = /^(?:did|do|were|was|are|am|have|had) (?:i|you|we|the robot)\b(.*)$/.exec(rest);
  if (ego)
    return draft("ego", "position", [goal(thingIn(afterVerb(rest)))], {
      ...egoVerb(rest),
      verb: egoVerb(rest).verb ?? "stay",
    });
  const moved =
    /^(?:did|has|have|was|were|is)\s+(.+?)\s+(?:go|gone|moved?(?: (?:to|from))?|been moved|end up|disappear to|taken|before(?: it was moved| that| now)?|originally|previously|used to be|come from)\b/.exec(
      rest,
    ) ?? /^(?:did)\s+(.+?)\s+(?:use to be|used to be|stand before)\b/.exec(rest);
  const mover = moved ? readPhrase(moved[1]!) : undefined;
  if (mover) {
    const before = /(?:from|before|originally|previously|use[d]? to)/.test(rest);
    return draft("change", "position", [goal(mover)], { verb: before ? "before" : "move" });
  }
  const does = /^(?:do|does|did)\s+(.*)$/.exec(rest);
  const doer = does ? readPhrase(does[1]!.replace(/\s+[a-z]+(?: (?:at|in|on|to|from).*)?$/, "")) : undefined;
  if (doer) return draft("locate", "position", [goal(doer)], { verb: does![1]! });
  const be = /^(?:is|are|was|were|has been|have been|might|will|would)?\s*(?:be )?(.*)$/.exec(rest);
  const thing = be
    ? readPhrase(be[1]!.replace(/\s+(?:is|are|was|were)(?: now| located| hanging| placed| standing)?$/, ""))
    : undefined;
  if (!thing) return undefined;
  const nearest = /\b(?:nearest|closest)\b/.test(be![1]!);
  if (nearest) return draft("nearest", "position", [goal(thing)], { quantifier: "superlative" });
  return draft("locate", "position", [goal(thing)]);
}

/** What is done something with: the object of the first verb. */
function objectOf(text: string) {
  const after = text.replace(
    /^(?:put|place|set|keep|store|leave|hang|dry|wash|clean|throw(?: away)?|charge|heat|cool|sit|sleep|read|cook|eat|drink|get|buy|find|make|take|turn on|turn off|use|watch|work|rest|warm|warmup|suggest(?:ed)? (?:placing|putting)|placing|putting|deliver|wait|park)\b\s*(?:up |down |out |away |on |off )*/,
    "",
  );
  return readPhrase(after) ?? readPhrase(text);
}
