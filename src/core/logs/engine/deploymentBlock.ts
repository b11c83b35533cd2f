import { type Abortable, forEachLimited } from '../../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../../base/errors.ts';
import { isLoopbackUrl } from '../../base/urls.ts';
import { bigintMin, isRecord } from '../../base/values.ts';
import { parseAddress, parseHexData, parseQuantity, toQuantity } from '../../eth/hex.ts';
import { type RpcClient, SHORT_RESPONSE } from '../../rpc/rpcClient.ts';
import type { DeploymentBlock, LogFilter } from '../query/filter.ts';
import type { VerdictReason } from '../query/verdict.ts';
import { costsByRows } from './dialect.ts';
import type { DialectMemory } from './dialectMemory.ts';
import type { RetryPolicy } from './getLogs.ts';

interface StartRequest extends Abortable {
  readonly filter: LogFilter;
  readonly head: bigint;
  readonly rpc: Pick<RpcClient, 'call' | 'url'>;
  readonly memory: DialectMemory;
  readonly retry: RetryPolicy;
  /** Finds out what the server is. */
  readonly identify: (options: Abortable) => Promise<unknown>;
}

/** The first block of a query, and why logs before it may be missing. */
interface ConfirmedStart {
  readonly fromBlock: LogFilter['fromBlock'];
  readonly reasons: readonly VerdictReason[];
}

/**
 * Confirms the first block of a filter with the chain if it is not typed but the block of deployments, which a file of a
 * project or a provider says. Such a block may be wrong: of another contract's receipt, of an upgrade, of another chain
 * with the same ID, or of the latest of several deployments at one address.
 *
 * The query starts at that block if each contract was created there, and at block 0 if one was not, or if that is cheap.
 * Else a reason says that earlier logs may be missing.
 *
 * @throws AppError `aborted`.
 */
export async function confirmFirstBlock(request: StartRequest): Promise<ConfirmedStart> {
  const { filter, signal } = request;
  const { fromBlock, deployments = [] } = filter;
  const first = deployments.reduce<bigint | undefined>(
    (low, { block }) => bigintMin(low ?? block, block),
    undefined,
  );
  // A part of a query, such as a page, has a first block of its own.
  if (first === undefined || first !== fromBlock || first === 0n) return { fromBlock, reasons: [] };
  const created = await confirmAll(request, fetchCreation);
  if (created.every((block) => block !== undefined)) {
    return { fromBlock: created.reduce(bigintMin, first), reasons: [] };
  }
  await request.identify({ signal }).catch(() => undefined);
  throwIfAborted(signal);
  if (isCheap(first, request)) return FROM_START;
  const states = await confirmAll(request, (deployment) => fetchCodeState(deployment, request));
  if (states.includes('contradicted')) return FROM_START;
  if (states.every((state) => state === 'confirmed')) return { fromBlock, reasons: [] };
  return (await takesWholeRange(first, request))
    ? FROM_START
    : { fromBlock, reasons: [{ code: 'firstBlockUnconfirmed', block: first }] };
}

const FROM_START: ConfirmedStart = { fromBlock: 0n, reasons: [] };
/** Requests at a time, so that a server with a rate limit takes them. */
const MAX_CONCURRENT_REQUESTS = 4;

async function confirmAll<T>(
  request: StartRequest,
  confirm: (deployment: DeploymentBlock, request: StartRequest) => Promise<T>,
): Promise<readonly T[]> {
  const { deployments = [] } = request.filter;
  const results: T[] = [];
  const confirmOne = async ([index, deployment]: readonly [number, DeploymentBlock]) => {
    results[index] = await confirm(deployment, request);
  };
  await forEachLimited([...deployments.entries()], confirmOne, { limit: MAX_CONCURRENT_REQUESTS });
  return results;
}

/**
 * The block of the receipt that names the contract. It needs no old state, and is final: the address of a contract that a
 * transaction creates comes from its sender and nonce, which are used once.
 */
async function fetchCreation(
  { address, transaction }: DeploymentBlock,
  request: StartRequest,
): Promise<bigint | undefined> {
  if (transaction === undefined) return undefined;
  const receipt = await call('eth_getTransactionReceipt', [transaction], request);
  if (!isRecord(receipt) || parseAddress(receipt.contractAddress) !== address) return undefined;
  // A contract that another contract creates may be created again after its end.
  if (parseAddress(receipt.to) !== undefined) return undefined;
  return parseQuantity(receipt.blockNumber);
}

/** Blocks that a server with the usual limit of 10,000 returns in a few requests. */
const CHEAP_BLOCKS = 40_000n;
/** Blocks that a node on this machine without a limit returns at once. A fork of a public chain has more. */
const CHEAP_LOCAL_BLOCKS = 1_000_000n;
const CHEAP_REQUESTS = 4n;

/** Whether reading `blocks` more costs nearly nothing. */
function isCheap(blocks: bigint, { memory, rpc }: StartRequest): boolean {
  const dialect = memory.current();
  if (costsByRows(dialect)) return true;
  const { maxBlocks } = dialect;
  if (maxBlocks !== undefined) return blocks <= maxBlocks * CHEAP_REQUESTS;
  return blocks <= (isLoopbackUrl(rpc.url) ? CHEAP_LOCAL_BLOCKS : CHEAP_BLOCKS);
}

type CodeState = 'confirmed' | 'contradicted' | 'unknown';

/** What the state of each server said, for the lifetime of its client. */
const states = new WeakMap<DialectMemory, Map<string, CodeState>>();

/**
 * Whether the code of a contract appears at its block. A contract that destroyed itself earlier and was created again with
 * `CREATE2` looks the same, so this confirms no block where files name others.
 */
async function fetchCodeState(deployment: DeploymentBlock, request: StartRequest): Promise<CodeState> {
  const { address, block } = deployment;
  if (block > request.head) return 'contradicted';
  const cached = states.get(request.memory) ?? new Map<string, CodeState>();
  states.set(request.memory, cached);
  const key = `${address} ${block}`;
  const state = cached.get(key) ?? (await compareCode(deployment, request));
  if (state !== 'unknown') cached.set(key, state);
  return state;
}

async function compareCode(
  { address, block, isRepeated }: DeploymentBlock,
  request: StartRequest,
): Promise<CodeState> {
  const before = block === 0n ? '0x' : await fetchCode(block - 1n);
  if (before === undefined) return 'unknown';
  if (before !== '0x') return 'contradicted';
  const code = isRepeated ? undefined : await fetchCode(block);
  if (code === undefined) return 'unknown';
  return code === '0x' ? 'contradicted' : 'confirmed';

  async function fetchCode(at: bigint) {
    return parseHexData(await call('eth_getCode', [address, toQuantity(at)], request));
  }
}

/** Whether the server returns the logs of all blocks before `block` at once. */
async function takesWholeRange(block: bigint, request: StartRequest): Promise<boolean> {
  const { addresses, topics } = request.filter;
  const range = { fromBlock: '0x0', toBlock: toQuantity(block - 1n) };
  return Array.isArray(await call('eth_getLogs', [{ address: addresses, topics, ...range }], request));
}

/** The result of a call; undefined if it fails. */
async function call(
  method: string,
  params: readonly unknown[],
  { rpc, retry, signal }: StartRequest,
): Promise<unknown> {
  try {
    return await rpc.call(method, params, { ...SHORT_RESPONSE, ...retry, signal });
  } catch (error) {
    throwIfAborted(signal);
    if (isAppError(error)) return undefined;
    throw error;
  }
}
