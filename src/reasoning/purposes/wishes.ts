import { roomsLike } from "../../ontology/index.ts";

/** Activities that need a room rather than a thing. */
const WHOLE_ROOM =
  /\b(?:do (?:the |my |some )?(?:washing|laundry)|(?:have|get) a (?:good )?wash|freshen up|cook (?:dinner|lunch|breakfast|for)|(?:eat|dine|dining|relax|unwind|sit|dinner|lunch|supper|meal|talk|chat|play|hang out|play games)(?: [a-z]+)? with|repair|park|entertain|host)\b/;
const COMPANY =
  /\b(?:somebody|someone|other people|people|company|anybody|anyone|another person|a person|others|lonely|human beings?|(?:talk|chat|speak) (?:to|with))\b/;
const GOOD_FOR_COMPANY =
  /\b(?:good|great|nice|suited|suitable|ideal|fit|perfect|right|made|meant|best|well suited) (?:for|to)(?: having| some| keeping)? company\b|\bcompany and\b|\band (?:good for )?company\b/;

/** Whether a wish needs a whole room, where another needs a thing in it. */
export function takesRoom(wish: string): boolean {
  return WHOLE_ROOM.test(wish.toLowerCase());
}

/** Whether the wish is for company, and not merely for a suitable room. */
export function wantsCompany(wish: string): boolean {
  const said = wish.toLowerCase();
  if (!COMPANY.test(said) || GOOD_FOR_COMPANY.test(said)) return false;
  return roomsLike(said.replace(new RegExp(COMPANY, "g"), " ")).length === 0 && !WHOLE_ROOM.test(said);
}
