import { Refused } from './refusals.ts';

/** A page of a list, as `page-number` from 0 and `page-size` ask for it. */
export type Page = {
  /** The part of the whole list that is on this page. */
  cut<T>(list: readonly T[]): readonly T[];
  /** `pagination` of the answer. The service does not count the whole. */
  describe(list: readonly unknown[]): Readonly<Record<string, unknown>>;
};

const largestPage = 100;

/** @throws Refused with 400 for a number that is none. */
export function readPage(params: URLSearchParams): Page {
  const number = readNumber(params, 'page-number', 0);
  const size = Math.min(largestPage, Math.max(1, readNumber(params, 'page-size', largestPage)));
  const end = (number + 1) * size;
  return {
    cut: (list) => list.slice(number * size, end),
    describe: ({ length }) => ({
      ...{ has_more: length > end, page_number: number, page_size: size, total_count: null },
    }),
  };
}

function readNumber(params: URLSearchParams, name: string, absent: number): number {
  const text = params.get(name) ?? `${absent}`;
  if (!/^\d{1,9}$/.test(text)) throw new Refused(400, `Invalid value of ${name}: ${text}`);
  return Number(text);
}
