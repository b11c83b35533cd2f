import { toAbiWord } from '../abi/encode.ts';
import { type Address, type Hex, parseHexData } from '../eth/hex.ts';
import type { ProxyIdentity } from '../identity/identity.ts';
import { mayBeProxy, openZeppelinAdminSlot } from '../identity/proxyPatterns.ts';
import { fetchContractSnapshot, getResult, resolveProxy } from '../identity/proxyReader.ts';
import { createNftContractReader } from '../nfts/nftContractReader.ts';
import { type BlockCall, callAtBlock, getCode, requireCode } from '../rpc/callAtBlock.ts';
import {
  type CallResult,
  type ContractCaller,
  createContractCaller,
  createContractReader,
  decodeText,
  decodeUint,
  toCallResult,
} from '../rpc/ethCall.ts';
import { getCreationReceipt } from '../rpc/methods.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import type { TokenUnits } from '../tokens/amounts.ts';
import { createTransferStandardReader } from '../tokens/transferStandard.ts';

/**
 * The calls of contracts of a `ChainClient`: a module of its own, since it needs an ABI decoder, which balances and the
 * newest block do not.
 */
export function createContractCalls(call: RpcClient['call']) {
  const caller = createContractCaller(call);
  const { balanceOf, unitsOf } = createErc20Reader(caller);
  return {
    fetchErc20Balance: balanceOf,
    fetchTokenUnits: unitsOf,
    fetchNftContract: createNftContractReader(caller),
    fetchTransferStandard: createTransferStandardReader(caller),
    fetchDelegate: createDelegateReader(call),
    tokenAmounts: fetchTokenAmounts,
    callAtBlock: (blockCall: BlockCall, options?: RpcCallOptions) => callAtBlock(call, blockCall, options),
    requireCode: (place: Pick<BlockCall, 'block' | 'to'>, options?: RpcCallOptions) =>
      requireCode(call, place, options),
    getCode: (place: Pick<BlockCall, 'block' | 'to'>, options?: RpcCallOptions) =>
      getCode(call, place, options),
    getCreationReceipt: (transaction: Hex, options?: RpcCallOptions) =>
      getCreationReceipt({ call }, transaction, options),
    fetchImplementations: createImplementationReader(call),
    fetchProxy: createProxyReader(call),
  };
}

/** Throws AppError of any network kind but `rpc`; `historyUnavailable` for code whose storage is not available. */
function createImplementationReader(call: RpcClient['call']) {
  const createReader = createContractReader(call);
  return async (
    address: Address,
    block: bigint,
    { isDeclared = false, onCut, onSlotsUnread, ...options }: ImplementationOptions = {},
  ): Promise<readonly Address[]> => {
    const reader = createReader({ ...options, block });
    // One request, where most contracts are no proxies.
    const code = isDeclared ? await reader.code(address) : undefined;
    if (code?.state === 'told' && !mayBeProxy(code.value)) return [];
    const snapshot = await fetchContractSnapshot(reader, address, code && Promise.resolve(code));
    // Without its storage, code that may be a proxy is not known to be none.
    const needsSlots = snapshot.code !== undefined && mayBeProxy(snapshot.code);
    const error = needsSlots ? reader.historyError('eth_getStorageAt') : undefined;
    if (error) throw error;
    const proxy = await resolveProxy(reader, snapshot);
    if (reader.lacksSlots()) onSlotsUnread?.();
    const left = proxy ? countLeft(proxy) : 0;
    if (left > 0) onCut?.(left);
    return proxy ? listImplementations(proxy) : [];
  };
}

/** What a contract is as a proxy, in the state after a block. */
export interface ProxyReading {
  readonly proxy: ProxyIdentity | undefined;
  /** The slot of the proxy's admin, zeros if it has none; undefined if the endpoint does not serve storage. */
  readonly adminWord: Hex | undefined;
  /** Whether the code may delegate; also if the endpoint does not serve code. */
  readonly mayBeProxy: boolean;
}

/** Throws AppError of any network kind but `rpc`. */
function createProxyReader(call: RpcClient['call']) {
  const createReader = createContractReader(call);
  return async (address: Address, block: bigint, options?: RpcCallOptions): Promise<ProxyReading> => {
    const reader = createReader({ ...options, block });
    const code = await reader.code(address);
    const hex = getResult(code);
    const mayDelegate = hex === undefined || mayBeProxy(hex);
    // Another slot holds the admin of a proxy before EIP-1967. Code that cannot delegate has no admin.
    if (!mayDelegate) return { proxy: undefined, adminWord: toAbiWord(0n), mayBeProxy: false };
    const snapshot = await fetchContractSnapshot(reader, address, Promise.resolve(code));
    const proxy = await resolveProxy(reader, snapshot);
    const isOld = proxy?.type === 'eip1967_oz';
    const adminWord = isOld
      ? getResult(await reader.slot(address, openZeppelinAdminSlot))
      : snapshot.slots.admin;
    return { proxy, adminWord, mayBeProxy: true };
  };
}

