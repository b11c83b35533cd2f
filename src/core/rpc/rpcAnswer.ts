import * as z from 'zod/mini';
import { AppError } from '../base/errors.ts';
import { type HttpAnswer, kindOfStatus, refusalDetails, refusalJson } from '../http/httpAnswer.ts';
import { serverWaitMs } from '../http/rateHeaders.ts';
import { serverData, serverWords } from '../http/serverWords.ts';
import { optionalField } from '../values/outsideFields.ts';
import { isRateLimitError } from './rateLimitError.ts';

// The error is a bare string on Blockscout up to v11, an object from v12 and on every node.
const ErrorField = z.union([
  z.string(),
  z.object({
    code: optionalField(z.number()),
    message: optionalField(z.string()),
    data: z.optional(z.unknown()),
  }),
]);
const Envelope = z.object({
  id: z.optional(z.union([z.number(), z.string(), z.null()])),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(ErrorField)),
});

/** What came, and when. */
export interface Answered {
  readonly answer: HttpAnswer;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

interface Asked extends Answered {
  readonly id: number;
  readonly origin: string;
}

/**
 * The result in one answer, unvalidated.
 *
 * @throws AppError `rpc` or `rateLimited` where the server refuses the call, `badResponse` where it is no answer to it.
 */
export function readResult(body: unknown, { id, origin, answer, now }: Asked): unknown {
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) throw notJsonRpc(origin, envelope.error);
  const { error, result } = envelope.data;
  if (error !== undefined && error !== null) throw rpcError(error, answer, now);
  if (result === undefined) throw notJsonRpc(origin);
  if (!isIdOf(envelope.data.id, id)) {
    throw new AppError('badResponse', `${origin} answered another request (wrong JSON-RPC id).`);
  }
  return result;
}

/** Whether an answer names this request; some servers write every id as a string. */
export function isIdOf(written: unknown, id: number): boolean {
  return written === id || written === `${id}`;
}

function notJsonRpc(origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} did not answer in JSON-RPC.`, { cause });
}

/** A rate limit is one whatever the status; how long it asks to wait stands in the headers, if anywhere. */
function rpcError(error: z.infer<typeof ErrorField>, answer: HttpAnswer, now: number): AppError {
  const { code, message, data } =
    typeof error === 'string' ? { code: undefined, message: error, data: undefined } : error;
  const words = serverWords(message ?? 'no reason given');
  const kept = serverData(data);
  const isRateLimit = isRateLimitError({ code, message: words });
  const retryAfterMs = isRateLimit ? serverWaitMs(answer.headers, now) : undefined;
  return new AppError(isRateLimit ? 'rateLimited' : 'rpc', `The server refused the call: ${words}`, {
    serverMessage: words,
    ...(code === undefined ? {} : { code }),
    ...(kept === undefined ? {} : { data: kept }),
    ...(answer.status === 200 ? {} : { status: answer.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** An answer outside 2xx. Nodes put a JSON-RPC error into a 400 or 413; it says more than the status does. */
export function httpError(answer: HttpAnswer, { origin, now }: Pick<Asked, 'now' | 'origin'>): AppError {
  const { status } = answer;
  const said = errorIn(refusalJson(answer));
  if (said && typeof said !== 'string' && (status === 400 || status === 413))
    return rpcError(said, answer, now);
  const words = typeof said === 'string' ? said : said?.message;
  return new AppError(
    kindOfStatus(status),
    `${origin} answered with HTTP ${status}.`,
    refusalDetails(answer, words, now),
  );
}

const OtherBodies = z.union([z.object({ error: ErrorField }), z.object({ message: z.string() }), z.string()]);

/** The error in an answer that is no JSON-RPC: Blockscout sends bare strings or its Etherscan-style object. */
function errorIn(body: unknown): z.infer<typeof ErrorField> | undefined {
  const parsed = OtherBodies.safeParse(body);
  if (!parsed.success) return undefined;
  if (typeof parsed.data === 'string') return parsed.data;
  return 'error' in parsed.data ? parsed.data.error : parsed.data.message;
}
