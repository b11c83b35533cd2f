import type { AbiEvent } from '../abi/item.ts';
import type { DecodedEvent } from '../abi/logDecoder.ts';
import type { AbiParameter, AbiType, EventParameter } from '../abi/type.ts';
import { safeUrl } from '../base/errors.ts';
import { toQuantity } from '../eth/hex.ts';
import type { Log } from '../logs/log.ts';
import type { LogFilter } from '../logs/query/filter.ts';
import type { Verdict } from '../logs/query/verdict.ts';
import { mayHoldKey } from '../networks/endpointUrl.ts';
import { explorerApiUrl, findSecretPlaceholder, type Network } from '../networks/network.ts';
import { getPortalRouteUrl, getPortalUrl, parseDatasetUrl } from '../networks/portalDatasets.ts';

/** A log query as other tools are to ask it. */
export interface CopyQuery {
  readonly filter: LogFilter;
  /** What its bounds stood for when it was asked; undefined where that is not known. */
  readonly resolved?: Pick<Verdict, 'fromBlock' | 'toBlock'> | undefined;
  /** The one event that it asks for, where that is known. */
  readonly event?: AbiEvent | undefined;
  readonly network: CopyNetwork;
  /** When the first and the last of its blocks were made, in milliseconds since the Unix epoch, where that is known. */
  readonly times?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
}

export type CopyNetwork = Pick<Network, 'name' | 'chainId' | 'rpcUrl' | 'rpcAuth'>;

/** A log with what it says. */
export interface CopyLog {
  readonly log: Log;
  readonly known: Pick<DecodedEvent, 'event' | 'values'>;
}

/**
 * Why something cannot be handed to a tool.
 *
 * - `blocks`: which blocks are meant is told by a run of the query alone.
 * - `chain`: the tool is not known to have the chain.
 * - `header`: the endpoint takes its secret in a header, which the tool does not send.
 * - `tooLong`: it would be longer than the tool, or the shell, takes.
 * - `name`: the event has a name that is none in Solidity.
 * - `type`: a value of its type cannot be written in Solidity.
 * - `layouts`: of the same event in two forms, one contract declares one.
 */
export type CopyError = 'blocks' | 'chain' | 'header' | 'layouts' | 'name' | 'tooLong' | 'type';

/** What is handed over, or why nothing is. */
export type CopyResult = { readonly text: string } | { readonly refused: CopyError };

/** The blocks of a handed query; the last is `latest` where its height is not known. */
export interface CopyBlocks {
  readonly from: bigint;
  readonly to: bigint | 'latest';
}

/**
 * The blocks that a query is handed over with: those that it stood for when it was asked, through the newest block of then,
 * so that other tools find the same rows. Undefined where a bound counts from the latest block, or is a time, and nothing
 * says what it stood for.
 *
 * @example toCopyBlocks({ filter: parseLogFilter({ fromBlock: 5 }) }) // { from: 5n, to: 'latest' }
 */
export function toCopyBlocks({
  filter,
  resolved,
}: Pick<CopyQuery, 'filter' | 'resolved'>): CopyBlocks | undefined {
  const from = resolved?.fromBlock ?? heightIn(filter.fromBlock);
  // A chain that had not come to the first block has none of them.
  const isReached = resolved && resolved.toBlock >= resolved.fromBlock;
  const to = isReached
    ? resolved.toBlock
    : (heightIn(filter.toBlock) ?? onlyLatest(filter.toBlock, resolved));
  return from === undefined || to === undefined ? undefined : { from, to };
}

function heightIn(tag: LogFilter['fromBlock']): bigint | undefined {
  return tag === 'earliest' ? 0n : typeof tag === 'bigint' ? tag : undefined;
}

function onlyLatest(tag: LogFilter['toBlock'], resolved: CopyQuery['resolved']): 'latest' | undefined {
  return tag === 'latest' || resolved ? 'latest' : undefined;
}

const MAX_COMMENT_CHARS = 160;
/** Without what any of the languages, or a shell that takes comments for commands, would act on. */
const UNSAFE_CHARS = /[^A-Za-z0-9 .,:/_-]+/g;

/**
 * A text for a comment of one line in a language of any kind. A shell may take a pasted comment for a command, so that
 * nothing stays that means something to one.
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

/** What a query asks for, in a few words. */
export function describeQuery(query: CopyQuery): string {
  const { event, filter, network } = query;
  const blocks = toCopyBlocks(query);
  const topic0 = filter.topics[0]?.length === 1 ? `Logs of ${filter.topics[0][0]}` : 'Logs';
  const range = blocks ? `, blocks ${blocks.from} to ${blocks.to}` : '';
  return formatComment(`${event?.name ?? topic0} on ${network.name}, chain ${network.chainId}${range}`);
}

type OneOrSeveral = string | readonly string[];

/** What of a filter `eth_getLogs` takes beside the blocks; a list of one is written as that one. */
interface RpcPlaces {
  readonly address?: OneOrSeveral;
  readonly topics?: readonly (OneOrSeveral | null)[];
}