export interface ImplementationOptions extends RpcCallOptions {
  /** Whether the ABI of the contract is known: the code of most such contracts shows that it is no proxy. */
  readonly isDeclared?: boolean;
  /** Called with how many facets of a diamond are not among the result. */
  readonly onCut?: ((left: number) => void) | undefined;
  /** Called if the endpoint did not return a slot, so that code that may be a proxy can have another implementation. */
  readonly onSlotsUnread?: (() => void) | undefined;
}

/** The outer implementations before those that they delegate to. */
/** Facets of diamonds that are not listed. */
function countLeft({ left, implementations }: ProxyIdentity): number {
  return implementations.reduce((sum, { proxy }) => sum + (proxy ? countLeft(proxy) : 0), left);
}

function listImplementations({ implementations }: ProxyIdentity): readonly Address[] {
  return implementations.flatMap(({ address, proxy }) => [
    address,
    ...(proxy ? listImplementations(proxy) : []),
  ]);
}

/** Throws AppError of any network kind; `rpc` if the endpoint does not serve the code. */
function createDelegateReader(call: RpcClient['call']) {
  return async (address: Address, options?: RpcCallOptions): Promise<Address | undefined> => {
    const code = await call('eth_getCode', [address, 'latest'], options);
    const delegate = DELEGATION.exec(parseHexData(code) ?? '')?.[1];
    return delegate === undefined || /^0+$/.test(delegate) ? undefined : `0x${delegate}`;
  };
}

/** The code of an account that delegates, by EIP-7702. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;

/**
 * Reads ERC-20 balances and units from the contract itself, at the latest block. Symbol and decimals are cached by
 * contract.
 *
 * @returns functions that throw AppError as {@link ContractCaller.call} does.
 */
function createErc20Reader({ call }: ContractCaller): Erc20Reader {
  const cache = new Map<Address, TokenFacts>();

  async function fetchFacts(contract: Address, options: RpcCallOptions | undefined): Promise<TokenFacts> {
    const [symbol, decimals] = await Promise.all([
      call(contract, SYMBOL, options),
      call(contract, DECIMALS, options),
    ]);
    const count = decimals.state === 'returned' ? decodeUint(decimals.data) : undefined;
    const facts = {
      symbol: symbol.state === 'returned' ? decodeText(symbol.data) : undefined,
      decimals: count !== undefined && count <= 255n ? Number(count) : undefined,
    };
    // Not cached otherwise: the contract may be deployed later.
    if (facts.symbol !== undefined || facts.decimals !== undefined) cache.set(contract, facts);
    return facts;
  }

  const getFacts = async (contract: Address, options: RpcCallOptions | undefined) =>
    cache.get(contract) ?? (await fetchFacts(contract, options));

  return {
    async balanceOf(contract, holder, options) {
      const [balance, facts] = await Promise.all([
        call(contract, encodeBalanceOf(holder), options),
        getFacts(contract, options),
      ]);
      if (balance.state === 'notOffered') return { state: 'notOffered' };
      const amount = decodeAmount(balance);
      if (amount !== undefined) return { state: 'known', amount, ...facts };
      // Another token may be deployed there next.
      cache.delete(contract);
      return { state: 'notAToken' };
    },
    async unitsOf(contract, options) {
      const { symbol, decimals } = await getFacts(contract, options);
      return decimals === undefined ? undefined : { symbol, decimals };
    },
  };
}

interface Erc20Reader {
  balanceOf(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  /** Undefined if the contract does not return its decimals. */
  unitsOf(contract: Address, options?: RpcCallOptions): Promise<TokenUnits | undefined>;
}

/**
 * `notAToken`: the contract reverts or returns nothing, which is not zero. `notOffered`: the endpoint has no
 * `eth_call`.
 */
export type Erc20Balance =
  | {
      readonly state: 'known';
      /** In smallest units. */
      readonly amount: bigint;
      readonly symbol: string | undefined;
      readonly decimals: number | undefined;
    }
  | { readonly state: 'notAToken' | 'notOffered' };

type TokenFacts = Pick<Extract<Erc20Balance, { state: 'known' }>, 'decimals' | 'symbol'>;

/**
 * Amounts only, of known tokens, at an endpoint that offers `eth_call`.
 *
 * @returns smallest units; undefined if the contract reverts or returns nothing, as a destroyed one does.
 * @throws AppError, each, as {@link ContractCaller.call} does.
 */
function fetchTokenAmounts(
  call: RpcClient['call'],
  holders: readonly TokenHolder[],
  options?: RpcCallOptions,
): readonly Promise<bigint | undefined>[] {
  return holders.map(async ({ contract, holder }) =>
    decodeAmount(
      await toCallResult(
        call('eth_call', [{ to: contract, data: encodeBalanceOf(holder) }, 'latest'], options),
      ),
    ),
  );
}

export interface TokenHolder {
  readonly contract: Address;
  readonly holder: Address;
}

function encodeBalanceOf(holder: Address): Hex {
  return `${BALANCE_OF}${toAbiWord(holder).slice(2)}`;
}

/** `balanceOf(address)`, `symbol()` and `decimals()` of ERC-20. */
const BALANCE_OF = '0x70a08231';
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';

function decodeAmount(result: CallResult): bigint | undefined {
  return result.state === 'returned' ? decodeUint(result.data) : undefined;
}
