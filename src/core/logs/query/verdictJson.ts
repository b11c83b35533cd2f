import type { LogOrder } from './direction.ts';
import { reasonText, type Verdict } from './verdict.ts';

/** A verdict as JSON: block numbers as decimal strings, reasons in English. */
interface VerdictJson {
  readonly state: Verdict['state'];
  readonly reasons: readonly string[];
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly head: string;
  /** The last block that was asked for, where it is above the head. */
  readonly askedTo?: string;
  readonly order: LogOrder;
  /** The last block that was read, in that order. Null before any block is read whole. */
  readonly readThrough: string | null;
  readonly rows: number;
  readonly requests: number;
}

/**
 * The JSON form of a verdict, of which each place shows a part.
 *
 * @example const { state, reasons } = verdictToJson(verdict);
 */
export function verdictToJson(verdict: Verdict): VerdictJson {
  return {
    state: verdict.state,
    reasons: verdict.reasons.map(reasonText),
    fromBlock: verdict.fromBlock.toString(),
    toBlock: verdict.toBlock.toString(),
    head: verdict.head.toString(),
    ...(verdict.askedTo === undefined ? {} : { askedTo: verdict.askedTo.toString() }),
    order: verdict.order,
    readThrough: verdict.readThrough?.toString() ?? null,
    rows: verdict.rows,
    requests: verdict.requests,
  };
}
