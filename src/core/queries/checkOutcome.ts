import type { AbiJson } from '../abi/value.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, toMessage } from '../base/errors.ts';
import type { Message } from '../base/text.ts';
import type { CodeComparison } from '../code/codeComparison.ts';
import { type ReadBlockClient, type ResolvedBlock, readAtBlock } from '../reads/readBlock.ts';
import type { ReadResult } from '../reads/readContract.ts';
import type { ContractState } from '../state/contractState.ts';

/**
 * A check of a file, compared with its expectation. `incomplete` means that it is not known: the endpoint did not answer,
 * has no state of the block, the results are not decoded, the code cannot be compared, or state may have other rows.
 * `invalid` means that it cannot run as it is written.
 */
export interface FiledCheckOutcome {
  readonly state: 'ok' | 'differs' | 'incomplete' | 'invalid';
  /** Why it is not `ok`; of `ok`, what it rests on that could not be checked. */
  readonly reasons: readonly Message[];
  /** What was returned; undefined if nothing was, or nothing read. */
  readonly read?: ReadResult | undefined;
  readonly code?: CodeComparison | undefined;
  readonly contractState?: ContractState | undefined;
  /** Why there is no result. */
  readonly error?: AppError | undefined;
  /** The expectation that fits, if it is another one; undefined where people wrote one of another form. */
  readonly update?: RecordedExpectation | undefined;
}

/** An expectation that is written into a file: of a read, of roles, or of other state. */
export type RecordedExpectation =
  | { readonly value: AbiJson }
  | { readonly members: Readonly<Record<string, readonly string[]>> }
  | { readonly count: number };

/** What every check needs to find its block. */
export interface CheckClient {
  readonly client: ReadBlockClient;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * The outcome of a check that failed.
 *
 * @param withFileField names the field as the file does.
 * @throws AppError `aborted`.
 * @example toErrorOutcome(badInput('read.contract', 'No address is called {0}.'), (error) => error).state; // 'invalid'
 */
export function toErrorOutcome(
  error: AppError,
  withFileField: (error: AppError) => AppError,
): FiledCheckOutcome {
  const reasons = [describeError(error)];
  switch (error.kind) {
    case 'aborted':
      throw error;
    case 'badInput':
      // A block without its path is well-formed: the chain has not reached it, or does not know it.
      return {
        state: error.details.field === 'block' ? 'incomplete' : 'invalid',
        reasons,
        error: withFileField(error),
      };
    case 'notAContract':
      return { state: 'differs', reasons, error };
    default:
      return { state: 'incomplete', reasons, error };
  }
}

/**
 * Runs a check at the block that a file names. If the outcome differs at the latest block, and the endpoint reports a newer
 * block meanwhile, the check runs again.
 *
 * @throws AppError `aborted`.
 * @example await checkAtBlock({ text: 'latest', deps, withFileField }, ({ block }) => compare(block))
 */
export async function checkAtBlock(
  {
    text,
    deps: { client, now },
    withFileField,
  }: {
    readonly text: string | number;
    readonly deps: CheckClient;
    readonly withFileField: (error: AppError) => AppError;
  },
  check: (resolved: ResolvedBlock) => Promise<FiledCheckOutcome>,
  options: Abortable,
): Promise<FiledCheckOutcome> {
  const toOutcome = (cause: unknown) => toErrorOutcome(asAppError(cause), withFileField);
  const isFinal = ({ state }: FiledCheckOutcome) => state !== 'differs';
  return readAtBlock(
    { text, client, now, isFinal },
    async (resolved) => atBlock(await check(resolved).catch(toOutcome), resolved.reasons),
    options,
  ).catch(toOutcome);
}

/**
 * An outcome at a block that may not be the one that is meant, which is then `incomplete`.
 *
 * @example atBlock({ state: 'ok', reasons: [] }, [createMessage('Later.')]).state // 'incomplete'
 */
export function atBlock(outcome: FiledCheckOutcome, reasons: readonly Message[]): FiledCheckOutcome {
  if (reasons.length === 0 || outcome.state === 'invalid') return outcome;
  const others = outcome.state === 'incomplete' ? outcome.reasons : [];
  return { ...outcome, state: 'incomplete', reasons: [...reasons, ...others], update: undefined };
}

/** What to say of an error. */
export function describeError(error: AppError): Message {
  return toMessage(error);
}

/** The outcome of a check with mistakes that are known without a request. */
export function toInvalidOutcome([first, ...others]: readonly [AppError, ...AppError[]]): FiledCheckOutcome {
  const reasons = [first, ...others].slice(0, MAX_REASONS).map(describeError);
  return { state: 'invalid', reasons, error: first };
}

/** More are counted. */
export const MAX_REASONS = 20;
