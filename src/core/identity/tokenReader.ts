import { toAbiWord } from '../abi/encode.ts';
import type { Address, Hex } from '../eth/hex.ts';
import {
  type CallResult,
  type ContractReader,
  decodeBool,
  decodeText,
  decodeUint,
  encodeSupportsInterface,
  UNKNOWN_CALL,
} from '../rpc/ethCall.ts';
import type { TokenIdentity } from './identity.ts';
import { decodeAddressResult } from './proxyPatterns.ts';

/**
 * Calls the functions that identify a token; all requests start before the first is awaited.
 *
 * @param recorded the token as another provider reports it. Then only a vault remains to be detected.
 * @throws AppError as `reader` does.
 */
export async function fetchTokenResponses(
  reader: ContractReader,
  contract: Address,
  recorded?: TokenIdentity,
): Promise<TokenResponses> {
  const calls = recorded?.standard === 'ERC-20' ? vaultCalls : {};
  const requests = Object.entries<Hex>(recorded ? calls : createTokenCalls(contract));
  const responses = requests.map(async ([name, data]) => [name, await reader.call(contract, data)] as const);
  return Object.fromEntries(await Promise.all(responses));
}

export function hasTokenResponses(responses: TokenResponses): boolean {
  return Object.values(responses).every(({ state }) => state !== 'notOffered');
}

/** Adds symbol and decimals of a vault's asset. @throws AppError as `reader` does. */
export async function withAsset(
  reader: ContractReader,
  token: TokenIdentity | undefined,
): Promise<TokenIdentity | undefined> {
  if (!token?.asset) return token;
  const { address } = token.asset;
  const [symbol, decimals] = await Promise.all([
    reader.call(address, SYMBOL),
    reader.call(address, DECIMALS),
  ]);
  const asset = { address, symbol: read(symbol, decodeText), decimals: read(decimals, readDecimals) };
  return { ...token, asset };
}

type TokenResponses = Readonly<Partial<Record<keyof ReturnType<typeof createTokenCalls>, CallResult>>>;

/**
 * The token by a contract's responses. ERC-721 and ERC-1155 both require ERC-165. ERC-20 has no interface ID:
 * it returns one word for `totalSupply` and for `decimals` or `balanceOf`. Name, symbol and decimals are
 * optional; a contract with a name but no decimals is an ERC-20 if it does not implement ERC-165, without
 * which it cannot be an NFT. A vault (ERC-4626) also returns its asset and `totalAssets`.
 *
 * @returns `recorded` if only that was to be completed; undefined if it is not a token.
 */
export function toTokenIdentity(
  received: TokenResponses,
  recorded?: TokenIdentity,
): TokenIdentity | undefined {
  const responses = withoutAlike(received);
  const token = recorded ?? detectToken(responses);
  const asset = token?.standard === 'ERC-20' ? getVaultAsset(responses) : undefined;
  if (!token || !asset) return token;
  return {
    ...token,
    standard: 'ERC-4626',
    asset: { address: asset, symbol: undefined, decimals: undefined },
  };
}

const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';

const vaultCalls = { asset: '0x38d52e0f', totalAssets: '0x01e1d114' } as const;

/** `anything` is the interface ID that ERC-165 forbids: a contract that claims it claims everything. */
function createTokenCalls(contract: Address) {
  return {
    name: '0x06fdde03',
    symbol: SYMBOL,
    decimals: DECIMALS,
    totalSupply: '0x18160ddd',
    balanceOf: `0x70a08231${toAbiWord(contract).slice(2)}`,
    ...vaultCalls,
    erc721: encodeSupportsInterface('80ac58cd'),
    erc1155: encodeSupportsInterface('d9b67a26'),
    anything: encodeSupportsInterface('ffffffff'),
    unknown: UNKNOWN_CALL,
  } as const satisfies Record<string, Hex>;
}

/** Without what the contract also returns for a function that no contract has. */
function withoutAlike(responses: TokenResponses): TokenResponses {
  const { unknown } = responses;
  if (unknown?.state !== 'returned') return responses;
  const entries = Object.entries(responses).map(([name, response]) => {
    const isAlike = response.state === 'returned' && response.data === unknown.data;
    return [name, isAlike ? ({ state: 'nothing' } as const) : response] as const;
  });
  return Object.fromEntries(entries);
}

function detectToken(responses: TokenResponses): TokenIdentity | undefined {
  const facts = {
    name: read(responses.name, decodeText),
    symbol: read(responses.symbol, decodeText),
    supply: read(responses.totalSupply, readNumber),
  };
  const claims = (response: CallResult | undefined) =>
    read(response, decodeBool) === true && read(responses.anything, decodeBool) !== true;
  if (claims(responses.erc1155)) return { ...facts, standard: 'ERC-1155', decimals: undefined };
  if (claims(responses.erc721)) return { ...facts, standard: 'ERC-721', decimals: undefined };
  const decimals = read(responses.decimals, readDecimals);
  const isNamed = (facts.name ?? facts.symbol) !== undefined;
  const hasBalances = read(responses.balanceOf, readNumber) !== undefined;
  const lacksErc165 = responses.erc721?.state === 'nothing';
  const isErc20 = decimals === undefined ? isNamed && hasBalances && lacksErc165 : isNamed || hasBalances;
  return facts.supply === undefined || !isErc20 ? undefined : { ...facts, standard: 'ERC-20', decimals };
}

/** A contract that claims every interface may return any asset. */
function getVaultAsset({ asset, totalAssets, anything }: TokenResponses): Address | undefined {
  if (read(anything, decodeBool) === true) return undefined;
  return read(totalAssets, readNumber) === undefined ? undefined : decodeAddressResult(asset);
}

function read<T>(response: CallResult | undefined, decode: (data: Hex) => T | undefined): T | undefined {
  return response?.state === 'returned' ? decode(response.data) : undefined;
}

/** A result of exactly one word. */
function readNumber(data: Hex): bigint | undefined {
  return data.length === 2 + 64 ? decodeUint(data) : undefined;
}

function readDecimals(data: Hex): number | undefined {
  const count = readNumber(data);
  return count !== undefined && count <= 255n ? Number(count) : undefined;
}
