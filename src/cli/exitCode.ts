import type { AppError, LogProof } from '../core/index.ts';

/** What a run says by its exit code. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'the command succeeded; of check, every result is complete and as expected',
  1: 'the answer is no: a result of check differs or nothing is expected of it, the code is not the same or the build is older than its sources, another endpoint or the hashes of the chain have other logs, --prove=required has no proof, the call reverts or calls no contract, or nothing has this hash',
  2: 'the input is wrong: an argument, an option, a file or a query',
  3: 'the endpoint failed, or the result is not certain enough for what was asked: a result of check is incomplete, the code cannot be compared, the block of a time is not certain, not every block of transaction --failed is read, or it is unknown what is at an address',
  130: 'it was interrupted (Ctrl-C)',
};

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

/** What `--prove` demands: a proof if there can be one, or a proof in any case. */
export type ProofDemand = 'wanted' | 'required';

/** Whether no hash contradicts the result, and it is proven if it must be. */
export function isProvenEnough(proof: LogProof | undefined, demand: ProofDemand | undefined): boolean {
  if (demand === 'required') return proof?.level === 'proven';
  return proof?.level !== 'contradicted';
}
