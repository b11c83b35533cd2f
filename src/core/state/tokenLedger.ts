import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';
import { decodeNftMovements, decodePlainTransfer, transferEvents } from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import {
  type BookEntry,
  createBalanceBook,
  createTooManyError,
  type Debt,
  MAX_BALANCES,
  MAX_COPIES,
} from './balanceBook.ts';

/** Of wrapped native coins such as WETH9, which mint and burn without a `Transfer`. */
const DEPOSIT = hashSignature('Deposit(address,uint256)');
const WITHDRAWAL = hashSignature('Withdrawal(address,uint256)');
const TRANSFER = transferEvents.transfer.topic0;

/** The events that change who holds a token of any standard. */
export const TOKEN_TOPICS: readonly Hex[] = [
  ...Object.values(transferEvents).map(({ topic0 }) => topic0),
  DEPOSIT,
  WITHDRAWAL,
];

/** Token IDs that ranges may move in all, repeated ones included. */
const MAX_RANGED = BigInt(MAX_BALANCES);
/** Some milliseconds. */
const IDS_AT_ONCE = 4096;

/** Whether a log has a value that is an amount or a token ID. */
export function isTransfer({ topics }: Pick<Log, 'topics'>): boolean {
  return topics[0] === TRANSFER;
}

/** An NFT that was moved by someone who did not own it, or twice minted. */
interface Misplaced {
  readonly tokenId: bigint;
  readonly block: bigint;
}

/**
 * Adds up the transfers of a token: amounts by holder (ERC-20), owners by token ID (ERC-721, ERC-2309), and amounts by
 * token ID and holder (ERC-1155). Logs must come in the order of the chain.
 *
 * @example
 * const ledger = createTokenLedger('erc20');
 * for (const log of logs) {
 *   ledger.add(log);
 *   while (ledger.advance());
 * }
 * ledger.end();
 * ledger.amounts.get('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
 */
