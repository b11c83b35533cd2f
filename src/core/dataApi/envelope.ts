import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { AppError, type ErrorKind, safeUrl } from '../errors.ts';
import { type HttpAnswer, kindOfStatus, parseJson, retryAfterMs } from '../http.ts';
import { serverWords } from '../rpc/serverWords.ts';
import { optionalField } from './fields.ts';

const Envelope = z.object({
  data: z.optional(z.unknown()),
  error: optionalField(z.boolean()),
  error_message: optionalField(z.string()),
  // A number in recorded answers, a string in documented ones.
  error_code: optionalField(z.union([z.number(), z.string()])),
});
type Envelope = z.infer<typeof Envelope>;

/** Characters of a failed answer that is looked into for what it says of itself. */
const LONGEST_REFUSAL = 256 * 1024;

/**
 * `data` of an answer of the data API, unvalidated; undefined where the server says null, which means nothing held.
 *
 * An answer fails by its HTTP status, by `error: true` in its envelope (some servers say so under status 200), or by
 * not being that envelope.
 *
 * @throws AppError of the kind that the status, or `error_code` in place of one, stands for.
 */
export async function readData(
  answer: HttpAnswer,
  url: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<unknown> {
  const origin = safeUrl(url);
  const now = clock.now();
  const failed = answer.status < 200 || answer.status > 299;
  if (failed) throw refusal(answer, answer.status, readEnvelope(answer.body), origin, now);
  const body = await parseJson(answer, origin, clock, signal);
  const parsed = Envelope.safeParse(body);
  if (!parsed.success) throw notAnEnvelope(answer, origin, parsed.error);
  const envelope = parsed.data;
  if (envelope.error) throw refusal(answer, statusInBody(envelope), envelope, origin, now);
  if (envelope.error === undefined && !envelope.data) throw notAnEnvelope(answer, origin);
  return envelope.data ?? undefined;
}

function notAnEnvelope(answer: HttpAnswer, origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} answered in JSON, but not as the data API does.`, {
    status: answer.status,
    cause,
  });
}

/** What a failed answer says of itself; gateways in front of the service send web pages instead. */
function readEnvelope(body: string): Envelope | undefined {
  if (body.length > LONGEST_REFUSAL) return undefined;
  try {
    return Envelope.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

function refusal(
  answer: HttpAnswer,
  status: number,
  envelope: Envelope | undefined,
  origin: string,
  now: number,
): AppError {
  const said = envelope?.error_message;
  const words = said === undefined ? undefined : serverWords(said);
  const wait = retryAfterMs(answer.headers, now);
  return new AppError(kindOfRefusal(status, words), `${origin} refused the request (${status}).`, {
    status,
    ...(words === undefined ? {} : { serverMessage: words }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** `error_code` where it is an HTTP error status, as the service's codes are; 500 where it says nothing. */
function statusInBody(envelope: Envelope): number {
  const code = Number(envelope.error_code ?? Number.NaN);
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
}

/**
 * The kind that a status of the data API stands for. It answers 404 for a chain or route that it does not serve (its
 * error table), 501 for a chain in older reports, 406 for an address known to time out (FAQ of 2022), and outside
 * HTTP's own table 507 and 562 for faults of its own. Only 400 has two meanings that its words alone tell apart.
 */
function kindOfRefusal(status: number, words: string | undefined): ErrorKind {
  if (status === 404 || status === 501) return 'notServed';
  if (status === 400 && words && /\bchain not supported\b/i.test(words)) return 'notServed';
  if (status === 406) return 'tooHeavy';
  return kindOfStatus(status);
}
