import type { AppError } from '../core/index.ts';

/** How a run ended: `EXIT_CODES` has what each says. */
export type ExitCode = 0 | 1 | 2 | 3;

/** What a command found: an exit code, or whether the answer is yes. */
export type Outcome = boolean | ExitCode;

export function toExitCode(outcome: Outcome): ExitCode {
  return typeof outcome === 'number' ? outcome : outcome ? 0 : 1;
}

/** An error that the contract itself causes is an answer. */
export function getErrorExitCode({ kind }: Pick<AppError, 'kind'>): ExitCode {
  switch (kind) {
    case 'badInput':
    case 'needsKey':
      return 2;
    case 'notAContract':
    case 'reverted':
      return 1;
    default:
      return 3;
  }
}
