import * as z from 'zod/mini';
import { encodeParameters } from '../../abi/encode.ts';
import { type AbiError, parseAbiItem } from '../../abi/item.ts';
import type { AbiParameter, AbiType, AbiValue } from '../../abi/type.ts';
import { AppError, isAppError } from '../../base/errors.ts';
import { isRecord } from '../../base/values.ts';
import { type Address, type Hex, parseAddress, parseHexData } from '../../eth/hex.ts';
import {
  heightField,
  hexField,
  listField,
  optionalField,
  timeField,
  uint256Field,
} from '../../http/fields.ts';
import { truncateServerMessage } from '../../http/response.ts';
import {
  createTransactionCache,
  type HashFacts,
  mayPayInToken,
  type Transaction,
  type TransactionFailure,
  type TransactionFee,
  type TransactionLog,
  type TransactionProvider,
  type TransactionStatus,
} from '../../transactions/transaction.ts';
import type { ProviderOptions } from '../provider.ts';
import { partyField } from './fields.ts';
import { createExplorerRest, cursorField, type PageCursor, parsePageCursor } from './rest.ts';

/**
 * Transactions by a Blockscout explorer's REST API: facts and first logs at once, further logs page by page,
 * and the block with this hash if there is no such transaction.
 *
 * @example
 * const provider = createExplorerTransactions({ ...http, url, chainId, key: undefined, throttle, revoked });
 * await provider.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
 */
export function createExplorerTransactions(
  options: Omit<ProviderOptions, 'key' | 'throttle'>,
): TransactionProvider {
  const { clock, revoked } = options;
  const rest = createExplorerRest(options);
  return createTransactionCache({ label: rest.label, clock, revoked }, (hash, { signal }) =>
    lookUp(hash, (path, query = {}) => rest.get(`/${path}`, query, { signal })),
  );
}

/** Pages of 50 logs. A log panel can show more. */
const MAX_PAGES = 20;
/** Data of all logs together. */
const MAX_DATA_CHARS = 16 * 1024 * 1024;

/** `path` is relative to `/api/v2/`. */
type Get = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;

async function lookUp(hash: Hex, get: Get): Promise<HashFacts> {
  const path = `transactions/${hash}`;
  const [facts, first] = await Promise.allSettled([
    orUndefined(get(path)),
    orUndefined(get(`${path}/logs`)).then((page) => parseLogsPage(page, hash)),
  ]);
  if (facts.status === 'rejected') throw facts.reason;
  const asked = [`/api/v2/${path}`];
  if (facts.value === undefined) return lookUpBlock(hash, get, asked);
  const transaction = parseRestTransaction(facts.value, hash);
  if (first.status === 'rejected') throw first.reason;
  const logs = await fetchRemainingLogs(first.value, (query) => get(`${path}/logs`, query), hash);
  return {
    kind: 'transaction',
    methods: [...asked, `/api/v2/${path}/logs`],
    transaction: { ...transaction, ...logs },
  };
}

/** Stops at a page without new logs: a server that does not know a cursor returns the first page again. */
async function fetchRemainingLogs(first: LogsPage, next: (query: PageCursor) => Promise<unknown>, hash: Hex) {
  const byIndex = new Map(first.logs.map((log) => [log.logIndex, log]));
  let cursor = first.next;
  let characters = countDataChars(first);
  for (let pages = 1; cursor !== undefined && pages < MAX_PAGES; pages++) {
    if (cursor === 'broken' || characters > MAX_DATA_CHARS) break;
    const page = parseLogsPage(await next(cursor), hash);
    const added = page.logs.filter(({ logIndex }) => !byIndex.has(logIndex));
    if (added.length === 0) break;
    for (const log of added) byIndex.set(log.logIndex, log);
    characters += countDataChars(page);
    cursor = page.next;
  }
  const logs = [...byIndex.values()].sort((a, b) => a.logIndex - b.logIndex);
  return { logs, isCut: cursor !== undefined };
}

