const DAY_MS = 24 * 60 * 60 * 1000;
/** No server names a moment further from now than this, nor asks for so exact a wait of tens of years. */
const YEAR_MS = 366 * DAY_MS;
/** A number of seconds up to a minute, where the header's unit is not settled: so few milliseconds are over at once. */
const MOST_BARE_SECONDS = 60;

type Unit = 'seconds' | 'milliseconds' | 'unsettled';

/**
 * How long an answer asks to wait, in milliseconds, finite and 0 or more: by `Retry-After` (RFC 9110), else by
 * `ratelimit-reset` (IETF draft, seconds), `x-ratelimit-reset` or `x-rate-limit-reset`, each of which servers write as
 * a date, as seconds or milliseconds since 1970, or as seconds or milliseconds from now. A number that can be a moment
 * of this year is one. Blockscout counts milliseconds (v9.0.0 on, beside `bypass-429-option`), and writes -1 where
 * there is no limit. Undefined where nothing is asked or the moment has passed. It is what the server asks for, however
 * long; who waits sets the bound.
 *
 * @param now in milliseconds since the Unix epoch.
 */
export function serverWaitMs(headers: Headers, now: number): number | undefined {
  const isBlockscout = headers.has('bypass-429-option') || headers.has('x-credits-remaining');
  const units: readonly (readonly [name: string, unit: Unit])[] = [
    ['retry-after', 'seconds'],
    ['ratelimit-reset', 'seconds'],
    ['x-ratelimit-reset', isBlockscout ? 'milliseconds' : 'unsettled'],
    ['x-rate-limit-reset', 'unsettled'],
  ];
  for (const [name, unit] of units) {
    const ms = readWait(headers.get(name)?.trim() ?? '', { unit, now });
    // A limit that is reset at once is none; `Retry-After: 0` says that another try is welcome.
    if (ms !== undefined && (ms > 0 || name === 'retry-after')) return ms;
  }
  return undefined;
}

/** Whether an answer says that it was the last of its time. */
export function isLimitSpent(headers: Headers): boolean {
  return ['x-ratelimit-remaining', 'ratelimit-remaining', 'x-rate-limit-remaining'].some(
    (name) => headers.get(name)?.trim() === '0',
  );
}

function readWait(text: string, { unit, now }: { unit: Unit; now: number }): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (Number.isNaN(value)) return fromNow(Date.parse(text) - now);
  for (const moment of [value * 1000, value]) {
    if (Math.abs(moment - now) <= YEAR_MS) return fromNow(moment - now);
  }
  const inSeconds = unit === 'seconds' || (unit === 'unsettled' && isFewSeconds(value));
  return fromNow(inSeconds ? value * 1000 : value);
}

function isFewSeconds(value: number): boolean {
  return Number.isInteger(value) && value <= MOST_BARE_SECONDS;
}

function fromNow(ms: number): number | undefined {
  return ms >= 0 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : undefined;
}
