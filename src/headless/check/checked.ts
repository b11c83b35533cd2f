import type { AppError, Expectation } from '../../core/index.ts';

/** Problems of one question that are told. */
const MOST_TOLD = 20;

type State = 'ok' | 'differs' | 'incomplete' | 'invalid';

/** What came of a question. */
export interface Checked {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: State;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly expected: Expectation | null;
  readonly updated?: true;
  readonly error?: AppError;
}

/** Why a question was not asked. */
export type Wrong = AppError | readonly AppError[];

export type Place = Pick<Checked, 'file' | 'line' | 'title'>;

export function invalid(place: Place, wrong: Wrong): Checked {
  const problems = wrong instanceof Error ? [wrong] : wrong;
  const [first] = problems;
  return {
    ...place,
    state: 'invalid',
    reasons: problems.slice(0, MOST_TOLD).map(({ message }) => message),
    ...{ verdict: null, count: null, sha256: null, expected: null },
    ...(first && { error: first }),
  };
}

/** Its answer was not written down. */
export function unwritten(checked: Checked, error: AppError): Checked {
  return { ...checked, state: 'invalid', reasons: [...checked.reasons, error.message], error };
}