/**
 * Addresses and topics as `eth_getLogs` takes them; what is any is left out.
 *
 * @example toRpcAddressAndTopics({ addresses: [], topics: [] }) // {}
 */
export function toRpcAddressAndTopics({
  addresses,
  topics,
}: Pick<LogFilter, 'addresses' | 'topics'>): RpcPlaces {
  return {
    ...(addresses.length > 0 && { address: oneOrSeveral(addresses) }),
    ...(topics.length > 0 && { topics: topics.map((values) => values && oneOrSeveral(values)) }),
  };
}

/** The parameter of `eth_getLogs`. */
export function toRpcFilter(filter: LogFilter, { from, to }: CopyBlocks) {
  const toBlock = to === 'latest' ? to : toQuantity(to);
  return { ...toRpcAddressAndTopics(filter), fromBlock: toQuantity(from), toBlock };
}

function oneOrSeveral(values: readonly string[]): OneOrSeveral {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

/** An endpoint without any secret: what is secret is to be in a variable of the environment. */
export interface CopyEndpoint {
  /** Undefined: it is in `RPC_URL`. */
  readonly url: string | undefined;
  /** A header that its secret goes into, which is in `RPC_KEY`. */
  readonly header: { readonly name: string; readonly before: string } | undefined;
  /** What the variables are to hold, and what the server may take otherwise. */
  readonly notes: readonly string[];
}

/** The JSON-RPC endpoint of a query's network as it may stand in a text that is handed on. */
export function toCopyEndpoint({ network, filter }: Pick<CopyQuery, 'network' | 'filter'>): CopyEndpoint {
  const { name, chainId, rpcUrl } = network;
  if (parseDatasetUrl(rpcUrl) !== undefined) {
    const note = `RPC_URL: a JSON-RPC endpoint of chain ${chainId}. ${name} is an SQD Portal, which speaks none.`;
    return { url: undefined, header: undefined, notes: [note] };
  }
  const endpoint = withoutSecret(network, rpcUrl, 'endpoint');
  if (explorerApiUrl(rpcUrl, '') === undefined || isPlain(filter)) return endpoint;
  const note = `${name} is an explorer, which may read lists, and null among topics, otherwise than a node does.`;
  return { ...endpoint, notes: [...endpoint.notes, note] };
}

/** The stream of an SQD Portal with the chain: the network's own, else the public one; undefined where there is none. */
export function toCopyPortal(network: CopyNetwork): CopyEndpoint | undefined {
  const own = parseDatasetUrl(network.rpcUrl);
  if (own !== undefined) return withoutSecret(network, getPortalRouteUrl(own, 'stream'), 'stream route');
  const dataset = getPortalUrl(network.chainId);
  return dataset === undefined
    ? undefined
    : { url: getPortalRouteUrl(dataset, 'stream'), header: undefined, notes: [] };
}

/** A URL in which a key is, or may be, is never handed on. */
function withoutSecret({ name, rpcAuth }: CopyNetwork, url: string, what: string): CopyEndpoint {
  const origin = safeUrl(url);
  const header = headerOf(rpcAuth);
  const isSecret = findSecretPlaceholder(url) !== undefined || mayHoldKey(url);
  return {
    url: isSecret ? undefined : url,
    header,
    notes: [
      ...(isSecret ? [`RPC_URL: the ${what} of ${name} at ${origin}, with its key.`] : []),
      ...(header ? [`RPC_KEY: the key of ${name} at ${origin}.`] : []),
    ],
  };
}

function headerOf(auth: CopyNetwork['rpcAuth']): CopyEndpoint['header'] {
  if (auth === undefined) return undefined;
  if (auth === 'bearer') return { name: 'authorization', before: 'Bearer ' };
  return { name: auth.slice('header:'.length), before: '' };
}

/** What every server understands alike. */
function isPlain({ addresses, topics }: CopyQuery['filter']): boolean {
  return addresses.length <= 1 && topics.every((values) => values?.length === 1);
}

/** Words that Solidity, or what reads its declarations, takes for more than a name. */
const RESERVED: ReadonlySet<string> = new Set(
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
const TYPE = /^(?:u?int|bytes|u?fixed)\d/;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Whether a word can be a name in Solidity.
 *
 * @example isSolidityIdentifier('match') // false
 */
export function isSolidityIdentifier(word: string): boolean {
  return NAME.test(word) && !RESERVED.has(word) && !TYPE.test(word);
}

/** An event as any reader of declarations takes it: a parameter or member has no name where it could be none. */
export function toReadableEvent(event: AbiEvent): AbiEvent | undefined {
  return isSolidityIdentifier(event.name)
    ? { ...event, inputs: event.inputs.map(readable<EventParameter>) }
    : undefined;
}

function readable<Parameter extends AbiParameter>(parameter: Parameter): Parameter {
  const name = isSolidityIdentifier(parameter.name) ? parameter.name : '';
  return { ...parameter, name, type: readableType(parameter.type) };
}

function readableType(type: AbiType): AbiType {
  if (type.kind === 'array') return { ...type, item: readableType(type.item) };
  return type.kind === 'tuple' ? { ...type, members: type.members.map(readable<AbiParameter>) } : type;
}
