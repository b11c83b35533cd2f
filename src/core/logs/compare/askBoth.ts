import type { Abortable } from '../../base/abortable.ts';
import { asAppError, throwIfAborted } from '../../base/errors.ts';
import { plainText } from '../../values/plainText.ts';
import type { OpinionReason } from './secondOpinion.ts';

/** Whom a failure is of. */
type Failure = 'failedHere' | 'failedThere';

/** Why nothing, or not all, can be said of two sources: found while they are asked. */
export interface FoundReasons {
  readonly list: readonly OpinionReason[];
  /** None stands in the way of a claim. */
  readonly areNone: boolean;
  add(reason: OpinionReason): void;
  /** Takes down that a source failed, once. @throws AppError `aborted` where the caller has ended it. */
  addFailure(code: Failure, cause: unknown): void;
}

const MOST_WORDS = 300;

export function createReasons({ signal }: Abortable): FoundReasons {
  const list: OpinionReason[] = [];
  return {
    list,
    get areNone() {
      // That newer blocks were left out says nothing against the others.
      return list.every(({ code }) => code === 'notSettled');
    },
    add: (reason) => void list.push(reason),
    addFailure(code, cause) {
      throwIfAborted(signal);
      if (list.some((reason) => reason.code === code)) return;
      list.push({ code, words: plainText(asAppError(cause).message, MOST_WORDS) });
    },
  };
}

/** The same of both, side by side; undefined, and a reason, of one that fails. */
export function askBoth<T>(
  reasons: FoundReasons,
  here: () => Promise<T>,
  there: () => Promise<T>,
): Promise<readonly [T | undefined, T | undefined]> {
  async function ask(code: Failure, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      reasons.addFailure(code, cause);
      return undefined;
    }
  }
  return Promise.all([ask('failedHere', here), ask('failedThere', there)]);
}
