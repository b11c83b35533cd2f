import type { Abortable } from '../../base/abortable.ts';
import { AppError, safeUrl } from '../../base/errors.ts';
import type { Wait } from '../../base/waits.ts';
import { exchange, type HttpDeps } from '../../http/http.ts';
import { kindOfStatus, parseJson, refusalDetails } from '../../http/httpAnswer.ts';
import { LONGEST_HOLD_MS } from '../../http/originGate.ts';
import { withRetry } from '../../http/retry.ts';

export interface ExplorerDeps extends HttpDeps {
  /** Waits before a second try; default: by the clock. */
  readonly wait?: Wait | undefined;
}

interface ExplorerGet extends Abortable {
  /** An answer of more bytes than this is `tooLarge`. */
  readonly maxBytes: number;
  readonly timeoutMs?: number;
}

/** What others wait for is waited for here too: they read on only when the answer is there. */
export const EXPLORER_RETRY = { longestWaitMs: 5000, longestHoldMs: LONGEST_HOLD_MS };

const EXPLORER_PATH = /\/api(?:\/v1)?\/eth[-_]rpc\/?$/;

/** Where a Blockscout explorer answers `path`, e.g. `/api`; undefined where `rpcUrl` is not the JSON-RPC of one. */
export function explorerApi(rpcUrl: string, path: string): URL | undefined {
  const url = new URL(rpcUrl);
  if (!EXPLORER_PATH.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(EXPLORER_PATH, path);
  return url;
}

/**
 * The JSON, unvalidated, that an explorer gives at `url`, from {@link explorerApi}.
 *
 * @throws AppError of any network kind, `notFound` where there is no such route.
 */
export function getFromExplorer(http: ExplorerDeps, url: URL, options: ExplorerGet): Promise<unknown> {
  const { clock, wait } = http;
  const { signal } = options;
  const gate = http.gates?.of(url.href);
  return withRetry({ clock, wait, gate, signal, ...EXPLORER_RETRY }, async () => {
    const headers = { accept: 'application/json' };
    const answer = await exchange(http, { url: url.href, method: 'GET', headers, ...options });
    const { status } = answer;
    if (status !== 200) {
      const details = refusalDetails(answer, undefined, clock.now());
      throw new AppError(kindOfStatus(status), `HTTP ${status}`, details);
    }
    return await parseJson(answer, { origin: safeUrl(url.href), clock, signal });
  });
}
