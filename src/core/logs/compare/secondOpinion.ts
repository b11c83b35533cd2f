import type { Log } from '../query/log.ts';

/**
 * Why two sources could not be compared, or not all of what was asked for.
 *
 * - `nothingRead`: no block was read whole.
 * - `otherChain`: they tell two chain ids, `here` and `there`.
 * - `nothingSettled`: no block of the range is so old on both that no reorg can change it.
 * - `notSettled`: the blocks above the compared range are too new for one of both.
 * - `notWholeHere`, `notWholeThere`: the answer of one of both is not certain to be whole.
 * - `failedHere`, `failedThere`: one of both could not be asked, with `words` of why.
 */
export interface OpinionReason {
  readonly code:
    | 'failedHere'
    | 'failedThere'
    | 'notSettled'
    | 'notWholeHere'
    | 'notWholeThere'
    | 'nothingRead'
    | 'nothingSettled'
    | 'otherChain';
  /** English, in part of a server: plain text only. */
  readonly words?: string;
  readonly chainIds?: { readonly here: number; readonly there: number };
}

/** A row that two sources do not give alike: one of both is missing where only one gives it. */
export interface RowDifference {
  readonly kind: 'different' | 'onlyHere' | 'onlyThere';
  readonly here: Log | undefined;
  readonly there: Log | undefined;
}

/** How many rows two sources do not give alike. */
export interface DifferenceCounts {
  readonly onlyHere: number;
  readonly onlyThere: number;
  /** Rows at one place in the chain that are not the same. */
  readonly different: number;
}

/** What became of asking a second source the same. */
export interface SecondOpinion extends DifferenceCounts {
  /** `unknown`: nothing is claimed, for `reasons`; the counts are of what was seen. */
  readonly state: 'agree' | 'differ' | 'unknown';
  readonly reasons: readonly OpinionReason[];
  /** First and last block of what was compared, or of a sample of it. The last is below the first where nothing was. */
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Only some windows of these blocks were compared. */
  readonly sample: boolean;
  /** Blocks that were compared. */
  readonly blocks: bigint;
  /** Rows that both gave alike. */
  readonly alike: number;
  /** The first rows of each kind that are not alike. */
  readonly rows: readonly RowDifference[];
}

/**
 * A reason in English, for the headless runner and for logs.
 *
 * @example opinionReasonText({ code: 'notWholeThere' }) // 'the answer of the other endpoint is not certain to be whole'
 */
export function opinionReasonText({ code, words = '', chainIds }: OpinionReason): string {
  switch (code) {
    case 'otherChain':
      return `the endpoints are of two chains, ${chainIds?.here} and ${chainIds?.there}`;
    case 'nothingRead':
      return 'no block was read whole';
    case 'nothingSettled':
      return 'all blocks of the range are too new to be compared: a reorg may still change them';
    case 'notSettled':
      return 'the blocks above are too new to be compared: a reorg may still change them';
    case 'notWholeHere':
      return 'the answer of this endpoint is not certain to be whole';
    case 'notWholeThere':
      return 'the answer of the other endpoint is not certain to be whole';
    case 'failedHere':
      return `this endpoint could not be asked: ${words}`;
    case 'failedThere':
      return `the other endpoint could not be asked: ${words}`;
  }
}

/**
 * The JSON form of an opinion of the source at `origin`; the blocks are null where none was compared.
 *
 * @example const line = { ...verdict, second: opinionToJson(opinion, 'https://node.example') };
 */
export function opinionToJson(opinion: SecondOpinion, origin: string) {
  const { state, onlyHere, onlyThere, different, reasons, fromBlock, toBlock, sample } = opinion;
  const isAny = toBlock >= fromBlock;
  return {
    ...{ origin, state, onlyHere, onlyThere, different },
    reasons: reasons.map(opinionReasonText),
    fromBlock: isAny ? fromBlock.toString() : null,
    toBlock: isAny ? toBlock.toString() : null,
    sample,
  };
}
