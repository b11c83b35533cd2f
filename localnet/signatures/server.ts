import type { Intercept, RecordedRequest } from '../http/faults.ts';
import { type RecordingServer, type Reply, startRecordingServer } from '../http/recordingServer.ts';
import type { VerifiedRegistry } from '../verified/registry.ts';
import { signaturesOf } from '../verified/signaturesOf.ts';

// Facts are those of Sourcify's services/4byte: src/openapi.yaml and src/api/handlers.ts, the interface of openchain.

export type SignatureServer = RecordingServer & {
  /** What stands before `/signature-database/…`. */
  readonly url: string;
};

export type SignatureOptions = {
  /** Names of its contracts are those of verified contracts. */
  readonly registry: VerifiedRegistry;
  /** Further names, of no verified contract, as fragments of an ABI. */
  readonly unverified?: readonly unknown[];
  readonly port?: number;
  readonly intercept?: Intercept | undefined;
};

type Name = { readonly name: string; readonly filtered: boolean; readonly hasVerifiedContract: boolean };

/** A database of signatures. Errors are in it as functions. */
export async function startSignatures(options: SignatureOptions): Promise<SignatureServer> {
  const server = await startRecordingServer({
    port: options.port ?? 0,
    intercept: options.intercept,
    handle: async (request) => answer(request, options),
  });
  return Object.assign(server, { url: server.origin });
}

function answer(request: RecordedRequest, options: SignatureOptions): Reply {
  const { pathname, searchParams } = new URL(request.url, 'http://signatures');
  if (pathname === '/health') return { status: 200, body: 'OK' };
  if (request.method !== 'GET' || pathname !== '/signature-database/v1/lookup') {
    return json(404, { ok: false, error: 'Not found' });
  }
  const functions = list(searchParams.get('function'));
  const events = list(searchParams.get('event'));
  if (functions.length + events.length === 0) {
    return json(400, { ok: false, error: 'At least one of function or event is required' });
  }
  const found = (names: readonly Name[]) => (names.length > 0 ? names : undefined);
  return json(200, {
    ok: true,
    result: {
      // What is not known is null among functions and an empty list among events.
      function: Object.fromEntries(functions.map((hash) => [hash, found(bySelector(hash, options)) ?? null])),
      event: Object.fromEntries(events.map((hash) => [hash, byTopic(hash, options)])),
    },
  });
}

function bySelector(hash: string, options: SignatureOptions): readonly Name[] {
  return namesOf(options, ['function', 'error'], ({ signatureHash4 }) => signatureHash4 === hash);
}

function byTopic(hash: string, options: SignatureOptions): readonly Name[] {
  return namesOf(options, ['event'], ({ signatureHash32 }) => signatureHash32 === hash);
}

type Signature = ReturnType<typeof signaturesOf>[number];

function namesOf(
  { registry, unverified = [] }: SignatureOptions,
  kinds: readonly ('function' | 'event' | 'error')[],
  isMeant: (signature: Signature) => boolean,
): readonly Name[] {
  const names = (abi: readonly unknown[], hasVerifiedContract: boolean) =>
    kinds
      .flatMap((kind) => signaturesOf(abi, kind))
      .filter(isMeant)
      .map(({ signature }) => ({ name: signature, filtered: false, hasVerifiedContract }));
  const all = [
    // In the order in which they came to be known, which says nothing of what they are worth.
    ...names(unverified, false),
    ...registry.all().flatMap(({ contract }) => names(contract.abi, true)),
  ];
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

function list(text: string | null): readonly string[] {
  return (text ?? '').split(',').filter((hash) => hash !== '');
}

function json(status: number, body: unknown): Reply {
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  return { status, headers, body: JSON.stringify(body) };
}
