import {
  asAppError,
  type ChainClient,
  type ChainQueryDefinition,
  checkExpectation,
  digestResult,
  type ExpectationResult,
  type LogFilter,
  type RecordedVerdict,
  type ResultDigest,
  verdictToJson,
} from '../../core/index.ts';
import type { Checked, Place } from './checked.ts';

/** Rows of one answer: none that is told by its digest in a file is larger. */
const MOST_ROWS = 50_000_000;

/** A question that can be asked. */
export interface Asked {
  readonly question: ChainQueryDefinition;
  readonly filter: LogFilter;
}

export interface Answered {
  readonly checked: Checked;
  /** Undefined where nobody knows it. */
  readonly answer?: RecordedVerdict;
}

/** Reads the answer to a question, and holds it against what is expected. `kept` is the verdict that it is to replace. */
export async function askQuestion(
  client: ChainClient,
  { question, filter, kept, ...place }: Place & Asked & { readonly kept?: RecordedVerdict | undefined },
  { signal }: { readonly signal: AbortSignal },
): Promise<Answered> {
  const expected = question.expect ?? (kept ? { count: kept.count, sha256: kept.sha256 } : null);
  let digest: ResultDigest;
  try {
    digest = await digestResult(client, filter, { mostRows: MOST_ROWS, signal });
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const nothing = { verdict: null, count: null, sha256: null, expected };
    return { checked: { ...place, state: 'incomplete', reasons: [error.message], ...nothing, error } };
  }
  const { verdict, count, sha256 } = digest;
  const { state, reasons } = judge(digest, { question, kept });
  const checked = { ...place, state, reasons, verdict: verdictToJson(verdict), count, sha256, expected };
  return state === 'incomplete'
    ? { checked }
    : { checked, answer: { count, sha256, toBlock: verdict.toBlock } };
}

/** A server that is behind a verdict has nothing to replace it. */
function judge(
  digest: ResultDigest,
  { question, kept }: Pick<Asked, 'question'> & { readonly kept: RecordedVerdict | undefined },
): Pick<ExpectationResult, 'state' | 'reasons'> {
  const { head } = digest.verdict;
  if (!kept || kept.toBlock <= head) return checkExpectation(digest, question.expect);
  const behind = `the newest block is ${head}, before the one to which the answer was read, ${kept.toBlock}`;
  return { state: 'incomplete', reasons: [behind] };
}