function countDataChars({ logs }: LogsPage): number {
  return logs.reduce((sum, { data }) => sum + data.length, 0);
}

async function lookUpBlock(hash: Hex, get: Get, before: readonly string[]): Promise<HashFacts> {
  const path = `blocks/${hash}`;
  const asked = [...before, `/api/v2/${path}`];
  const block = parseRestBlock(await orUndefined(get(path)), hash);
  return block ? { kind: 'block', ...block, methods: asked } : { kind: 'unknown', methods: asked };
}

/**
 * Undefined if the explorer does not have the item.
 *
 * @throws AppError `notServed` if the explorer lacks the route, as with its REST API switched off.
 */
async function orUndefined(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    if (!isAppError(error, 'badResponse') || error.details.status !== 400) throw error;
    throw new AppError('notServed', 'The explorer has no REST API for transactions.', {
      ...error.details,
      cause: error,
    });
  }
}

const position = z.int().check(z.nonnegative());

// `block` until v6.9, later `block_number`. Parts of the fee exist on chains that charge them.
const RestTransaction = z.object({
  hash: z.string(),
  status: optionalField(z.enum(['ok', 'error'])),
  result: optionalField(z.string()),
  block: optionalField(heightField),
  block_number: optionalField(heightField),
  position: optionalField(position),
  timestamp: optionalField(timeField),
  from: optionalField(partyField),
  to: optionalField(partyField),
  created_contract: optionalField(partyField),
  value: optionalField(uint256Field),
  fee: optionalField(z.object({ type: z.string(), value: optionalField(uint256Field) })),
  gas_price: optionalField(uint256Field),
  gas_used: optionalField(uint256Field),
  gas_limit: optionalField(uint256Field),
  nonce: optionalField(heightField),
  type: optionalField(position),
  raw_input: optionalField(hexField()),
  revert_reason: z.unknown(),
  authorization_list: optionalField(listField),
  l1_fee: optionalField(uint256Field),
  scroll: optionalField(z.object({ l1_fee: optionalField(uint256Field) })),
  blob_gas_used: optionalField(uint256Field),
  blob_gas_price: optionalField(uint256Field),
  celo: z.optional(z.unknown()),
});
type RestTransaction = z.infer<typeof RestTransaction>;

/**
 * Parses `/api/v2/transactions/{hash}` of any release, without the logs.
 *
 * @throws AppError `badResponse` if it is malformed, for another hash, or without sender, value or input.
 */
function parseRestTransaction(body: unknown, hash: Hex): Omit<Transaction, 'isCut' | 'logs'> {
  const wire = RestTransaction.safeParse(body).data;
  const [from, value, input] = [wire?.from, wire?.value, wire?.raw_input];
  if (!wire || parseHexData(wire.hash, 32) !== hash || !from || value === undefined || input === undefined) {
    throw new AppError('badResponse', 'The response of the explorer is not the requested transaction.');
  }
  const block = wire.block_number ?? wire.block;
  const status = toStatus(wire, block);
  return {
    hash,
    status,
    block,
    from,
    value,
    input,
    position: wire.position,
    time: wire.timestamp,
    to: wire.to,
    created: wire.created_contract,
    fee: block === undefined ? undefined : toFee(wire),
    gasUsed: wire.gas_used,
    gasLimit: wire.gas_limit,
    gasPrice: wire.gas_price,
    nonce: wire.nonce,
    type: wire.type,
    authorizations: wire.type === 4 ? wire.authorization_list?.length : undefined,
    failure: status === 'failed' ? parseRevertReason(wire.revert_reason, wire.result) : undefined,
  };
}

/** A dropped or replaced transaction has `error` and no block. */
function toStatus({ status, result }: RestTransaction, block: bigint | undefined): TransactionStatus {
  if (block === undefined)
    return status === undefined && (result ?? 'pending') === 'pending' ? 'pending' : 'unknown';
  return status === 'ok' ? 'success' : status === 'error' ? 'failed' : 'unknown';
}

