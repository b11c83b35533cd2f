import { toAbiWord } from '../abi/encode.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { createNftContractReader } from '../nfts/nftContractReader.ts';
import {
  type CallResult,
  type ContractCaller,
  createContractCaller,
  decodeText,
  decodeUint,
  toCallResult,
} from '../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../rpc/rpcClient.ts';
import type { TokenUnits } from '../tokens/amounts.ts';

/** What a `ChainClient` asks of contracts: apart, as it takes an ABI decoder, which the head and balances do not. */
export function createContractCalls(call: RpcClient['call']) {
  const caller = createContractCaller(call);
  const { balanceOf, unitsOf } = createErc20Reader(caller);
  return {
    fetchErc20Balance: balanceOf,
    fetchTokenUnits: unitsOf,
    fetchNftContract: createNftContractReader(caller),
    tokenAmounts: fetchTokenAmounts,
  };
}

/**
 * A balance read from the contract itself. `notAToken`: it reverts or answers with nothing, which is not zero.
 * `notOffered`: the endpoint cannot be asked, as it has no `eth_call`.
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

/** `balanceOf(address)`, `symbol()` and `decimals()` of ERC-20. */
const BALANCE_OF = '0x70a08231';
const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';

type Facts = Pick<Extract<Erc20Balance, { state: 'known' }>, 'decimals' | 'symbol'>;

/** One holder of one token. */
export interface TokenHolder {
  readonly contract: Address;
  readonly holder: Address;
}

interface Erc20Reader {
  balanceOf(contract: Address, holder: Address, options?: RpcCallOptions): Promise<Erc20Balance>;
  /** Undefined where the contract does not tell its decimals. */
  unitsOf(contract: Address, options?: RpcCallOptions): Promise<TokenUnits | undefined>;
}

/**
 * Reads ERC-20 balances and units at the latest block, without a source. Symbol and decimals are asked for once
 * for each contract.
 *
 * @returns functions that throw AppError as {@link ContractCaller.call} does.
 */
function createErc20Reader({ call }: ContractCaller): Erc20Reader {
  const known = new Map<Address, Facts>();

  async function readFacts(contract: Address, options: RpcCallOptions | undefined): Promise<Facts> {
    const [symbol, decimals] = await Promise.all([
      call(contract, SYMBOL, options),
      call(contract, DECIMALS, options),
    ]);
    const count = decimals.state === 'returned' ? decodeUint(decimals.data) : undefined;
    const facts = {
      symbol: symbol.state === 'returned' ? decodeText(symbol.data) : undefined,
      decimals: count !== undefined && count <= 255n ? Number(count) : undefined,
    };
    // A contract that says nothing now may be deployed later.
    if (facts.symbol !== undefined || facts.decimals !== undefined) known.set(contract, facts);
    return facts;
  }

  const factsOf = async (contract: Address, options: RpcCallOptions | undefined) =>
    known.get(contract) ?? (await readFacts(contract, options));

  return {
    async balanceOf(contract, holder, options) {
      const [answer, facts] = await Promise.all([
        call(contract, balanceOfData(holder), options),
        factsOf(contract, options),
      ]);
      if (answer.state === 'notOffered') return { state: 'notOffered' };
      const amount = amountIn(answer);
      if (amount !== undefined) return { state: 'known', amount, ...facts };
      // What is deployed there next may be another token.
      known.delete(contract);
      return { state: 'notAToken' };
    },
    async unitsOf(contract, options) {
      const { symbol, decimals } = await factsOf(contract, options);
      return decimals === undefined ? undefined : { symbol, decimals };
    },
  };
}

/**
 * The bare amounts, of contracts that have been read before at an endpoint that offers `eth_call`.
 *
 * @returns smallest units; undefined where the contract reverts or answers with nothing, as one that is gone does.
 * @throws AppError, each, as {@link ContractCaller.call} does.
 */
function fetchTokenAmounts(
  call: RpcClient['call'],
  holders: readonly TokenHolder[],
  options?: RpcCallOptions,
): readonly Promise<bigint | undefined>[] {
  return holders.map(async ({ contract, holder }) =>
    amountIn(
      await toCallResult(
        call('eth_call', [{ to: contract, data: balanceOfData(holder) }, 'latest'], options),
      ),
    ),
  );
}

function balanceOfData(holder: Address): Hex {
  return `${BALANCE_OF}${toAbiWord(holder).slice(2)}`;
}

function amountIn(answer: CallResult): bigint | undefined {
  return answer.state === 'returned' ? decodeUint(answer.data) : undefined;
}
