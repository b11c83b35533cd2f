import type { Abortable } from '../base/abortable.ts';
import { AppError, asAppError, safeUrl, throwIfAborted } from '../base/errors.ts';
import { createTurns, type Turn } from '../base/turns.ts';
import type { Wait } from '../base/waits.ts';
import { exchange, type HttpDeps, redacted, type TimedAnswer } from '../http/http.ts';
import { LARGE_ANSWER, parseJson } from '../http/httpAnswer.ts';
import { createOriginGates } from '../http/originGate.ts';
import { withRetry } from '../http/retry.ts';
import { readBlockLines } from './blockLines.ts';
import type { BlockRef, PortalClient, PortalEffort, StreamAnswer, StreamQuestion } from './portal.ts';
import { portalError } from './portalAnswer.ts';
import { bodyOf, headIn, previousBlocksIn, readMetadata, readRef } from './portalBodies.ts';
import { type PortalRoute, portalRoute } from './portalUrl.ts';

interface PortalOptions extends HttpDeps {
  /** Of the dataset. */
  readonly url: string;
  readonly timeoutMs?: number;
  /** In which large answers are read; default: the client's own turns. */
  readonly turn?: Turn;
  /** Waits before a second try; default: by the clock, unseen. */
  readonly wait?: Wait;
  /** Told of each answer to a stream request, and of one that is a refusal with its error. */
  readonly onAnswer?: (answer: TimedAnswer, error: AppError | undefined) => void;
}

/** As much as a JSON-RPC answer may have. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_SHORT_BYTES = 256 * 1024;

/** A client of the dataset at `options.url`. Asks nothing yet. */
export function createPortalClient(options: PortalOptions): PortalClient {
  const { clock, wait, url } = options;
  const origin = safeUrl(url);
  const turn = options.turn ?? createTurns(clock);
  const deps = { ...options, gates: options.gates ?? createOriginGates(clock) };
  const gate = deps.gates.of(url);
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };

  function get(
    route: PortalRoute,
    effort: PortalEffort,
    query?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    return withRetry({ clock, wait, gate, ...effort }, async () => {
      const answer = await exchange(deps, {
        ...{ url: portalRoute(url, route, query), method: 'GET', ...timeout },
        ...{ headers: { accept: 'application/json' }, maxBytes: MOST_SHORT_BYTES, signal: effort.signal },
      });
      try {
        if (answer.status !== 200) throw portalError(answer, origin, clock.now());
        return await parseJson(answer, { origin, clock, signal: effort.signal });
      } catch (cause) {
        throw await redacted(deps, asAppError(cause));
      }
    });
  }

  async function streamOnce(
    question: StreamQuestion,
    maxBytes: number,
    { signal }: Abortable,
  ): Promise<StreamAnswer> {
    const answer = await exchange(deps, {
      ...{ url: portalRoute(url, 'stream'), method: 'POST', signal, maxBytes, larger: 'cut', ...timeout },
      headers: { 'content-type': 'application/json', accept: 'application/jsonl' },
      body: JSON.stringify(bodyOf(question)),
    });
    try {
      const work = () => read(answer, question, { signal });
      const told = await (answer.body.length >= LARGE_ANSWER ? turn(work) : work());
      options.onAnswer?.(answer, undefined);
      return told;
    } catch (cause) {
      const error = await redacted(deps, asAppError(cause));
      options.onAnswer?.(answer, error);
      throw error;
    }
  }

  async function read(
    answer: TimedAnswer,
    { fromBlock, toBlock }: StreamQuestion,
    { signal }: Abortable,
  ): Promise<StreamAnswer> {
    throwIfAborted(signal);
    const { status, isCut } = answer;
    const head = headIn(answer.headers);
    if (status === 204) return { state: 'none', head };
    const previousBlocks = previousBlocksIn(answer);
    if (previousBlocks) return { state: 'fork', previousBlocks };
    if (status !== 200) throw portalError(answer, origin, clock.now());
    const blocks = await readBlockLines(answer, { origin, clock, isCut, signal });
    const last = blocks[blocks.length - 1]?.number;
    // The first block that is covered always stands in the answer: one without it has lost some.
    if (blocks[0]?.number !== fromBlock || last === undefined || last > toBlock) {
      throw new AppError('badResponse', `${origin} answered with other blocks than were asked for.`);
    }
    return { state: 'blocks', blocks, bytes: answer.body.length, head };
  }

  async function headAt(
    route: 'finalized-head' | 'head',
    effort: PortalEffort,
  ): Promise<BlockRef | undefined> {
    const body = await get(route, effort);
    if (body === null) return undefined;
    const ref = readRef(body);
    if (!ref) throw new AppError('badResponse', `${origin} named no block as its newest.`);
    return ref;
  }

  return {
    async head(effort = {}) {
      // It has none for a moment after it was started, while it knows what is final.
      const head = (await headAt('head', effort)) ?? (await headAt('finalized-head', effort));
      if (!head) throw new AppError('unavailable', `${origin} has no blocks yet.`);
      return head;
    },
    async metadata(effort = {}) {
      const metadata = readMetadata(await get('metadata', effort, { 'expand[]': 'metadata' }));
      if (!metadata) throw new AppError('badResponse', `${origin} is no SQD Portal.`);
      return metadata;
    },
    stream: (question, { maxBytes = MOST_BYTES, ...effort } = {}) =>
      withRetry({ clock, wait, gate, ...effort }, () => streamOnce(question, maxBytes, effort)),
  };
}
