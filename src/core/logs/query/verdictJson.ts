import { isoTime } from '../../times/timeText.ts';
import type { LogOrder } from './direction.ts';
import { type FoundBound, reasonText, type Verdict } from './verdict.ts';

/** A block that was looked for by time; times in ISO 8601, null where it is not known when the block was made. */
interface FoundBoundJson {
  readonly asked: string;
  readonly block: string;
  readonly timestamp: string | null;
  readonly source: string;
}

/** A verdict as JSON: block numbers as decimal strings, reasons in English. */
interface VerdictJson {
  readonly state: Verdict['state'];
  readonly reasons: readonly string[];
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly head: string;
  /** The last block that was asked for, where it is above the head. */
  readonly askedTo?: string;
  /** The blocks that the times of the query stood for. */
  readonly found?: { readonly from?: FoundBoundJson; readonly to?: FoundBoundJson };
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
    ...(verdict.found && { found: foundToJson(verdict.found) }),
    order: verdict.order,
    readThrough: verdict.readThrough?.toString() ?? null,
    rows: verdict.rows,
    requests: verdict.requests,
  };
}

function foundToJson({ from, to }: NonNullable<Verdict['found']>): NonNullable<VerdictJson['found']> {
  return { ...(from && { from: boundToJson(from) }), ...(to && { to: boundToJson(to) }) };
}

function boundToJson({ asked, block, time, source }: FoundBound): FoundBoundJson {
  return { asked: isoTime(asked) ?? '', block: block.toString(), timestamp: isoTime(time) ?? null, source };
}
