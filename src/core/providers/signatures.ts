import * as z from 'zod/mini';
import { parseAbiItem } from '../abi/item.ts';
import { AppError, asAppError, badInput, safeUrl, withProvider } from '../base/errors.ts';
import type { ProviderLabel } from '../base/provenance.ts';
import { joinUrl } from '../base/urls.ts';
import type { Hex } from '../eth/hex.ts';
import { fetchJson } from '../http/fetchJson.ts';
import { listField, optionalField } from '../http/fields.ts';
import { isHttpUrl } from '../networks/network.ts';
import type { HashRequest, NamedSignature, SignatureProvider } from '../verified/signatureCache.ts';
import type { ProviderOptions } from './provider.ts';

/**
 * A client of Sourcify's signature database, `GET /signature-database/v1/lookup` (by its OpenAPI description;
 * formerly openchain's API). Errors are looked up as functions: both have four-byte selectors.
 *
 * @throws AppError `badInput` for `signatureCache`.
 * @example
 * const client = createSignatureClient({ ...http, url, chainId: 1, key: undefined, throttle, revoked });
 * (await client.names({ events: [], selectors: ['0xa9059cbb'] })).selectors.get('0xa9059cbb');
 */
export function createSignatureClient(options: ProviderOptions): SignatureProvider {
  const { url: baseUrl, clock, revoked, throttle } = options;
  if (!isHttpUrl(baseUrl)) throw badInput('signatures', 'This is not an http or https URL.');
  const label: ProviderLabel = { name: 'signatures', origin: safeUrl(baseUrl), takesKey: false };

  function createUrl(events: readonly Hex[], selectors: readonly Hex[]): URL {
    return joinUrl(baseUrl, 'signature-database/v1/lookup', {
      ...(events.length > 0 && { event: events.join() }),
      ...(selectors.length > 0 && { function: selectors.join() }),
      filter: 'true',
    });
  }

  return {
    label,
    offers: { names: 'free' },
    async names(request, { signal: callerSignal } = {}) {
      const signal = callerSignal ? AbortSignal.any([callerSignal, revoked]) : revoked;
      const events = new Map<Hex, readonly NamedSignature[]>();
      const selectors = new Map<Hex, readonly NamedSignature[]>();
      const requested = [
        ...[...new Set(request.events)].map((hash) => ({ kind: 'event', hash }) as const),
        ...[...new Set(request.selectors)].map((hash) => ({ kind: 'function', hash }) as const),
      ];
      for (let at = 0; at < requested.length; at += MAX_HASHES_PER_REQUEST) {
        const part = requested.slice(at, at + MAX_HASHES_PER_REQUEST);
        const select = (kind: string) => part.filter((entry) => entry.kind === kind).map(({ hash }) => hash);
        const hashes = { events: select('event'), selectors: select('function') };
        try {
          const url = createUrl(hashes.events, hashes.selectors);
          const json = await fetchJson(options, url, {
            signal,
            throttle,
            maxBytes: MAX_RESPONSE_BYTES,
          });
          const read = parseSignatureNames(json, hashes);
          for (const [hash, names] of read.events) events.set(hash, names);
          for (const [hash, names] of read.selectors) selectors.set(hash, names);
        } catch (error) {
          throw withProvider(asAppError(error), label);
        }
      }
      return { source: label, readAt: clock.now(), events, selectors };
    },
  };
}

/** Names of one hash that are read: four bytes may have many, made to collide. */
const MAX_NAMES = 20;
const MAX_NAME_CHARS = 2048;

const Lookup = z.object({
  ok: z.literal(true),
  result: z.object({
    event: optionalField(z.record(z.string(), z.unknown())),
    function: optionalField(z.record(z.string(), z.unknown())),
  }),
});
const Name = z.object({
  name: z.string().check(z.maxLength(MAX_NAME_CHARS)),
  hasVerifiedContract: optionalField(z.boolean()),
});

/**
 * Parses the signatures for the requested hashes. The server returns null (functions) or an empty list
 * (events) for an unknown hash. A name that does not hash to its key is dropped.
 *
 * @throws AppError `badResponse`.
 */
function parseSignatureNames(json: unknown, request: HashRequest) {
  const { data, error } = Lookup.safeParse(json);
  if (!data) {
    throw new AppError('badResponse', 'The response of the server is not a list of signatures.', {
      cause: error,
    });
  }
  const { event = {}, function: functions = {} } = data.result;
  return {
    events: parseNames('event', event, request.events),
    selectors: parseNames('error', functions, request.selectors),
  };
}

function parseNames(
  kind: 'event' | 'error',
  byHash: Readonly<Record<string, unknown>>,
  hashes: readonly Hex[],
): ReadonlyMap<Hex, readonly NamedSignature[]> {
  const names = new Map<Hex, readonly NamedSignature[]>();
  for (const hash of hashes) {
    const entries = listField.safeParse(Object.hasOwn(byHash, hash) ? byHash[hash] : undefined).data ?? [];
    const read = entries.slice(0, MAX_NAMES).flatMap((entry) => parseName(kind, entry, hash));
    const ranked = read.toSorted((a, b) => Number(b.isVerified) - Number(a.isVerified));
    if (ranked.length > 0) names.set(hash, ranked);
  }
  return names;
}

function parseName(kind: 'event' | 'error', entry: unknown, hash: Hex): readonly NamedSignature[] {
  const { data } = Name.safeParse(entry);
  const item = data && parseAbiItem(`${kind} ${data.name}`);
  if (!data || !item) return [];
  const itemHash = item.kind === 'event' ? item.topic0 : item.selector;
  if (itemHash !== hash) return [];
  return [{ signature: item.signature, isVerified: data.hasVerifiedContract === true }];
}

/** With 66 characters per hash, the URL has about 4 KiB. */
const MAX_HASHES_PER_REQUEST = 50;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
