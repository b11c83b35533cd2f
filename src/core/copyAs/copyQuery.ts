import type { AbiEvent } from '../abi/item.ts';
import type { DecodedEvent } from '../abi/logDecoder.ts';
import type { AbiParameter, AbiType, EventParameter } from '../abi/type.ts';
import { safeUrl } from '../base/errors.ts';
import { toQuantity } from '../eth/hex.ts';
import { parseEtherscanChain } from '../etherscan/etherscanRpc.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { mayHoldKey } from '../networks/endpointUrl.ts';
import { explorerApiUrl, findSecretPlaceholder, type Network } from '../networks/network.ts';
import { getPortalRouteUrl, getPortalUrl, parseDatasetUrl } from '../networks/portalDatasets.ts';

/** A log query to copy for another tool. */
export interface CopyQuery {
  readonly filter: LogFilter;
  /** The blocks that its bounds resolved to when it ran; undefined if unknown. */
  readonly resolved?: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined;
  /** The one event of the query, if it is known. */
  readonly event?: AbiEvent | undefined;
  readonly network: CopyNetwork;
  /** When its first and last block were made, in milliseconds since the Unix epoch, if known. */
  readonly times?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
}

export type CopyNetwork = Pick<Network, 'name' | 'chainId' | 'rpcUrl' | 'rpcAuth'>;

/** A decoded log. */
export interface CopyLog {
  readonly log: Log;
  readonly known: Pick<DecodedEvent, 'event' | 'values'>;
}

/**
 * Why something cannot be copied for a tool.
 *
 * - `blocks`: only a run of the query resolves its blocks.
 * - `chain`: the tool is not known to support the chain.
 * - `header`: the endpoint takes its secret in a header, which the tool does not send.
 * - `tooLong`: longer than the tool, or the shell, accepts.
 * - `name`: the name of the event or function is not valid in Solidity.
 * - `type`: a value of its type cannot be written in Solidity.
 * - `value`: the read has no value to expect.
 * - `layouts`: one contract cannot declare the same event in two forms.
 */
export type CopyError = 'blocks' | 'chain' | 'header' | 'layouts' | 'name' | 'tooLong' | 'type' | 'value';

export type CopyResult = { readonly text: string } | { readonly error: CopyError };

/**
 * The blocks of a copied query: those that it resolved to when it ran, up to the newest block of that moment, so that
 * other tools find the same rows. Undefined if a bound is relative to the latest block, or a time, and unresolved.
 *
 * @example toCopyBlocks({ filter: parseLogFilter({ fromBlock: 5 }) }) // { from: 5n, to: 'latest' }
 */