/** The explorer's `fee` includes everything except blobs; type `maximum` is an upper bound. */
function toFee(wire: RestTransaction): TransactionFee {
  const { gas_used: gasUsed, gas_price: gasPrice, blob_gas_used: blobGas, blob_gas_price: blobPrice } = wire;
  const l1 = wire.l1_fee ?? wire.scroll?.l1_fee;
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const actualFee = wire.fee?.type === 'actual' ? wire.fee.value : undefined;
  const token = readGasToken(wire);
  if (token === 'unknown')
    return { token, total: undefined, execution: undefined, l1: undefined, blobs: undefined };
  return {
    ...(token !== undefined && { token }),
    total: actualFee === undefined ? undefined : actualFee + (blobs ?? 0n),
    execution: gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice,
    l1,
    blobs,
  };
}

/** The token that paid the fee. Explorers of Celo name it, with `null` for the coin; others do not know of it. */
function readGasToken({ celo, type }: RestTransaction): TransactionFee['token'] | undefined {
  if (!isRecord(celo)) return mayPayInToken(type) ? 'unknown' : undefined;
  const { gas_token: token } = celo;
  if (!isRecord(token)) return token === null ? undefined : 'unknown';
  // `address` until v6.10.
  return parseAddress(token.address_hash ?? token.address) ?? 'unknown';
}

const RestBlock = z.object({ height: heightField, hash: z.string(), timestamp: optionalField(timeField) });

/** Parses `/api/v2/blocks/{hash}`; undefined if it is not the block with this hash. */
function parseRestBlock(body: unknown, hash: Hex) {
  const block = RestBlock.safeParse(body).data;
  if (!block || parseHexData(block.hash, 32) !== hash) return undefined;
  return { block: block.height, time: block.timestamp };
}

interface LogsPage {
  readonly logs: readonly TransactionLog[];
  /** The cursor of the next page; undefined at the end. */
  readonly next: ReturnType<typeof parsePageCursor>;
}

const Page = z.object({ items: z.array(z.unknown()), next_page_params: cursorField });
const Log = z.object({
  address: z.object({ hash: z.string() }),
  topics: z.array(z.nullable(z.string())).check(z.maxLength(4)),
  data: z.string(),
  index: z.int().check(z.nonnegative(), z.maximum(0xffff_ffff)),
  // `tx_hash` until v6.9.
  transaction_hash: z.nullish(z.string()),
  tx_hash: z.nullish(z.string()),
});
/** Twice the largest page of any release. */
const MAX_PAGE_ITEMS = 200;

/**
 * Parses `/api/v2/transactions/{hash}/logs`; an unknown transaction has no logs.
 *
 * @throws AppError `badResponse` if it is not a page, or has a malformed log or one of another transaction.
 */
function parseLogsPage(body: unknown, hash: Hex): LogsPage {
  if (body === undefined) return { logs: [], next: undefined };
  const page = Page.safeParse(body).data;
  if (!page || page.items.length > MAX_PAGE_ITEMS) {
    throw new AppError('badResponse', 'The response of the explorer is not a page of logs.');
  }
  return {
    logs: page.items.map((item) => parseLog(item, hash)),
    next: parsePageCursor(page.next_page_params),
  };
}

function parseLog(item: unknown, hash: Hex): TransactionLog {
  const log = Log.safeParse(item).data;
  const transactionHash = log?.transaction_hash ?? log?.tx_hash ?? hash;
  const address = parseAddress(log?.address.hash);
  const data = parseHexData(log?.data);
  const topics = log?.topics.filter((topic) => topic !== null).map((topic) => parseHexData(topic, 32));
  const isWhole = log && address && data !== undefined && topics?.every((topic) => topic !== undefined);
  if (!isWhole || parseHexData(transactionHash, 32) !== hash) {
    throw new AppError(
      'badResponse',
      'The response of the explorer has an invalid log, or one of another transaction.',
    );
  }
  return { address: address as Address, topics: topics as readonly Hex[], data, logIndex: log.index };
}

