import { getJson, type JsonDeps } from '../http/getJson.ts';
import { LONGEST_HOLD_MS } from '../http/originGate.ts';
import { refusalWords } from './refusalWords.ts';

export type ExplorerDeps = JsonDeps;

type ExplorerGet = Pick<Parameters<typeof getJson>[2], 'headers' | 'maxBytes' | 'signal' | 'timeoutMs'>;

/** What others wait for is waited for here too: they read on only when the answer is there. */
export const EXPLORER_RETRY = { longestWaitMs: 5000, longestHoldMs: LONGEST_HOLD_MS };

/**
 * The JSON, unvalidated, that an explorer gives at `url`, from `explorerApi`.
 *
 * @throws AppError as `getJson`; with the words of the explorer, where it has some, in `serverMessage` of its details.
 * @example await getFromExplorer(http, url, { maxBytes: 1024 * 1024 });
 */
export function getFromExplorer(http: ExplorerDeps, url: URL, options: ExplorerGet): Promise<unknown> {
  const { longestWaitMs } = EXPLORER_RETRY;
  const refusal = (_status: number, body: unknown) => ({ words: refusalWords(body) });
  return getJson(http, url, { ...options, longestWaitMs, refusal });
}
