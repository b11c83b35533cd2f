import * as z from 'zod/mini';
import { encodeParameters } from '../../abi/encode.ts';
import { type AbiError, parseAbiItem } from '../../abi/item.ts';
import type { AbiParameter, AbiType, AbiValue } from '../../abi/type.ts';
import { AppError, isAppError } from '../../base/errors.ts';
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
  type FoundByHash,
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

/** Pages of 50 logs. What has more is looked at in a log panel. */
const MAX_PAGES = 20;
/** Of the data of all logs together. */
const MAX_DATA_CHARS = 16 * 1024 * 1024;

/**
 * Transactions as a Blockscout explorer tells of them by its REST interface: the facts and the first logs at once, more
 * logs page by page, and the block of that hash where there is no such transaction.
 *
 * @example
 * const source = createExplorerTransactions({ ...http, url, chainId, key: undefined, throttle, revoked });
 * await source.lookUpHash(hash); // { kind: 'transaction', transaction: { status: 'success', … }, … }
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

/** `path` below `/api/v2`. */
type Get = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;

async function lookUp(hash: Hex, get: Get): Promise<FoundByHash> {
  const path = `transactions/${hash}`;
  const [facts, first] = await Promise.allSettled([
    orNothing(get(path)),
    orNothing(get(`${path}/logs`)).then((page) => parseLogsPage(page, hash)),
  ]);
  if (facts.status === 'rejected') throw facts.reason;
  const asked = [`/api/v2/${path}`];
  if (facts.value === undefined) return asBlock(hash, get, asked);
  const transaction = parseRestTransaction(facts.value, hash);
  if (first.status === 'rejected') throw first.reason;
  const logs = await restOfLogs(first.value, (query) => get(`${path}/logs`, query), hash);
  return {
    kind: 'transaction',
    asked: [...asked, `/api/v2/${path}/logs`],
    transaction: { ...transaction, ...logs },
  };
}

/** Stops where a page brings nothing new, as a server that does not know a cursor gives the first one again. */
async function restOfLogs(first: LogsPage, next: (query: PageCursor) => Promise<unknown>, hash: Hex) {
  const known = new Map(first.logs.map((log) => [log.logIndex, log]));
  let cursor = first.next;
  let characters = lengthOf(first);
  for (let pages = 1; cursor !== undefined && pages < MAX_PAGES; pages++) {
    if (cursor === 'broken' || characters > MAX_DATA_CHARS) break;
    const page = parseLogsPage(await next(cursor), hash);
    const news = page.logs.filter(({ logIndex }) => !known.has(logIndex));
    if (news.length === 0) break;
    for (const log of news) known.set(log.logIndex, log);
    characters += lengthOf(page);
    cursor = page.next;
  }
  const logs = [...known.values()].sort((a, b) => a.logIndex - b.logIndex);
  return { logs, isCut: cursor !== undefined };
}

function lengthOf({ logs }: LogsPage): number {
  return logs.reduce((sum, { data }) => sum + data.length, 0);
}

async function asBlock(hash: Hex, get: Get, before: readonly string[]): Promise<FoundByHash> {
  const path = `blocks/${hash}`;
  const asked = [...before, `/api/v2/${path}`];
  const block = parseRestBlock(await orNothing(get(path)), hash);
  return block ? { kind: 'block', ...block, asked } : { kind: 'unknown', asked };
}

/**
 * Undefined where the explorer says that there is no such thing.
 *
 * @throws AppError `notServed` where it has no such route, as one whose REST interface is switched off.
 */
async function orNothing(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    if (!isAppError(error, 'badResponse') || error.details.status !== 400) throw error;
    throw new AppError('notServed', 'The explorer has no REST interface for transactions.', {
      ...error.details,
      cause: error,
    });
  }
}

const position = z.int().check(z.nonnegative());

// Up to v6.9 `block`; later `block_number`. Parts of the fee are there on chains that have them.
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
});
type RestTransaction = z.infer<typeof RestTransaction>;

/**
 * The answer to `/api/v2/transactions/{hash}` of any release, without the logs.
 *
 * @throws AppError `badResponse` for what is none, is of another hash, or lacks sender, value or input.
 */
function parseRestTransaction(body: unknown, hash: Hex): Omit<Transaction, 'isCut' | 'logs'> {
  const wire = RestTransaction.safeParse(body).data;
  const [from, value, input] = [wire?.from, wire?.value, wire?.raw_input];
  if (!wire || parseHexData(wire.hash, 32) !== hash || !from || value === undefined || input === undefined) {
    throw new AppError('badResponse', 'The explorer did not answer with that transaction.');
  }
  const block = wire.block_number ?? wire.block;
  const status = statusOf(wire, block);
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
    fee: block === undefined ? undefined : feeOf(wire),
    gasUsed: wire.gas_used,
    gasLimit: wire.gas_limit,
    gasPrice: wire.gas_price,
    nonce: wire.nonce,
    type: wire.type,
    authorizations: wire.type === 4 ? wire.authorization_list?.length : undefined,
    failure: status === 'failed' ? parseRevertReason(wire.revert_reason, wire.result) : undefined,
  };
}

/** A transaction that was dropped or replaced has `error` and no block. */
function statusOf({ status, result }: RestTransaction, block: bigint | undefined): TransactionStatus {
  if (block === undefined)
    return status === undefined && (result ?? 'pending') === 'pending' ? 'pending' : 'unknown';
  return status === 'ok' ? 'success' : status === 'error' ? 'failed' : 'unknown';
}

