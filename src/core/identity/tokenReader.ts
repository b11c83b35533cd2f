import { toAbiWord } from '../abi/encode.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { type CallResult, type ContractReader, decodeBool, decodeText, decodeUint } from '../rpc/ethCall.ts';
import type { TokenIdentity } from './identity.ts';
import { decodeAddressResult } from './proxyPatterns.ts';

const SYMBOL = '0x95d89b41';
const DECIMALS = '0x313ce567';
/** `supportsInterface(bytes4)` of ERC-165. */
const claimOf = (interfaceId: string): Hex => `0x01ffc9a7${interfaceId.padEnd(64, '0')}`;

/** Functions of a vault (ERC-4626). */
const vaultCalls = { asset: '0x38d52e0f', totalAssets: '0x01e1d114' } as const;

/** Token functions, with the claims of ERC-165: that which every contract must deny shows one that says yes to all. */
function createTokenCalls(contract: Address) {
  return {
    name: '0x06fdde03',
    symbol: SYMBOL,
    decimals: DECIMALS,
    totalSupply: '0x18160ddd',
    balanceOf: `0x70a08231${toAbiWord(contract).slice(2)}`,
    ...vaultCalls,
    erc721: claimOf('80ac58cd'),
    erc1155: claimOf('d9b67a26'),
    anything: claimOf('ffffffff'),
  } as const satisfies Record<string, Hex>;
}

/** What a contract answers to the questions that show a token: those that it was asked. */
export type TokenResponses = Readonly<Partial<Record<keyof ReturnType<typeof createTokenCalls>, CallResult>>>;

/**
 * Asks a contract what token it is; each question is begun before the first answer is waited for.
 *
 * @param known what somebody else says, of which only a vault is left to be found.
 * @throws AppError as the asker's questions do.
 */
export async function fetchTokenResponses(
  ask: ContractReader,
  contract: Address,
  known?: TokenIdentity,
): Promise<TokenResponses> {
  const left = known?.standard === 'ERC-20' ? vaultCalls : {};
  const questions = Object.entries<Hex>(known ? left : createTokenCalls(contract));
  const answers = questions.map(async ([name, data]) => [name, await ask.call(contract, data)] as const);
  return Object.fromEntries(await Promise.all(answers));
}

/** Whether the endpoint let the contract speak. */
export function hasTokenResponses(answers: TokenResponses): boolean {
  return Object.values(answers).every(({ state }) => state !== 'notOffered');
}

/**
 * The token that a contract is by its answers. ERC-721 and ERC-1155 are claimed by ERC-165, which both require. ERC-20
 * has no claim: it answers `totalSupply` with one number, and so `decimals` and `balanceOf`. Names and decimals are
 * optional in the standard; what has a name and no decimals is an ERC-20 where it knows no ERC-165, without which it is
 * no NFT. A vault (ERC-4626) is one that also names its asset and counts it.
 *
 * @returns `known` where that is all that was asked about; undefined for what is no token.
 */
export function toTokenIdentity(answers: TokenResponses, known?: TokenIdentity): TokenIdentity | undefined {
  const token = known ?? withoutVault(answers);
  const asset = token?.standard === 'ERC-20' ? assetOf(answers) : undefined;
  if (!token || !asset) return token;
  return {
    ...token,
    standard: 'ERC-4626',
    asset: { address: asset, symbol: undefined, decimals: undefined },
  };
}

function withoutVault(answers: TokenResponses): TokenIdentity | undefined {
  const facts = {
    name: read(answers.name, decodeText),
    symbol: read(answers.symbol, decodeText),
    supply: read(answers.totalSupply, readNumber),
  };
  const claims = (answer: CallResult | undefined) =>
    read(answer, decodeBool) === true && read(answers.anything, decodeBool) !== true;
  if (claims(answers.erc1155)) return { ...facts, standard: 'ERC-1155', decimals: undefined };
  if (claims(answers.erc721)) return { ...facts, standard: 'ERC-721', decimals: undefined };
  const decimals = read(answers.decimals, readDecimals);
  const isNamed = (facts.name ?? facts.symbol) !== undefined;
  const hasBalances = read(answers.balanceOf, readNumber) !== undefined;
  const isNoNft = answers.erc721?.state === 'nothing';
  const isErc20 = decimals === undefined ? isNamed && hasBalances && isNoNft : isNamed || hasBalances;
  return facts.supply === undefined || !isErc20 ? undefined : { ...facts, standard: 'ERC-20', decimals };
}

/** What claims everything answers everything, an asset among it. */
function assetOf({ asset, totalAssets, anything }: TokenResponses): Address | undefined {
  if (read(anything, decodeBool) === true) return undefined;
  return read(totalAssets, readNumber) === undefined ? undefined : decodeAddressResult(asset);
}

/** The token with what its asset calls itself, if it is a vault. @throws AppError as the asker's questions do. */
export async function withAsset(
  ask: ContractReader,
  token: TokenIdentity | undefined,
): Promise<TokenIdentity | undefined> {
  if (!token?.asset) return token;
  const { address } = token.asset;
  const [symbol, decimals] = await Promise.all([ask.call(address, SYMBOL), ask.call(address, DECIMALS)]);
  const asset = { address, symbol: read(symbol, decodeText), decimals: read(decimals, readDecimals) };
  return { ...token, asset };
}

function read<T>(answer: CallResult | undefined, decode: (data: Hex) => T | undefined): T | undefined {
  return answer?.state === 'returned' ? decode(answer.data) : undefined;
}

/** An answer of exactly one word. */
function readNumber(data: Hex): bigint | undefined {
  return data.length === 2 + 64 ? decodeUint(data) : undefined;
}

function readDecimals(data: Hex): number | undefined {
  const count = readNumber(data);
  return count !== undefined && count <= 255n ? Number(count) : undefined;
}
