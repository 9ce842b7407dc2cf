import type { Need } from "../../need.ts";

/** What is done about a complaint: the words of it alone would as soon find what keeps food cold. */
const COMPLAINTS: readonly (readonly [RegExp, readonly (readonly string[])[]])[] = [
  [
    /\b(?:cold|colder|freez\w*|froze|frozen|chill\w*|shiver\w*|frosty|icy|nippy|not (?:very )?warm|warm(?:er)? up|get(?:ting)? warm|numb|draughty)\b/,
    [["radiator"], ["fireplace"], ["heater"], ["thermostat"], ["stove"], ["blanket"], ["jumper"]],
  ],
  [
    /\b(?:steam\w*|smok\w+|smell\w*|fumes?|vapou?rs?|stink\w*|stench|odou?rs?|burnt|fog\w*|haz[ey]\w*|mist\w*|(?:bad|thick|stale) air)\b/,
    [["range hood", "cooker hood", "extractor hood", "extractor"], ["window"], ["fan"]],
  ],
  [
    /\b(?:hot|hotter|heat|warm|warmer|sweat\w*|boiling|roasting|melting|overheat\w*|stuffy|swelter\w*|cool (?:down|off)|cooler|baking)\b/,
    [["fan"], ["air conditioner"], ["window"], ["fridge"]],
  ],
  [
    /\b(?:news|headlines|films?|movies?|series|match|shows?|programmes?|television|tv|telly|broadcast|documentary|game on)\b/,
    [["television", "tv", "flat-screen tv"], ["projector"], ["laptop"]],
  ],
  [
    /\b(?:dark|darker|darkness|dim|gloomy|pitch black|can ?not see|brighter|more light)\b/,
    [["lamp", "floor lamp", "desk lamp", "ceiling lamp"], ["light switch"], ["torch"]],
  ],
  [
    /\b(?:wet|damp) hands?\b|\bhands are (?:all )?(?:wet|damp)\b/,
    [["towel", "hand towel", "towel rail"], ["hand dryer"]],
  ],
  [
    /\b(?:dirty|sticky|greasy) (?:hands?|fingers)\b|\b(?:hands|fingers) are (?:dirty|sticky|greasy)\b/,
    [["bathroom sink", "washbasin"], ["sink"]],
  ],
];

/** Kinds of things that help against what somebody complains of. */
export function thingsAgainst(complaint: string): readonly (readonly string[])[] {
  return COMPLAINTS.find(([words]) => words.test(complaint))?.[1] ?? [];
}

const WHAT_TO_DO =
  /\b(?:(?:what|anything|how|something)(?: [a-z]+)? (?:can|could|should|shall|would|must|do|might|ought) (?:i|we|you|one|be)(?: to)? (?:do|done|suggest|try|advise|recommend|propose|change|fix|solve|handle|mend|improve|help)|(?:any|some|your|got|have|need|give|offer)(?: [a-z]+)? (?:advice|ideas?|suggestions?|tips?|thoughts|solution|remedy|recommendations?)|what (?:now|to do|is to be done|helps?|would help|do you (?:suggest|recommend|advise))|(?:fix|change|solve|remedy|handle|help|do something about|do about) (?:that|this|it|me)|how (?:can|do|could|should|might) (?:i|we|you) (?:fix|change|solve|remedy|handle)|help me (?:out|with that|here)|suggest something|advise me)\b/;
const WHERE =
  /\b(?:where|whereabouts|which (?:room|place|object|item|thing)|what (?:object|item|thing|room|place))\b/;

/** Whether somebody says what is wrong, or wanted, and asks what to do about it. */
export function asksWhatToDo({ text, answer }: Pick<Need, "text" | "answer">): boolean {
  return answer !== "position" && WHAT_TO_DO.test(text) && !WHERE.test(text);
}
