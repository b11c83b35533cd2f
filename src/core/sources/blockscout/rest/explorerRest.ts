import { AppError, isAppError, safeUrl, withSource } from '../../../base/errors.ts';
import type { SourceLabel } from '../../../base/source.ts';
import { createTimeSlices, type TimeSlices } from '../../../base/timeSlices.ts';
import { type ExplorerDeps, getFromExplorer } from '../../../explorer/explorerRoutes.ts';
import { explorerApi } from '../../../explorer/explorerUrls.ts';
import { isThingMissing } from '../../../explorer/refusalWords.ts';

export interface ExplorerRestOptions extends ExplorerDeps {
  /** The JSON-RPC of the explorer. */
  readonly url: string;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled. */
  readonly revoked: AbortSignal;
}

export interface UntilAborted {
  readonly signal?: AbortSignal | undefined;
}

/** Asks the REST interface of one explorer (`/api/v2`), whatever the route. */
export interface ExplorerRest {
  readonly label: SourceLabel;
  /** In milliseconds since the Unix epoch. */
  now(): number;
  slices(): TimeSlices;
  /**
   * The JSON, unvalidated, of `GET /api/v2{path}`.
   *
   * @throws AppError of any network kind; `notFound` for a thing that the explorer does not know, `notServed` where it
   *   has no such route, or no such interface at all.
   */
  get(path: string, query: Readonly<Record<string, string>>, options: UntilAborted): Promise<unknown>;
}

/** The largest holders have some thousands of tokens, at some 700 bytes each. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Has tokens listed that the instance calls scam: since v10 by the header, before by the cookie. */
const SHOW_ALL = { 'show-scam-tokens': 'true', cookie: 'show_scam_tokens=true' };

/**
 * @example
 * const rest = createExplorerRest({ ...http, url: 'https://explorer.example/api/eth-rpc', revoked });
 * await rest.get('/tokens/0x…', {}, { signal });
 */
export function createExplorerRest(options: ExplorerRestOptions): ExplorerRest {
  const { url: rpcUrl, revoked, clock } = options;
  const label = { name: 'blockscout', origin: safeUrl(rpcUrl), takesKey: false };
  return {
    label,
    now: () => clock.now(),
    slices: () => createTimeSlices(clock),
    async get(path, query, { signal }) {
      const url = explorerApi(rpcUrl, `/api/v2${path}`, query);
      if (!url) throw new AppError('notServed', 'The endpoint is no explorer.', { source: label });
      const ends = signal ? AbortSignal.any([signal, revoked]) : revoked;
      try {
        const limits = { signal: ends, maxBytes: MOST_BYTES, headers: SHOW_ALL };
        return await getFromExplorer(options, url, limits);
      } catch (error) {
        throw isAppError(error) ? withSource(asTold(error), label) : error;
      }
    },
  };
}

/** From v6 on an unknown route is 400. */
function asTold(error: AppError): AppError {
  const { status, serverMessage = '' } = error.details;
  const noRoute =
    (status === 404 && !isThingMissing(error)) ||
    (status === 400 && /^unknown api v2 action$/i.test(serverMessage.trim()));
  return noRoute ? new AppError('notServed', 'The explorer has no such route.', error.details) : error;
}
