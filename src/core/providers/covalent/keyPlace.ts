import { type Abortable, untilAborted } from '../../base/concurrency.ts';
import { type AppError, asAppError, isAppError } from '../../base/errors.ts';
import type { KeyPlace } from '../../base/provenance.ts';

/**
 * Finds out where a server accepts its key, by the requests themselves. Shared by all clients of one key, which
 * belongs to one origin.
 */
export interface KeyPlaceFinder {
  /** Where the server has accepted the key; undefined as long as it has not. */
  readonly found: KeyPlace | undefined;
  /**
   * Runs `request` with the place where the server accepts the key. Until that is known, runs it with the first
   * place and, if the server refuses the key there, once with the other. Requests that start meanwhile wait.
   *
   * @throws AppError as `request` does; if both places are refused, `forbidden` before `unauthorized`.
   */
  send<T>(request: (place: KeyPlace) => Promise<T>, options: Abortable): Promise<T>;
}

export interface KeyPlaceFinderOptions {
  /** Where to begin: default the header, because logs of servers and proxies record URLs. */
  readonly first?: KeyPlace;
  /** Called once, if the place is not `first`. */
  readonly onDidFind?: (place: KeyPlace) => void;
}

/**
 * @example
 * const keyIn = createKeyPlaceFinder();
 * await createDataApiClient({ ...options, keyIn }).checkKey();
 * keyIn.found; // 'query' if the server accepts the key only there
 */
export function createKeyPlaceFinder({
  first = 'header',
  onDidFind,
}: KeyPlaceFinderOptions = {}): KeyPlaceFinder {
  const second = first === 'header' ? 'query' : 'header';
  let found: KeyPlace | undefined;
  let isSecondRefused = false;
  /** Resolves with the error of the request that searches, if any. */
  let search: Promise<AppError | undefined> | undefined;

  function note(place: KeyPlace): void {
    if (found !== undefined) return;
    found = place;
    if (place !== first) onDidFind?.(place);
  }

  async function sendTo<T>(request: (place: KeyPlace) => Promise<T>, place: KeyPlace): Promise<T> {
    try {
      const result = await request(place);
      note(place);
      return result;
    } catch (error) {
      // A server may check the chain before the key, but has refused the key elsewhere before the second place.
      if (isAppError(error, 'creditsUsedUp') || (place === second && isAppError(error, 'notServed')))
        note(place);
      throw error;
    }
  }

  async function find<T>(request: (place: KeyPlace) => Promise<T>): Promise<T> {
    try {
      return await sendTo(request, first);
    } catch (firstError) {
      if (!isAppError(firstError, 'unauthorized', 'forbidden') || isSecondRefused) throw firstError;
      try {
        return await sendTo(request, second);
      } catch (secondError) {
        if (!isAppError(secondError, 'unauthorized', 'forbidden')) throw secondError;
        isSecondRefused = true;
        if (secondError.kind === firstError.kind) throw firstError;
        // Only a key that the server has read is known, but not entitled.
        const isReadInSecond = secondError.kind === 'forbidden';
        note(isReadInSecond ? second : first);
        throw isReadInSecond ? secondError : firstError;
      }
    }
  }

  return {
    get found() {
      return found;
    },
    async send(request, { signal }) {
      while (found === undefined && search !== undefined) {
        const error = await untilAborted(search, signal);
        if (isSecondRefused && isAppError(error, 'unauthorized')) throw error;
        // The server decided nothing. If the others went one after the other, their time limits would add up.
        if (!isAppError(error, 'aborted')) break;
      }
      if (found !== undefined) return request(found);
      const attempt = find(request);
      const current = attempt.then(() => undefined, asAppError);
      search = current;
      void current.then(() => {
        if (search === current) search = undefined;
      });
      return attempt;
    },
  };
}
