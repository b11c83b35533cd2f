import { toAbiWord } from '../abi/encode.ts';
import type { Address, Hex } from '../eth/hex.ts';
import {
  type CallResult,
  type ContractCaller,
  decodeBool,
  decodeUint,
  encodeSupportsInterface,
  UNKNOWN_CALL,
} from '../rpc/ethCall.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';

/**
 * What the value of a contract's `Transfer` is, whichever arguments the contract indexes: an amount (`erc20`), a token
 * ID (`erc721`), or an ID where it is indexed and an amount elsewhere (`byForm`, as ERC-404 tokens emit both).
 */
export type TransferStandard = 'erc20' | 'erc721' | 'byForm';

/**
 * Asks contracts at the latest block what the value of their `Transfer` is.
 *
 * @returns a function that returns undefined if the contract does not tell, and throws AppError as
 *   {@link ContractCaller.call} does.
 * @example
 * const fetchTransferStandard = createTransferStandardReader(createContractCaller(rpc.call));
 * await fetchTransferStandard(contract, 4217n); // 'erc721'
 */
export function createTransferStandardReader({ call }: Pick<ContractCaller, 'call'>) {
  return async (
    contract: Address,
    value: bigint,
    options?: RpcCallOptions,
  ): Promise<TransferStandard | undefined> => {
    const self = toAbiWord(contract).slice(2);
    const calls: readonly Hex[] = [
      DECIMALS,
      encodeSupportsInterface('80ac58cd'),
      encodeSupportsInterface(DRAFT_ERC721),
      encodeSupportsInterface('ffffffff'),
      UNKNOWN_CALL,
      `${OWNER_OF}${toAbiWord(value).slice(2)}`,
      `${IS_APPROVED_FOR_ALL}${self}${self}`,
    ];
    return toTransferStandard(await Promise.all(calls.map((data) => call(contract, data, options))));
  };
}

/** ERC-721 before it was final, as CryptoKitties reports it. */
const DRAFT_ERC721 = '9a20483d';
const DECIMALS = '0x313ce567';
const OWNER_OF = '0x6352211e';
const IS_APPROVED_FOR_ALL = '0xe985e9c5';

function toTransferStandard(results: readonly CallResult[]): TransferStandard | undefined {
  const [decimalsResult, final, draft, anything, unknown, owner, approved] = results;
  // ERC-165 forbids claiming this ID: a contract that claims it claims any.
  if (read(anything, decodeBool) === true || read(unknown, readWord) !== undefined) return undefined;
  const decimals = read(decimalsResult, readWord);
  const isFungible = decimals !== undefined && decimals <= 255n;
  const claims = read(final, decodeBool) === true || read(draft, decodeBool) === true;
  if (claims) return isFungible && decimals > 0n ? 'byForm' : 'erc721';
  const ownerWord = read(owner, readWord);
  const hasOwner = ownerWord !== undefined && ownerWord > 0n && ownerWord >> 160n === 0n;
  const hasNfts = hasOwner || read(approved, decodeBool) !== undefined;
  if (isFungible) return hasNfts ? 'byForm' : 'erc20';
  return hasNfts ? 'erc721' : undefined;
}

function read<T>(result: CallResult | undefined, decode: (data: Hex) => T | undefined): T | undefined {
  return result?.state === 'returned' ? decode(result.data) : undefined;
}

/** A result of exactly one word. */
function readWord(data: Hex): bigint | undefined {
  return data.length === 2 + 64 ? decodeUint(data) : undefined;
}
