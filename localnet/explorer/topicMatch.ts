import type { IndexedLog } from '../index/explorerIndex.ts';
import { HttpFailure } from './failures.ts';
import type { TopicPosition } from './logFilter.ts';

export type TopicRules = {
  /** A topic that is not 32 bytes: compared as it is (to v5.4), HTTP 400 (v6.0-6.7), left out (since v6.8). */
  readonly oddLength: 'compared' | 'badRequest' | 'leftOut';
  /** Several values in a position that is not the last: HTTP 400, except v11.2.3 to v11.2.7. */
  readonly earlierAlternatives: 'badRequest' | 'matched';
  /** A last position without values beside others: no rows, or a crash on v11.2.3 to v11.2.7. */
  readonly emptyLast: 'noRows' | 'crash';
  /** Since v11.2.3 each of up to 16 values is a query of its own, so a value given twice doubles its rows. */
  readonly repeatedValue: 'once' | 'repeatsRows';
};

/** How many times a log with these topics comes out of the query: 0, 1, or more for repeated values. */
export type TopicMatch = (log: IndexedLog) => number;

type Position = readonly string[] | 'open';

export function compileTopicMatch(
  topics: readonly TopicPosition[],
  rules: TopicRules,
  perAddress: boolean,
): TopicMatch {
  const positions = topics.map((topic) => usableValues(topic, rules));
  const used = positions.flatMap((position, place) => (position === 'open' ? [] : [{ position, place }]));
  if (used.length === 0) return () => 1;
  const [only, ...others] = used;
  if (only && others.length === 0) return matchOne(only.position, only.place, rules, perAddress);

  assertComparable(topics, positions, rules);
  return (log) => Number(positions.every((values, place) => holds(values, log.topics[place])));
}

function usableValues(topic: TopicPosition, { oddLength }: TopicRules): Position {
  const values = typeof topic === 'string' ? [topic] : topic;
  const odd = values.some((value) => value.length !== 66);
  if (odd && oddLength === 'badRequest') throw new HttpFailure(400);
  if (oddLength !== 'leftOut') return values;
  const usable = values.filter((value) => value.length === 66);
  return usable.length === 0 ? 'open' : usable;
}

function matchOne(
  values: readonly string[],
  place: number,
  rules: TopicRules,
  perAddress: boolean,
): TopicMatch {
  const repeats = rules.repeatedValue === 'repeatsRows' && perAddress && values.length <= 16;
  return (log) => {
    const found = values.filter((value) => value === log.topics[place]).length;
    return repeats ? found : Math.min(found, 1);
  };
}

// The server joins neighbouring positions in pairs; the first of a pair is compared with "=".
function assertComparable(
  topics: readonly TopicPosition[],
  positions: readonly Position[],
  rules: TopicRules,
): void {
  for (const [place, values] of positions.entries()) {
    const last = place === positions.length - 1;
    if (values === 'open' && (!last || rules.emptyLast === 'crash')) throw new HttpFailure(500);
    if (last || values === 'open') continue;
    const given = topics[place];
    const isList = rules.oddLength === 'leftOut' ? values.length > 1 : typeof given !== 'string';
    if (isList && rules.earlierAlternatives === 'badRequest') throw new HttpFailure(400);
  }
}

function holds(values: Position, topic: string | undefined): boolean {
  return values !== 'open' && topic !== undefined && values.includes(topic);
}