/** The explorer's `fee` is all of it but blobs; `maximum` is what it may become. */
function feeOf(wire: RestTransaction): TransactionFee {
  const { gas_used: used, gas_price: price, blob_gas_used: blobGas, blob_gas_price: blobPrice } = wire;
  const l1 = wire.l1_fee ?? wire.scroll?.l1_fee;
  const blobs = blobGas === undefined || blobPrice === undefined ? undefined : blobGas * blobPrice;
  const told = wire.fee?.type === 'actual' ? wire.fee.value : undefined;
  return {
    total: told === undefined ? undefined : told + (blobs ?? 0n),
    execution: used === undefined || price === undefined ? undefined : used * price,
    l1,
    blobs,
  };
}

const RestBlock = z.object({ height: heightField, hash: z.string(), timestamp: optionalField(timeField) });

/** The answer to `/api/v2/blocks/{hash}`; undefined where it is none of a block with this hash. */
function parseRestBlock(body: unknown, hash: Hex) {
  const block = RestBlock.safeParse(body).data;
  if (!block || parseHexData(block.hash, 32) !== hash) return undefined;
  return { block: block.height, time: block.timestamp };
}

/** One page of the logs of a transaction. */
interface LogsPage {
  readonly logs: readonly TransactionLog[];
  /** What asks for the next one; undefined where there is none. */
  readonly next: ReturnType<typeof parsePageCursor>;
}

const Page = z.object({ items: z.array(z.unknown()), next_page_params: cursorField });
const Log = z.object({
  address: z.object({ hash: z.string() }),
  topics: z.array(z.nullable(z.string())).check(z.maxLength(4)),
  data: z.string(),
  index: z.int().check(z.nonnegative(), z.maximum(0xffff_ffff)),
  // `tx_hash` up to v6.9.
  transaction_hash: z.nullish(z.string()),
  tx_hash: z.nullish(z.string()),
});
/** Rows of one page that are read: twice what the largest page of a release has. */
const MAX_PAGE_ITEMS = 200;

/**
 * The answer to `/api/v2/transactions/{hash}/logs`; undefined, where there is no such transaction, has none.
 *
 * @throws AppError `badResponse` for what is no page, or has a log that is none or of another transaction.
 */
function parseLogsPage(body: unknown, hash: Hex): LogsPage {
  if (body === undefined) return { logs: [], next: undefined };
  const page = Page.safeParse(body).data;
  if (!page || page.items.length > MAX_PAGE_ITEMS) {
    throw new AppError('badResponse', 'The explorer did not answer with a page of logs.');
  }
  return {
    logs: page.items.map((item) => readLog(item, hash)),
    next: parsePageCursor(page.next_page_params),
  };
}

function readLog(item: unknown, hash: Hex): TransactionLog {
  const log = Log.safeParse(item).data;
  const of = log?.transaction_hash ?? log?.tx_hash ?? hash;
  const address = parseAddress(log?.address.hash);
  const data = parseHexData(log?.data);
  const topics = log?.topics.filter((topic) => topic !== null).map((topic) => parseHexData(topic, 32));
  const isWhole = log && address && data !== undefined && topics?.every((topic) => topic !== undefined);
  if (!isWhole || parseHexData(of, 32) !== hash) {
    throw new AppError('badResponse', 'The explorer answered with a log that is none of the transaction.');
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
/** Of an error; and of what a list among its arguments has. */
const MAX_VALUES = 1_000;

/**
 * `revert_reason` of a transaction: what was returned as hex, alone or as `raw`; or decoded, by the ABI of a verified contract or as one
 * of Solidity's own errors, out of which the bytes are made again.
 *
 * @param result the status of the execution in the explorer's words.
 * @example parseRevertReason({ raw: '0x4e487b71' }, 'Reverted').state // 'told'
 */
export function parseRevertReason(reason: unknown, result: string | undefined): TransactionFailure {
  const told = { state: 'told', by: 'explorer', isCut: false } as const;
  const words = result === undefined ? undefined : truncateServerMessage(result);
  const raw = typeof reason === 'string' ? reason : Raw.safeParse(reason).data?.raw;
  if (raw !== undefined) {
    const data = parseHexData(raw.startsWith('0x') ? raw : `0x${raw}`);
    return data === undefined
      ? { ...told, data, words: truncateServerMessage(raw) }
      : { ...told, data, words };
  }
  const decoded = Decoded.safeParse(reason).data;
  if (!decoded) return { ...told, data: undefined, words };
  const selector = parseHexData(`0x${decoded.method_id.replace(/^0x/, '')}`, 4) as Hex;
  const args = argumentsOf(decoded, selector);
  if (args !== undefined) return { ...told, data: `${selector}${args.slice(2)}`, words };
  return { ...told, data: selector, isCut: true, words: truncateServerMessage(decoded.method_call) };
}

/** The encoded arguments; undefined where they are not those of an error with this selector. */
function argumentsOf({ method_call: call, parameters = [] }: Decoded, selector: Hex): Hex | undefined {
  const error = parseAbiItem(`error ${call}`) as AbiError | undefined;
  if (error?.selector !== selector || error.inputs.length !== parameters.length) return undefined;
  const values = parameters.map((parameter, place) =>
    argumentOf((error.inputs[place] as AbiParameter).type, Parameter.safeParse(parameter).data?.value),
  );
  if (values.includes(undefined)) return undefined;
  try {
    return encodeParameters(error.inputs, values as readonly AbiValue[]);
  } catch (cause) {
    if (isAppError(cause, 'badInput')) return undefined;
    throw cause;
  }
}

/** Integers come as decimal text, lists and tuples as lists. */
function argumentOf(type: AbiType, json: unknown): AbiValue | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return typeof json === 'string' && /^-?\d{1,78}$/.test(json) ? BigInt(json) : undefined;
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
      const values = json.map((value, place) => argumentOf(types[place] ?? type, value));
      return values.includes(undefined) || values.length !== types.length
        ? undefined
        : (values as readonly AbiValue[]);
    }
  }
}
