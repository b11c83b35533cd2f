import { safeUrl } from '../../base/errors.ts';
import { serverName } from '../../logs/server/dialect.ts';
import { plainText } from '../../values/plainText.ts';
import type { OperationDeps } from './operation.ts';

/** A value as JSON has it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** What every answer of an operation carries, whatever else it says. */
export type OperationAnswer = JsonObject & {
  /** Whether the answer is the whole one; `unknown` where nobody can tell. */
  readonly complete: boolean | 'unknown';
  /** Why it is not complete, or what is to be known about it. */
  readonly reasons: readonly string[];
  readonly network: JsonObject;
  /** The newest block that the server told while this was answered; null where it was not asked. */
  readonly head: string | null;
  /** Who was asked. */
  readonly source: JsonObject;
};

/** What an operation finds out; who was asked about which network is put around it. */
export interface Finding {
  readonly complete: boolean | 'unknown';
  readonly reasons?: readonly string[];
  readonly head?: bigint | undefined;
  readonly found: JsonObject;
}

/** A finding with the network and the source that it is of. */
export function answerOf(
  { network, client }: Pick<OperationDeps, 'client' | 'network'>,
  chainId: number | undefined,
  { complete, reasons = [], head, found }: Finding,
): OperationAnswer {
  const server = serverName(client.dialect());
  return {
    ...{ complete, reasons: reasons.map((reason) => plainText(reason, 400)) },
    network: {
      chainId: chainId ?? null,
      ...(network.name !== undefined && { name: plainText(network.name) }),
    },
    head: head?.toString() ?? null,
    source: {
      rpc: safeUrl(network.rpcUrl),
      ...(server !== undefined && { server: productName(server) }),
    },
    ...found,
  };
}

/** What a server calls itself: of that what names and versions are written with. */
function productName(words: string): string {
  return plainText(words.replaceAll(/[^\w ./+-]+/g, ' '), 60);
}