export function toCopyBlocks({
  filter,
  resolved,
}: Pick<CopyQuery, 'filter' | 'resolved'>): CopyBlocks | undefined {
  const from = resolved?.fromBlock ?? toHeight(filter.fromBlock);
  // If the chain had not reached the first block, none of the blocks existed.
  const isReached = resolved && resolved.toBlock >= resolved.fromBlock;
  const to = isReached ? resolved.toBlock : (toHeight(filter.toBlock) ?? toOpenEnd(filter.toBlock, resolved));
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** `to` is `latest` if its height is unknown. */
export interface CopyBlocks {
  readonly from: bigint;
  readonly to: bigint | 'latest';
}

function toHeight(tag: LogFilter['fromBlock']): bigint | undefined {
  return tag === 'earliest' ? 0n : typeof tag === 'bigint' ? tag : undefined;
}

function toOpenEnd(tag: LogFilter['toBlock'], resolved: CopyQuery['resolved']): 'latest' | undefined {
  return tag === 'latest' || resolved ? 'latest' : undefined;
}

/**
 * A one-line comment in any language. A shell may run a pasted comment, so all characters that mean something to one
 * are removed.
 *
 * @example formatComment('a`rm -rf`\n$(b)') // 'a rm -rf b'
 */
export function formatComment(text: string): string {
  return text
    .slice(0, MAX_COMMENT_CHARS * 4)
    .replace(UNSAFE_CHARS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, MAX_COMMENT_CHARS);
}

const MAX_COMMENT_CHARS = 160;
/** Anything that a language, or a shell that runs pasted comments, could interpret. */
const UNSAFE_CHARS = /[^A-Za-z0-9 .,:/_-]+/g;

export function describeQuery(query: CopyQuery): string {
  const { event, filter, network } = query;
  const blocks = toCopyBlocks(query);
  const subject = filter.topics[0]?.length === 1 ? `Logs of ${filter.topics[0][0]}` : 'Logs';
  const range = blocks ? `, blocks ${blocks.from} to ${blocks.to}` : '';
  return formatComment(`${event?.name ?? subject} on ${network.name}, chain ${network.chainId}${range}`);
}

/**
 * Addresses and topics of a filter of `eth_getLogs`; what matches anything is omitted.
 *
 * @example toRpcAddressAndTopics({ addresses: [], topics: [] }) // {}
 */
export function toRpcAddressAndTopics({
  addresses,
  topics,
}: Pick<LogFilter, 'addresses' | 'topics'>): RpcAddressAndTopics {
  return {
    ...(addresses.length > 0 && { address: unwrapSingle(addresses) }),
    ...(topics.length > 0 && { topics: topics.map((values) => values && unwrapSingle(values)) }),
  };
}

type OneOrMany = string | readonly string[];

/** A list with one value is written as that value. */
interface RpcAddressAndTopics {
  readonly address?: OneOrMany;
  readonly topics?: readonly (OneOrMany | null)[];
}

/** The parameter of `eth_getLogs`. */
export function toRpcFilter(filter: LogFilter, { from, to }: CopyBlocks) {
  const toBlock = to === 'latest' ? to : toQuantity(to);
  return { ...toRpcAddressAndTopics(filter), fromBlock: toQuantity(from), toBlock };
}

function unwrapSingle(values: readonly string[]): OneOrMany {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

/** The JSON-RPC endpoint of a query's network, safe to copy. */
export function toCopyEndpoint({ network, filter }: Pick<CopyQuery, 'network' | 'filter'>): CopyEndpoint {
  const { name, rpcUrl } = network;
  const endpoint = toNetworkEndpoint(network);
  if (explorerApiUrl(rpcUrl, '') === undefined || isUnambiguous(filter)) return endpoint;
  const note = `${name} is an explorer, which may interpret lists and null topics differently from a node.`;
  return { ...endpoint, notes: [...endpoint.notes, note] };
}

/** The JSON-RPC endpoint of a network, safe to copy. */
export function toNetworkEndpoint(network: CopyNetwork): CopyEndpoint {
  const { name, chainId, rpcUrl } = network;
  const server = describeServerWithoutRpc(rpcUrl);
  if (server === undefined) return createEndpoint(network, rpcUrl, 'endpoint');
  const note = `RPC_URL: a JSON-RPC endpoint of chain ${chainId}. ${name} is ${server}, which has no JSON-RPC.`;
  return { url: undefined, header: undefined, notes: [note] };
}

function describeServerWithoutRpc(rpcUrl: string): string | undefined {
  if (parseDatasetUrl(rpcUrl) !== undefined) return 'an SQD Portal';
  return parseEtherscanChain(rpcUrl) === undefined ? undefined : "Etherscan's API";
}

/** An endpoint without secrets: these go into environment variables. */
export interface CopyEndpoint {
  /** Undefined: it is in `RPC_URL`. */
  readonly url: string | undefined;
  /** The header for its secret, which is in `RPC_KEY`. */
  readonly header: { readonly name: string; readonly prefix: string } | undefined;
  /** What the variables must contain, and how the server may deviate. */
  readonly notes: readonly string[];
}

/**
 * The stream route of an SQD Portal with the chain: the network's own portal, else the public one; undefined if there
 * is none.
 */
export function toCopyPortal(network: CopyNetwork): CopyEndpoint | undefined {
  const own = parseDatasetUrl(network.rpcUrl);
  if (own !== undefined) return createEndpoint(network, getPortalRouteUrl(own, 'stream'), 'stream route');
  const dataset = getPortalUrl(network.chainId);
  return dataset === undefined
    ? undefined
    : { url: getPortalRouteUrl(dataset, 'stream'), header: undefined, notes: [] };
}

/** A URL that contains a key, or may contain one, is never copied. */
function createEndpoint({ name, rpcAuth }: CopyNetwork, url: string, kind: string): CopyEndpoint {
  const origin = safeUrl(url);
  const header = toAuthHeader(rpcAuth);
  const isSecret = findSecretPlaceholder(url) !== undefined || mayHoldKey(url);
  return {
    url: isSecret ? undefined : url,
    header,
    notes: [
      ...(isSecret ? [`RPC_URL: the ${kind} of ${name} at ${origin}, with its key.`] : []),
      ...(header ? [`RPC_KEY: the key of ${name} at ${origin}.`] : []),
    ],
  };
}

function toAuthHeader(auth: CopyNetwork['rpcAuth']): CopyEndpoint['header'] {
  if (auth === undefined) return undefined;
  if (auth === 'bearer') return { name: 'authorization', prefix: 'Bearer ' };
  return { name: auth.slice('header:'.length), prefix: '' };
}

/** Whether every server reads the filter the same way. */
function isUnambiguous({ addresses, topics }: CopyQuery['filter']): boolean {
  return addresses.length <= 1 && topics.every((values) => values?.length === 1);
}

/**
 * Whether a word is a valid name in Solidity.
 *
 * @example isSolidityIdentifier('match') // false
 */
export function isSolidityIdentifier(word: string): boolean {
  return NAME.test(word) && !RESERVED_WORDS.has(word) && !SIZED_TYPE.test(word);
}

/** Words that Solidity, or a reader of its declarations, does not accept as a name. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    'abstract after alias anonymous apply as assembly assert at auto break byte calldata case catch constant constructor',
    'continue contract copyof default define defined delete do else emit enum error event external fallback false final',
    'for function hex if immutable implements import in indexed inline interface internal is layout let library macro mapping',
    'match memory modifier mutable new null of override partial payable pragma private promise public pure receive',
    'reference relocatable return returns sealed sizeof static storage string struct super supports switch this throw',
    'transient true try tuple type typedef typeof unchecked unicode using var view virtual while',
    '_ address bool bytes fixed int ufixed uint wei gwei ether seconds minutes hours days weeks years',
  ].flatMap((line) => line.split(' ')),
);
const SIZED_TYPE = /^(?:u?int|bytes|u?fixed)\d/;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * An event that every reader of declarations accepts: invalid names of parameters and members are dropped. Undefined if
 * the name of the event itself is invalid.
 */
export function toReadableEvent(event: AbiEvent): AbiEvent | undefined {
  return isSolidityIdentifier(event.name)
    ? { ...event, inputs: event.inputs.map(toReadableParameter<EventParameter>) }
    : undefined;
}

export function toReadableParameter<Parameter extends AbiParameter>(parameter: Parameter): Parameter {
  const name = isSolidityIdentifier(parameter.name) ? parameter.name : '';
  return { ...parameter, name, type: toReadableType(parameter.type) };
}

function toReadableType(type: AbiType): AbiType {
  if (type.kind === 'array') return { ...type, item: toReadableType(type.item) };
  return type.kind === 'tuple'
    ? { ...type, members: type.members.map(toReadableParameter<AbiParameter>) }
    : type;
}
