import { type Draft, draft, goal } from "./ask-kinds.ts";
import { readPhrase } from "./noun-phrase.ts";

const LEAD =
  /^(?:find|locate|go to|go find|navigate to|navigate|take me to|take me|bring me to|bring me|bring|guide me to|lead me to|show me|get me|get|fetch|look for|search for|head to|drive to|point me to|point to|walk to)\s+(?:me |us )?/;

const HOME = "(?:the |this |your |our )?(?:house|home|building|flat|apartment|place)";
/** The rooms there are, which is no question about any one of them. */
const ROOMS = new RegExp(
  `^(?:(?:what|which) (?:kinds? of |types? of |different )?rooms (?:are there|exist|are in ${HOME}|(?:does|do|did) (?:${HOME}|it|you|we) (?:have|know|see|visit|find)(?: of)?|(?:have|had) you (?:seen|visited|explored|been in|found)|can be found)|(?:list|name|enumerate)(?: all)?(?: of)?(?: the)? rooms)(?: (?:here|there|(?:of|in) ${HOME}|so far))*$`,
);

/** Requests that are no questions: "find me a quiet place to read", "describe the house", "count the chairs". */
export function readCommand(text: string): Draft | undefined {
  if (
    /^(?:describe|summari[sz]e|give (?:me )?(?:a |an )?(?:overview|summary|description|tour)|characteri[sz]e|outline|explain how)\b/.test(
      text,
    )
  ) {
    const what = readPhrase(
      text.replace(
        /^(?:describe|summari[sz]e|characteri[sz]e|outline|give (?:me )?(?:a |an )?(?:short |brief )?(?:overview|summary|description|tour) of|explain how)\s*/,
        "",
      ),
    );
    return draft("describe", "text", [goal(what)], { level: "global" });
  }
  if (ROOMS.test(text)) return draft("describe", "text", [], { level: "global", verb: "rooms" });
  const count = /^(?:count|number of|tell me the number of|the number of)\s+(?:all |how many )?(.*)$/.exec(
    text,
  );
  if (count) return draft("count", "count", [goal(readPhrase(count[1]!))], { quantifier: "count" });
  const list = /^(?:list|name|enumerate)\s+(?:all )?(.*)$/.exec(text);
  if (list) return draft("recognise", "set", [goal(readPhrase(list[1]!))], { quantifier: "all" });
  const lead = LEAD.exec(text);
  if (lead) return led(text.slice(lead[0].length));
  const wish =
    /^(?:i|we) (?:need|want|would like|am looking for|look for|am searching for|could use|have to find)\s+(?:to\s+)?(.*)$/.exec(
      text,
    );
  if (wish) {
    const verb = /^(?:i|we) (?:need|want|would like) to\b/.test(text);
    return verb
      ? draft("function", "position", [goal(readPhrase(wish[1]!.replace(/^[a-z]+\s+/, "")))], {
          verb: wish[1]!,
          level: "implicit",
        })
      : led(wish[1]!);
  }
  const feeling =
    /^(?:i|we) (?:am|are|feel) (?:a bit |very |so |really )?(hungry|thirsty|tired|cold|hot|bored|sleepy|dirty|sick|hurt|sweaty|wet)\b/.exec(
      text,
    );
  if (feeling)
    return draft("function", "position", [goal(undefined)], { verb: feeling[1]!, level: "implicit" });
  return undefined;
}

/** Where one wants to be led: a thing, the nearest of a kind, or a place for something. */
function led(text: string): Draft | undefined {
  const place =
    /^(?:somewhere|some place|a place|any place|anywhere|a spot|a good place|an area|a room|some spot|an? (?:[a-z]+,? ){1,4}(?:place|spot|area|room|corner))\b(.*)$/.exec(
      text,
    );
  if (place) {
    const verb = /\b(?:to|for|where i can|where we can|that is|with)\s+(.*)$/.exec(text)?.[1] ?? text;
    return draft("implicit", "position", [goal(undefined)], {
      verb,
      level: "implicit",
    });
  }
  const use = /^(?:something|anything)\b.*?\b(?:to|for|i can)\s+(.*)$/.exec(text);
  if (use) return draft("function", "position", [goal(undefined)], { verb: use[1]!, level: "implicit" });
  const thing = readPhrase(text);
  if (!thing) return undefined;
  if (/\b(?:nearest|closest)\b/.test(text))
    return draft("nearest", "position", [goal(thing)], { quantifier: "superlative" });
  return draft("locate", "position", [goal(thing)]);
}
