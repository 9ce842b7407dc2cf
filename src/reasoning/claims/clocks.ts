/** A clock time on the day of the question, as a moment in microseconds; one after that moment is on the day before. */
export function clockIn(text: string, nowUs: number): number | undefined {
  const dated = /\b(\d{4}-\d\d-\d\d)[ T](\d\d?):(\d\d)(?::(\d\d))?/.exec(text);
  if (dated) {
    const [, day, h, m, s = "00"] = dated;
    const ms = Date.parse(`${day}T${h!.padStart(2, "0")}:${m}:${s}Z`);
    return Number.isFinite(ms) ? ms * 1_000 : undefined;
  }
  const found = /\b(\d\d?):(\d\d)(?::(\d\d))?\s*(am|pm)?/i.exec(text);
  if (!found) return undefined;
  const [, h, m, s = "0", half] = found;
  const hours = (Number(h) % (half ? 12 : 24)) + (half?.toLowerCase() === "pm" ? 12 : 0);
  const dayUs = 86_400_000_000;
  const midnightUs = Math.floor(nowUs / dayUs) * dayUs;
  const timeUs = midnightUs + ((hours * 60 + Number(m)) * 60 + Number(s)) * 1_000_000;
  return timeUs > nowUs ? timeUs - dayUs : timeUs;
}
