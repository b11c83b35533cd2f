import type {
  Address,
  AppError,
  CodeComparison,
  CodeExpectation,
  ContractState,
  createIndexKnowledge,
  Expectation,
  ReadExpectation,
  ReadResult,
  RecordedResult,
  StateExpectation,
} from '../../core/index.ts';

export type CheckState = 'ok' | 'differs' | 'incomplete' | 'invalid' | 'nothingExpected';

/** A query or a check of a file with its result, compared with what is expected. */
export interface CheckResult {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly state: CheckState;
  readonly reasons: readonly string[];
  readonly verdict: object | null;
  readonly count: number | null;
  readonly sha256: string | null;
  readonly contentSha256: string | null;
  /** What a read returned; null if it returned nothing. Only reads have it. */
  readonly read?: ReadResult | null;
  /** Only comparisons of code have it; null without a result. */
  readonly code?: CodeComparison | null;
  /** Only checks of state have it; null without a result. */
  readonly contractState?: ContractState | null;
  readonly expected: Expectation | ReadExpectation | CodeExpectation | StateExpectation | null;
  readonly updated?: true;
  /** Names of several deployments, and the address that was taken. Only results with such names have it. */
  readonly names?: readonly {
    readonly name: string;
    readonly address: Address;
    readonly deployments: number;
  }[];
  readonly error?: AppError;
}

export type QueryPlace = Pick<CheckResult, 'file' | 'line' | 'title'>;

/** The names of several deployments that were looked up. */
export type ChosenNames = ReturnType<typeof createIndexKnowledge>['chosen'];

export function toChosenNames(chosen: ChosenNames): Pick<CheckResult, 'names'> {
  if (chosen.size === 0) return {};
  return { names: [...chosen].map(([name, { address, count }]) => ({ name, address, deployments: count })) };
}

/** What results without logs have. */
export const NO_RESULT = { verdict: null, count: null, sha256: null, contentSha256: null } as const;

export const NOTHING_EXPECTED_MESSAGE =
  'Nothing is expected of this query. Add "expect" to it, or run check with --update.';

export interface CheckedQuery {
  readonly result: CheckResult;
  /** The server stopped responding. */
  readonly isSilent?: boolean;
  /** What the file should expect; undefined if it does, or if the result is incomplete. */
  readonly recordable?: RecordedResult | undefined;
}
