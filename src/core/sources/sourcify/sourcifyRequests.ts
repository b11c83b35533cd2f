import * as z from 'zod/mini';
import type { Abortable } from '../../base/abortable.ts';
import { AppError, asAppError, safeUrl, withSource } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import { getJson, type ReadRefusal } from '../../http/getJson.ts';
import { serverWords } from '../../http/serverWords.ts';
import { optionalField } from '../../values/outsideFields.ts';
import { urlBelow } from '../../values/urlBelow.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';

/** Sources of the largest contracts in use are some megabytes with their metadata. */
const MOST_BYTES = 16 * 1024 * 1024;

const Refusal = z.object({ customCode: z.string(), message: optionalField(z.string()) });
/** Nothing is verified: the shape of an answer, without one, under status 404. */
const Miss = z.union([z.object({ match: z.null() }), z.object({ results: z.array(z.unknown()) })]);

/** Asks a Sourcify server, at its pace and with second tries. */
export function createSourcifyRequests(options: SourceOptions) {
  const { url: baseUrl, revoked, rateLimit } = options;
  const label: SourceLabel = { name: 'sourcify', origin: safeUrl(baseUrl), takesKey: false };

  async function get(
    path: string,
    query: Readonly<Record<string, string>>,
    { signal: askedUntil }: Abortable,
  ): Promise<unknown> {
    const url = urlBelow(baseUrl, path, query);
    const signal = askedUntil ? AbortSignal.any([askedUntil, revoked]) : revoked;
    try {
      return await getJson(options, url, { signal, rateLimit, maxBytes: MOST_BYTES, refusal });
    } catch (error) {
      throw withSource(asAppError(error), label);
    }
  }
  return { label, get };
}

/**
 * A miss is no refusal. Codes: `unsupported_chain` (400) for a chain that the server does not know, `route_not_found`
 * (404) where it has no interface of version 2.
 */
function refusal(status: number, body: unknown): ReadRefusal {
  if (status === 404 && Miss.safeParse(body).success) return { isAnswer: true };
  const { data } = Refusal.safeParse(body);
  if (!data) return {};
  const words = data.message ?? data.customCode;
  if (data.customCode !== 'unsupported_chain' && data.customCode !== 'route_not_found') return { words };
  const details = { status, serverMessage: serverWords(words) };
  return { error: new AppError('notServed', 'Sourcify does not serve this.', details) };
}
