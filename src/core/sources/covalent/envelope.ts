import * as z from 'zod/mini';
import { AppError, type ErrorKind } from '../../base/errors.ts';
import {
  type BodyReader,
  type HttpAnswer,
  kindOfStatus,
  parseJson,
  refusalDetails,
  refusalJson,
} from '../../http/httpAnswer.ts';
import { optionalField } from '../../values/outsideFields.ts';

const Envelope = z.object({
  data: z.optional(z.unknown()),
  error: optionalField(z.boolean()),
  error_message: optionalField(z.string()),
  // A number in recorded answers, a string in documented ones.
  error_code: optionalField(z.union([z.number(), z.string()])),
});
type Envelope = z.infer<typeof Envelope>;

/**
 * `data` of an answer of the data API, unvalidated; undefined where the server says null, which means nothing held.
 *
 * An answer fails by its HTTP status, by `error: true` in its envelope (some servers say so under status 200), or by
 * not being that envelope.
 *
 * @throws AppError of the kind that the status, or `error_code` in place of one, stands for.
 * @example
 * const data = await readData(await exchange(http, request), { origin, clock, signal });
 */
export async function readData(answer: HttpAnswer, reader: BodyReader): Promise<unknown> {
  const { origin } = reader;
  const now = reader.clock.now();
  if (answer.status < 200 || answer.status > 299) {
    // Gateways in front of the service send web pages instead.
    const said = Envelope.safeParse(refusalJson(answer)).data;
    throw refusal(answer, said?.error_message, { origin, now });
  }
  const parsed = Envelope.safeParse(await parseJson(answer, reader));
  if (!parsed.success) throw notAnEnvelope(answer, origin, parsed.error);
  const envelope = parsed.data;
  if (envelope.error) {
    const { headers } = answer;
    throw refusal({ headers, status: statusInBody(envelope) }, envelope.error_message, { origin, now });
  }
  if (envelope.error === undefined && !envelope.data) throw notAnEnvelope(answer, origin);
  return envelope.data ?? undefined;
}

function notAnEnvelope(answer: HttpAnswer, origin: string, cause?: unknown): AppError {
  return new AppError('badResponse', `${origin} answered in JSON, but not as the data API does.`, {
    status: answer.status,
    cause,
  });
}

function refusal(
  answer: Omit<HttpAnswer, 'body'>,
  words: string | undefined,
  { origin, now }: { readonly origin: string; readonly now: number },
): AppError {
  const { status } = answer;
  const details = refusalDetails(answer, words, now);
  const kind = kindOfRefusal(status, details.serverMessage);
  return new AppError(kind, `${origin} refused the request (${status}).`, details);
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