export function createTokenLedger(standard: () => TransferStandard | undefined) {
  const amounts = createBalanceBook();
  const wraps = createBalanceBook();
  const copies = createBalanceBook(MAX_COPIES);
  const owners = new Map<bigint, Address>();
  let misplaced: Misplaced | undefined;
  let undecodedAt: bigint | undefined;
  let debtWithoutWraps: Debt | undefined;
  let ranged = 0n;
  let range: Range | undefined;
  let transaction = createTransaction();

  function endTransaction(): void {
    const { mints, block, senders } = transaction;
    for (const { from, to, amount } of transaction.wraps) {
      if (mints.has(`${from} ${to} ${amount}`)) continue;
      amounts.move(from, to, amount);
      wraps.move(from, to, amount);
    }
    for (const sender of senders)
      if (amounts.get(sender) < wraps.get(sender)) debtWithoutWraps ??= { key: sender, block };
    amounts.settle(block);
    copies.settle(block);
    if (wraps.size === 0) debtWithoutWraps = amounts.firstDebt;
  }

  function setOwner(tokenId: bigint, from: Address, to: Address, block: bigint): void {
    const owner = owners.get(tokenId);
    if ((owner ?? ZERO_ADDRESS) !== from) misplaced ??= { tokenId, block };
    if (to === ZERO_ADDRESS) owners.delete(tokenId);
    else if (owners.size >= MAX_BALANCES) throw createTooManyError();
    else owners.set(tokenId, to);
  }

  function addTransfer(log: Log): boolean {
    const plain = decodePlainTransfer(log);
    if (!plain) return false;
    const { from, to, value, isValueIndexed } = plain;
    const is = standard();
    const isNft = is === 'byForm' || is === undefined ? isValueIndexed : is === 'erc721';
    if (isNft) {
      setOwner(value, from, to, log.blockNumber);
      return true;
    }
    const parties = [toKey(from), toKey(to)] as const;
    const [source, target] = parties;
    if (source === undefined || target === undefined) transaction.mints.add(`${source} ${target} ${value}`);
    if (source !== undefined && (wraps.size > 0 || transaction.wraps.length > 0))
      transaction.senders.push(source);
    amounts.move(source, target, value);
    return true;
  }

  function addMovements(log: Log): boolean {
    const movements = decodeNftMovements(log);
    for (const { standard: kind, tokenId, lastTokenId, from, to, amount } of movements ?? []) {
      if (kind === 'erc1155') {
        const [source, target] = [toKey(from), toKey(to)].map((key) => key && `${tokenId} ${key}`);
        copies.move(source, target, amount);
        continue;
      }
      const last = lastTokenId ?? tokenId;
      // A hostile contract can move the same range again with each log.
      ranged += last - tokenId;
      if (ranged >= MAX_RANGED) throw createTooManyError();
      range = { next: tokenId, last, from, to, block: log.blockNumber };
    }
    return movements !== undefined;
  }

  function addWrap({ topics, data }: Log): boolean {
    const fields = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? [])];
    const [account, value] = fields;
    if (account === undefined || value === undefined || fields.length !== 2 || data.length % 64 !== 2)
      return false;
    const holder = `0x${account.slice(-40)}`;
    const amount = BigInt(`0x${value.replace(/^0x/, '')}`);
    const isDeposit = topics[0] === DEPOSIT;
    transaction.wraps.push({
      from: isDeposit ? undefined : holder,
      to: isDeposit ? holder : undefined,
      amount,
    });
    return true;
  }

  return {
    /** With what was wrapped. */
    amounts,
    /** What was wrapped, and not unwrapped, by deposits without a `Transfer`. */
    wraps,
    /** The amounts without what was wrapped. */
    *amountsWithoutWraps(): Generator<BookEntry> {
      for (const [key, amount] of amounts.entries()) yield [key, amount - wraps.get(key)];
      for (const [key, wrapped] of wraps.entries()) if (!amounts.has(key)) yield [key, -wrapped];
    },
    /** By token ID and holder, with a space between. */
    copies,
    owners,
    /** The first balance below zero if deposits and withdrawals do not count. */
    get debtWithoutWraps() {
      return debtWithoutWraps;
    },
    add(log: Log): void {
      if (log.transactionHash !== transaction.hash) {
        endTransaction();
        transaction = createTransaction(log);
      }
      const [topic0] = log.topics;
      const isDecoded =
        topic0 === TRANSFER
          ? addTransfer(log)
          : topic0 === DEPOSIT || topic0 === WITHDRAWAL
            ? addWrap(log)
            : addMovements(log);
      if (!isDecoded) undecodedAt ??= log.blockNumber;
    },
    /** Moves some IDs of the range of the last log; whether more are left. Call it until then. */
    advance(): boolean {
      if (!range) return false;
      const { from, to, block, last } = range;
      for (let count = 0; count < IDS_AT_ONCE && range.next <= last; count++)
        setOwner(range.next++, from, to, block);
      if (range.next > last) range = undefined;
      return range !== undefined;
    },
    /** Call it after the last log. */
    end: endTransaction,
    /** The first NFT that was moved from someone who did not own it. */
    get misplaced() {
      return misplaced;
    },
    /** The first block with a transfer that could not be decoded. */
    get undecodedAt() {
      return undecodedAt;
    },
  };
}

export type TokenLedger = ReturnType<typeof createTokenLedger>;

/** Token IDs that one log moves (ERC-2309). */
interface Range {
  next: bigint;
  readonly last: bigint;
  readonly from: Address;
  readonly to: Address;
  readonly block: bigint;
}

interface Transaction {
  readonly hash: Hex;
  readonly block: bigint;
  /** Deposits and withdrawals: some contracts also emit a `Transfer` for them. */
  readonly wraps: {
    readonly from: string | undefined;
    readonly to: string | undefined;
    readonly amount: bigint;
  }[];
  readonly mints: Set<string>;
  /** Who sent something, once something was wrapped. */
  readonly senders: string[];
}

function createTransaction(log?: Log): Transaction {
  const { transactionHash: hash = '0x', blockNumber: block = 0n } = log ?? {};
  return { hash, block, wraps: [], mints: new Set(), senders: [] };
}

function toKey(address: Address): Address | undefined {
  return address === ZERO_ADDRESS ? undefined : address;
}