const Raw = z.object({ raw: z.string() });
const Decoded = z.object({
  method_id: z.string().check(z.regex(/^(?:0x)?[0-9a-fA-F]{8}$/)),
  method_call: z.string(),
  parameters: optionalField(listField),
});
type Decoded = z.infer<typeof Decoded>;
const Parameter = z.object({ value: z.unknown() });
const MAX_VALUES = 1_000;

/**
 * Parses `revert_reason` of a transaction: the returned data as hex, alone or as `raw`; or decoded with the
 * ABI of a verified contract or as one of Solidity's own errors, from which the data is encoded again.
 *
 * @param result the execution status as the explorer reports it.
 * @example parseRevertReason({ raw: '0x4e487b71' }, 'Reverted').state // 'told'
 */
export function parseRevertReason(reason: unknown, result: string | undefined): TransactionFailure {
  const base = { state: 'told', by: 'explorer', isCut: false } as const;
  const message = result === undefined ? undefined : truncateServerMessage(result);
  const raw = typeof reason === 'string' ? reason : Raw.safeParse(reason).data?.raw;
  if (raw !== undefined) {
    const data = parseHexData(raw.startsWith('0x') ? raw : `0x${raw}`);
    return data === undefined
      ? { ...base, data, message: truncateServerMessage(raw) }
      : { ...base, data, message };
  }
  const decoded = Decoded.safeParse(reason).data;
  if (!decoded) return { ...base, data: undefined, message };
  const selector = parseHexData(`0x${decoded.method_id.replace(/^0x/, '')}`, 4) as Hex;
  const args = encodeArguments(decoded, selector);
  if (args !== undefined) return { ...base, data: `${selector}${args.slice(2)}`, message };
  return { ...base, data: selector, isCut: true, message: truncateServerMessage(decoded.method_call) };
}

/** The encoded arguments; undefined if they do not match an error with this selector. */
function encodeArguments({ method_call: call, parameters = [] }: Decoded, selector: Hex): Hex | undefined {
  const error = parseAbiItem(`error ${call}`) as AbiError | undefined;
  if (error?.selector !== selector || error.inputs.length !== parameters.length) return undefined;
  const values = parameters.map((parameter, index) =>
    parseArgument((error.inputs[index] as AbiParameter).type, Parameter.safeParse(parameter).data?.value),
  );
  if (values.includes(undefined)) return undefined;
  try {
    return encodeParameters(error.inputs, values as readonly AbiValue[]);
  } catch (cause) {
    if (isAppError(cause, 'badInput')) return undefined;
    throw cause;
  }
}

/** Integers are decimal text, lists and tuples are arrays. */
function parseArgument(type: AbiType, json: unknown): AbiValue | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return type.decimals === undefined && typeof json === 'string' && /^-?\d{1,78}$/.test(json)
        ? BigInt(json)
        : undefined;
    case 'bool':
      return json === true || json === 'true' ? true : json === false || json === 'false' ? false : undefined;
    case 'address':
      return parseAddress(json);
    case 'string':
      return typeof json === 'string' ? json : undefined;
    case 'bytes':
      return parseHexData(json);
    case 'fixedBytes':
      return parseHexData(json, type.size);
    default: {
      if (!Array.isArray(json) || json.length > MAX_VALUES) return undefined;
      const types =
        type.kind === 'tuple' ? type.members.map((member) => member.type) : json.map(() => type.item);
      const values = json.map((value, index) => parseArgument(types[index] ?? type, value));
      return values.includes(undefined) || values.length !== types.length
        ? undefined
        : (values as readonly AbiValue[]);
    }
  }
}
