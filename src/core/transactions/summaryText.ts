import type { DataMeaning, HashMeaning, UnfitMeaning } from '../abi/hexMeaning.ts';
import type { AbiEvent } from '../abi/item.ts';
import type { AbiType, AbiValue } from '../abi/type.ts';
import { formatAbiValue } from '../abi/value.ts';
import type { Abortable } from '../base/concurrency.ts';
import { isAppError, throwIfAborted } from '../base/errors.ts';
import {
  createMessage,
  type Foreign,
  foreign,
  groupDigits,
  type Message,
  sanitizeText,
} from '../base/text.ts';
import { type Address, formatShortAddress } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { formatUnitsGrouped } from '../eth/units.ts';
import { findWellKnownChain } from '../networks/chains.ts';
import { isDevelopmentChain } from '../networks/network.ts';
import { findNamedToken, type TokenPlace } from '../queries/namedTokens.ts';
import { formatAmount, listTokens, type TokenUnits, type UnitsOf } from '../tokens/amounts.ts';
import type { AssetTransfer, ExplainedTransaction } from './explainTransaction.ts';

/** Names and units for a sentence about a transaction. All of them are untrusted text. */
export interface SummaryNames {
  nameOf(address: Address): string | undefined;
  readonly unitsOf: UnitsOf;
  /** The chain's own coin. */
  readonly coin: { readonly symbol: string | undefined; readonly decimals: number };
}

/**
 * The coin of a chain: as the user named it, else as the chain is known for.
 *
 * @example findCoin({ symbol: undefined, decimals: 18 }, 1).symbol // 'ETH'
 */
export function findCoin(
  { symbol, decimals }: SummaryNames['coin'],
  chainId: number | undefined,
): SummaryNames['coin'] {
  const known = chainId === undefined ? undefined : findWellKnownChain(chainId)?.symbol;
  const isDevelopment = chainId !== undefined && isDevelopmentChain(chainId);
  return { symbol: symbol || known || (isDevelopment ? 'ETH' : undefined), decimals };
}

/** Tokens of one transaction whose units are fetched. */
const MAX_TOKENS = 20;

/**
 * Symbols and decimals of the tokens of the fee, of transfers and of approvals, and of those that the project names for
 * arguments, as far as the contracts return them.
 *
 * @param options.others more tokens.
 * @param options.units gets those that have arrived while it waits for others.
 * @throws the reason of `signal` when it aborts.
 * @example const units = await fetchTransactionUnits(explained, { client, chainId, index }); // 'PBL' and 2 of a token
 */
export async function fetchTransactionUnits(
  { transaction, movements, logs, call, revert }: ExplainedTransaction,
  place: TokenPlace,
  {
    others = [],
    units = new Map(),
    signal,
  }: Abortable & {
    readonly others?: readonly Address[];
    readonly units?: Map<string, TokenUnits>;
  } = {},
): Promise<ReadonlyMap<string, TokenUnits>> {
  const feeToken = transaction.fee?.token === 'unknown' ? undefined : transaction.fee?.token;
  const moved = movements.list.flatMap(({ token, standard }) => (token && standard === 'erc20' ? token : []));
  const approved = logs.flatMap((decoded, place) => {
    const isApproval = 'event' in decoded && isTokenApproval(decoded.event);
    return (isApproval && transaction.logs?.[place]?.address) || [];
  });
  const declared = [
    ...[...call, ...revert].flatMap((meaning) =>
      'item' in meaning ? listTokens(meaning.item.inputs.map(({ type }) => type)) : [],
    ),
    ...logs.flatMap((decoded) =>
      'event' in decoded ? listTokens(decoded.event.inputs.map(({ type }) => type)) : [],
    ),
  ];
  const tokens = new Set<string>([
    ...(feeToken ? [feeToken] : []),
    ...others,
    ...moved,
    ...approved,
    ...declared,
  ]);
  await Promise.all(
    [...tokens].slice(0, MAX_TOKENS).map(async (token) => {
      try {
        const { units: known } = await findNamedToken(token, place, { signal });
        if (known) units.set(token, known);
      } catch (error) {
        throwIfAborted(signal);
        if (!isAppError(error)) throw error;
      }
    }),
  );
  return units;
}

/** Of ERC-20: that of ERC-721 indexes the token ID. */
export function isTokenApproval({ signature, inputs }: AbiEvent): boolean {
  return signature === 'Approval(address,address,uint256)' && inputs[2]?.indexed !== true;
}

const MAX_NAME_CHARS = 60;
const MAX_SYMBOL_CHARS = 24;
const MAX_VALUE_CHARS = 42;
const MAX_ARGUMENTS_CHARS = 120;
const MAX_NESTED = 3;
const MAX_ID_DIGITS = 12;

