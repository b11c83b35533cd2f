import * as z from 'zod/mini';
import {
  type Address,
  getChainKey,
  type Hex,
  hashText,
  type Network,
  parseAddress,
  parseHexData,
  type RepeatedCall,
  toQuantity,
  ZERO_ADDRESS,
} from '../../core/index.ts';
import { parseJson } from './findItems.ts';

/** What a document of this feature shows: a transaction, a simulation of it, or a simulation of a call. */
export type Shown =
  | { readonly hash: Hex; readonly simulate?: 'own' | 'latest' | undefined }
  | { readonly call: RepeatedCall };

export const HASH_BYTES = 32;
/** Of the name that a restored document shows. */
const MAX_NETWORK_CHARS = 200;
/** A transaction has at most 128 KiB. */
const MAX_CALL_CHARS = 2 * 128 * 1024;
/** Longer ones are not restored. */
const MAX_KEY_CHARS = 32 * 1024;

const quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/));

/** A call as `eth_call` takes it. */
export const CallSchema = z.object({
  to: z.string(),
  from: z.optional(z.string()),
  data: z.string().check(z.maxLength(MAX_CALL_CHARS)),
  value: z.optional(quantity),
  gas: z.optional(quantity),
});
export type CallJson = z.infer<typeof CallSchema>;

export function callToJson({ from, to, input, value, gasLimit }: RepeatedCall): CallJson {
  return {
    ...{ to: to ?? '', data: input, value: toQuantity(value) },
    ...(from !== ZERO_ADDRESS && { from }),
    ...(gasLimit !== undefined && { gas: toQuantity(gasLimit) }),
  };
}

/** Undefined if a part is malformed. Nodes take the zero address for a sender that is missing. */
export function parseCall({ from, to, data, value, gas }: CallJson): RepeatedCall | undefined {
  const sender: Address | undefined = from === undefined ? ZERO_ADDRESS : parseAddress(from);
  const target = parseAddress(to);
  const input = parseHexData(data);
  if (!sender || !target || input === undefined) return undefined;
  const gasLimit = gas === undefined ? undefined : BigInt(gas);
  return { from: sender, to: target, input, value: BigInt(value ?? 0), gasLimit };
}

const KeySchema = z.object({
  hash: z.optional(z.string()),
  simulate: z.optional(z.enum(['own', 'latest'])),
  call: z.optional(CallSchema),
  chain: z.string(),
  network: z.string().check(z.maxLength(MAX_NETWORK_CHARS)),
});

/** What a document is restored from after a reload; undefined for a call that is too long to be stored. */
export function formatShownKey(shown: Shown, network: Network): string | undefined {
  const of = 'call' in shown ? { call: callToJson(shown.call) } : shown;
  const chain = getNetworkDigest(network);
  const key = JSON.stringify({ ...of, chain, network: network.name.slice(0, MAX_NETWORK_CHARS) });
  return key.length > MAX_KEY_CHARS ? undefined : key;
}

/** The key may come from anywhere. */
export function parseShownKey(
  key: string,
): { readonly shown: Shown; readonly chain: string; readonly network: string } | undefined {
  const stored = KeySchema.safeParse(parseJson(key)).data;
  if (!stored) return undefined;
  const { hash: text = '', simulate, call: json, chain, network } = stored;
  const hash = parseHexData(text, HASH_BYTES);
  const call = json && parseCall(json);
  const shown = hash ? { hash, simulate } : call && { call };
  return shown && { shown, chain, network };
}

/** Tells chains apart, and nodes of development chains. Only a digest is stored: the URL of a node may hold a key. */
export function getNetworkDigest(network: Network): string {
  return hashText(getChainKey(network));
}
