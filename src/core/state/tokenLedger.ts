import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';
import { decodeNftMovements, decodePlainTransfer, transferEvents } from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import { createBalanceBook, createTooManyError, MAX_BALANCES } from './balanceBook.ts';

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
 * for (const log of logs) ledger.add(log);
 * ledger.amounts.get('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
 */
export function createTokenLedger(standard: () => TransferStandard | undefined) {
  const amounts = createBalanceBook();
  const copies = createBalanceBook();
  const owners = new Map<bigint, Address>();
  let misplaced: Misplaced | undefined;
  let undecodedAt: bigint | undefined;
  let transaction: Transaction = { hash: '0x', block: 0n, wraps: [], mints: new Set() };

  function endTransaction(): void {
    const { wraps, mints, block } = transaction;
    for (const { from, to, amount } of wraps)
      if (!mints.has(`${from} ${to} ${amount}`)) amounts.move(from, to, amount);
    amounts.settle(block);
    copies.settle(block);
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
    if (parties.includes(undefined)) transaction.mints.add(`${parties[0]} ${parties[1]} ${value}`);
    amounts.move(...parties, value);
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
      if (last - tokenId >= BigInt(MAX_BALANCES)) throw createTooManyError();
      for (let id = tokenId; id <= last; id++) setOwner(id, from, to, log.blockNumber);
    }
    return movements !== undefined;
  }

  function addWrap({ topics, data }: Log): boolean {
    // ERC-4626 vaults and others have events of these names with other parameters, and so other topics.
    if (topics.length !== 2 || data.length !== 2 + 64) return false;
    const holder = `0x${topics[1]?.slice(-40)}`;
    const amount = BigInt(data);
    const isDeposit = topics[0] === DEPOSIT;
    transaction.wraps.push({
      from: isDeposit ? undefined : holder,
      to: isDeposit ? holder : undefined,
      amount,
    });
    return true;
  }

  return {
    amounts,
    copies,
    owners,
    add(log: Log): void {
      if (log.transactionHash !== transaction.hash) {
        endTransaction();
        transaction = { hash: log.transactionHash, block: log.blockNumber, wraps: [], mints: new Set() };
      }
      const [topic0] = log.topics;
      const isDecoded =
        topic0 === TRANSFER
          ? addTransfer(log)
          : topic0 === DEPOSIT || topic0 === WITHDRAWAL
            ? addWrap(log) || true
            : addMovements(log);
      if (!isDecoded) undecodedAt ??= log.blockNumber;
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
}

function toKey(address: Address): Address | undefined {
  return address === ZERO_ADDRESS ? undefined : address;
}