/**
 * An address by its name, else shortened.
 *
 * @example const text = formatParty(treasury, names); // Treasury
 */
export function formatParty(address: Address, names: Pick<SummaryNames, 'nameOf'>): Foreign {
  return foreign(getPartyName(address, names));
}

/** The text of {@link formatParty}, as a part of another text of others. */
export function getPartyName(address: Address, { nameOf }: Pick<SummaryNames, 'nameOf'>): string {
  const name = sanitizeText(nameOf(address) ?? '', MAX_NAME_CHARS);
  return name === '' ? formatShortAddress(toChecksumAddress(address)) : name;
}

/** What was moved: transfers of one asset between the same two addresses. */
export interface Moved extends Pick<AssetTransfer, 'from' | 'standard' | 'to' | 'token' | 'tokenId'> {
  readonly amount: bigint;
  /** Whether there is more than one token ID. */
  readonly hasManyIds: boolean;
}

/** `1,200.00 PBL`, `Badge #7`, `5 tokens of Badge`, `1.5 ETH`. */
export function formatMoved({ token, standard, tokenId, amount, hasManyIds }: Moved, names: SummaryNames) {
  if (token === undefined) return formatCoinAmount(amount, names);
  if (standard === 'erc20') return formatTokenAmount(amount, token, names);
  const name = formatParty(token, names);
  if (hasManyIds || tokenId === undefined)
    return createMessage('{0} tokens of {1}', groupDigits(amount), name);
  const one = foreign(`${name.foreign} #${formatId(tokenId)}`);
  return amount === 1n ? createMessage('{0}', one) : createMessage('{0} of {1}', groupDigits(amount), one);
}

export function formatId(id: bigint): string {
  const digits = id.toString();
  return digits.length > MAX_ID_DIGITS ? `${digits.slice(0, 4)}…${digits.slice(-4)}` : digits;
}

function formatCoinAmount(wei: bigint, { coin: { symbol, decimals } }: SummaryNames): Message {
  const amount = formatUnitsGrouped(wei, decimals);
  return symbol
    ? createMessage('{0}', foreign(`${amount} ${sanitizeText(symbol, MAX_SYMBOL_CHARS)}`))
    : createMessage('{0} of the native coin', foreign(amount));
}

export function formatTokenAmount(amount: bigint, token: Address, names: SummaryNames): Message {
  const units = names.unitsOf(token);
  const name = formatParty(token, names);
  if (!units) return createMessage('{0} base units of {1}', groupDigits(amount), name);
  const number = formatAmount(amount, { symbol: undefined, decimals: units.decimals });
  return units.symbol
    ? createMessage('{0}', foreign(`${number} ${formatSymbol(token, names)}`))
    : createMessage('{0} of {1}', foreign(number), name);
}

/** The symbol of a token, else its name. */
export function formatSymbol(token: Address, names: SummaryNames): string {
  const symbol = sanitizeText(names.unitsOf(token)?.symbol ?? '', MAX_SYMBOL_CHARS);
  return symbol === '' ? getPartyName(token, names) : symbol;
}

/**
 * A function or an error with its values, without their names: `deposit(5, Bob)`.
 *
 * @example const text = formatItem(meaning, names); // FeeTooHigh(2,000, 1,000)
 */
export function formatItem(meaning: DataMeaning | HashMeaning | UnfitMeaning, names: SummaryNames): string {
  const { item } = meaning;
  if (!('values' in meaning)) return `${item.name}(${item.inputs.length === 0 ? '' : '…'})`;
  const texts = item.inputs.map(({ type }, index) => {
    const inner = meaning.nested.filter(({ path }) => path[0] === index);
    if (inner.length > 0) return formatNested(inner, type);
    return formatValue(type, meaning.values[index] ?? '', names);
  });
  const joined = texts.join(', ');
  return `${item.name}(${joined.length > MAX_ARGUMENTS_CHARS ? `${joined.slice(0, MAX_ARGUMENTS_CHARS)}…` : joined})`;
}

/** The functions of a multicall by name, as their arguments have no room. */
function formatNested(inner: DataMeaning['nested'], type: AbiType): string {
  const shown = inner.slice(0, MAX_NESTED).map(({ meanings: [first] }) => `${first?.item.name ?? ''}(…)`);
  const joined = [...shown, ...(inner.length > MAX_NESTED ? ['…'] : [])].join(', ');
  return type.kind === 'array' ? `[${joined}]` : joined;
}

function formatValue(type: AbiType, value: AbiValue, names: SummaryNames): string {
  const text = formatAbiValue(type, value, {
    most: MAX_VALUE_CHARS,
    address: (address) => getPartyName(address, names),
    onlyMembers: true,
    unitsOf: names.unitsOf,
  });
  return type.kind === 'string' ? `"${text}"` : text;
}
