/** What the model is asked about one thing; its crop follows. */
export function describePrompt(label: string | undefined): string {
  const hint = label === undefined ? "" : ` A detector took it for: ${label}.`;
  return (
    "The picture shows one object; everything around it is greyed out. Describe that object in one short noun " +
    `phrase: colour, material, kind, and any readable text in quotes.${hint} Answer with the phrase only.`
  );
}

/** What the model is asked about a clip; its frames follow in order. */
export function captionPrompt(room: string | undefined, things: readonly string[]): string {
  const where = room === undefined ? "" : ` The robot is in: ${room}.`;
  const known = things.length === 0 ? "" : ` Known to be visible: ${things.join("; ")}.`;
  return (
    "These frames, in order, are about three seconds of a robot's camera. Say in at most six short sentences what " +
    `kind of place it is, what is there and where, and what happens.${where}${known} No introduction, no lists.`
  );
}
