import { asAppError, badInput, safeUrl, withSource } from '../../base/errors.ts';
import type { SourceLabel } from '../../base/source.ts';
import { getJson } from '../../http/getJson.ts';
import { isHttpUrl } from '../../networks/network.ts';
import type { Hex } from '../../values/hex.ts';
import { urlBelow } from '../../values/urlBelow.ts';
import type { NamedSignature, SignatureSource } from '../../verified/signatureSource.ts';
import type { SourceOptions } from '../kind/sourceKind.ts';
import { readNames } from './readNames.ts';

/** Hashes of one request: with 66 characters each, an address of 4 KiB. */
const MOST_AT_ONCE = 50;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * A client of Sourcify's database of signatures, `GET /signature-database/v1/lookup` (its OpenAPI description; the
 * interface that openchain had). Errors are asked as functions: both have four bytes.
 *
 * @throws AppError `badInput` for `signatures`.
 * @example
 * const client = createSignatureClient({ ...http, url, chainId: 1, key: undefined, rateLimit, revoked });
 * (await client.names({ events: [], selectors: ['0xa9059cbb'] })).selectors.get('0xa9059cbb');
 */
export function createSignatureClient(options: SourceOptions): SignatureSource {
  const { url: baseUrl, clock, revoked, rateLimit } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('signatures', 'Not an http or https address.');
  const label: SourceLabel = { name: 'signatures', origin: safeUrl(baseUrl), takesKey: false };

  function urlOf(events: readonly Hex[], selectors: readonly Hex[]): URL {
    return urlBelow(baseUrl, 'signature-database/v1/lookup', {
      ...(events.length > 0 && { event: events.join() }),
      ...(selectors.length > 0 && { function: selectors.join() }),
      filter: 'true',
    });
  }

  return {
    label,
    offers: { names: 'free' },
    async names(asked, { signal: askedUntil } = {}) {
      const signal = askedUntil ? AbortSignal.any([askedUntil, revoked]) : revoked;
      const events = new Map<Hex, readonly NamedSignature[]>();
      const selectors = new Map<Hex, readonly NamedSignature[]>();
      const wanted = [
        ...[...new Set(asked.events)].map((hash) => ({ kind: 'event', hash }) as const),
        ...[...new Set(asked.selectors)].map((hash) => ({ kind: 'function', hash }) as const),
      ];
      for (let at = 0; at < wanted.length; at += MOST_AT_ONCE) {
        const part = wanted.slice(at, at + MOST_AT_ONCE);
        const of = (kind: string) => part.filter((one) => one.kind === kind).map(({ hash }) => hash);
        const hashes = { events: of('event'), selectors: of('function') };
        try {
          const url = urlOf(hashes.events, hashes.selectors);
          const json = await getJson(options, url, { signal, rateLimit, maxBytes: MOST_BYTES });
          const read = readNames(json, hashes);
          for (const [hash, names] of read.events) events.set(hash, names);
          for (const [hash, names] of read.selectors) selectors.set(hash, names);
        } catch (error) {
          throw withSource(asAppError(error), label);
        }
      }
      return { source: label, readAt: clock.now(), events, selectors };
    },
  };
}
