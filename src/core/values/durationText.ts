const units = [
  { name: 'year', ms: 365.25 * 86_400_000, from: 2 },
  { name: 'day', ms: 86_400_000, from: 2 },
  { name: 'hour', ms: 3_600_000, from: 2 },
  { name: 'minute', ms: 60_000, from: 2 },
  { name: 'second', ms: 1000, from: 0 },
] as const;

/** More of them are no longer told apart. */
const MOST_YEARS = 1000;

/**
 * A duration in words, rounded up in the largest unit that it has two of: "70 seconds", "3 hours", "10 years".
 *
 * @example durationText(70_000, 'en') // '70 seconds'
 */
export function durationText(ms: number, locale: string): string {
  const { name, ms: one } = units.find((unit) => ms >= unit.ms * unit.from) ?? units[4];
  // A hundredth above a whole number is no reason for one more: ten times 365 days are 10 years.
  const count = Math.max(1, Math.ceil(ms / one - 0.01));
  const format = (value: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(value);
  return name === 'year' && count > MOST_YEARS ? `> ${format(MOST_YEARS)}` : format(count);
}
