import { toAbiWord } from '../abi/encode.ts';
import { createMessage, type Message } from '../base/text.ts';
import { sortInSlices } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { decodePlainTransfer } from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import type { Debt } from './balanceBook.ts';
import type { StateRow } from './contractState.ts';
import { callForEach, chooseCompared, type StateCall } from './stateCalls.ts';
import type { CompareContext, ReaderContext, StateComparison, StateReader } from './stateReader.ts';
import { createTokenLedger, isTransfer, TOKEN_TOPICS } from './tokenLedger.ts';

type HolderRow = Extract<StateRow, { kind: 'balance' | 'token' | 'tokenBalance' }>;

/** Logs between two looks at the clock. */
const LOGS_PER_LOOK = 256;
/** Holders that have sold everything, of which the contract is asked, too: they show balances that rise without a log. */
const MAX_FORMER_HOLDERS = 100;
/** IDs of ERC-1155 whose total supply is compared. */
const MAX_SUPPLY_IDS = 50;

const BALANCE_OF = toSelector('balanceOf(address)');
const OWNER_OF = toSelector('ownerOf(uint256)');
const BALANCE_OF_ID = toSelector('balanceOf(address,uint256)');
const TOTAL_SUPPLY = toSelector('totalSupply()');
const TOTAL_SUPPLY_OF = toSelector('totalSupply(uint256)');

/**
 * Makes the holders of a token of its transfers: ERC-20, ERC-721 with ERC-2309, and ERC-1155.
 *
 * @example const reader = createHoldersReader({ address: token }, client);
 */
export function createHoldersReader(
  { address }: { readonly address: Address },
  client: Partial<Pick<ChainClient, 'fetchTransferStandard'>>,
): StateReader {
  let standard: TransferStandard | undefined;
  let isAsked = false;
  const ledger = createTokenLedger(() => standard);

  /** The form of a log does not say whether its value is an amount: the contract does, where it can. */
  async function findStandard(logs: Parameters<StateReader['add']>[0], options: ReaderContext) {
    const first = isAsked ? undefined : logs.find(isTransfer);
    const plain = first && decodePlainTransfer(first);
    if (!plain) return;
    standard = await client.fetchTransferStandard?.(address, plain.value, { signal: options.signal });
    isAsked = true;
  }

  return {
    filter: { addresses: [address], topics: [TOKEN_TOPICS] },
    async add(logs, context) {
      await findStandard(logs, context);
      for (const [index, log] of logs.entries()) {
        ledger.add(log);
        if (index % LOGS_PER_LOOK === 0 && context.slices.isOver())
          await context.slices.rest({ signal: context.signal });
      }
    },
    async rows(context) {
      ledger.end();
      const rows: HolderRow[] = [];
      for (const [holder, balance] of ledger.amounts.entries())
        if (balance > 0n) rows.push({ kind: 'balance', holder: holder as Address, balance });
      for (const [tokenId, owner] of ledger.owners) rows.push({ kind: 'token', tokenId, owner });
      for (const [key, balance] of ledger.copies.entries()) {
        const [id = '', holder] = key.split(' ');
        if (balance > 0n)
          rows.push({ kind: 'tokenBalance', id: BigInt(id), holder: holder as Address, balance });
      }
      return sortRows(rows, context);
    },
    reasons: () => [
      ...describeDebt(ledger.amounts.firstDebt),
      ...describeDebt(ledger.copies.firstDebt),
      ...(ledger.misplaced
        ? [
            createMessage(
              'Token ID {0} was moved in block {1} from someone who did not own it by earlier logs. The logs do not describe this token.',
              ledger.misplaced.tokenId.toString(),
              ledger.misplaced.block.toString(),
            ),
          ]
        : []),
      ...(ledger.undecodedAt === undefined
        ? []
        : [
            createMessage(
              'A transfer in block {0} could not be decoded, so holders may be wrong.',
              ledger.undecodedAt.toString(),
            ),
          ]),
    ],
    async compare(rows, context) {
      const former = [...ledger.amounts.entries()].flatMap(([holder, balance]) =>
        balance === 0n ? [holder as Address] : [],
      );
      const burned = await findBurned(address, ledger.amounts.burned, context.call);
      const all = [...burned, ...(rows as readonly HolderRow[])];
      const compared = await compareHolders(address, all, context);
      const [supply, risen] = await Promise.all([
        compareSupply(address, all, context.call),
        findRisen(address, former.slice(0, MAX_FORMER_HOLDERS), context.call),
      ]);
      return {
        proof: { ...compared.proof, totalSupply: supply.isEqual },
        reasons: [...compared.reasons, ...risen, ...supply.reasons],
        ...(burned.length > 0 && { rows: all }),
      };
    },
  };
}

function describeDebt(debt: Debt | undefined): readonly Message[] {
  if (!debt) return [];
  return [
    createMessage(
      'The transfers give {0} a balance below zero in block {1}: the token changes balances without a Transfer log.',
      debt.key.split(' ').at(-1) ?? '',
      debt.block.toString(),
    ),
  ];
}

async function sortRows(
  rows: readonly HolderRow[],
  { slices, signal }: ReaderContext,
): Promise<readonly HolderRow[]> {
  const order = await sortInSlices(
    Uint32Array.from(rows.keys()),
    (one, other) => compareRows(rows[one] as HolderRow, rows[other] as HolderRow) || one - other,
    { slices, signal },
  );
  return Array.from(order, (index) => rows[index] as HolderRow);
}

/** Amounts from the largest down, then token IDs from the lowest up. */
function compareRows(one: HolderRow, other: HolderRow): number {
  if (one.kind !== other.kind) return compareValues(one.kind, other.kind);
  if (one.kind === 'token') return compareValues(one.tokenId, (other as typeof one).tokenId);
  const byId = one.kind === 'tokenBalance' ? compareValues(one.id, (other as typeof one).id) : 0;
  const { balance, holder } = other as Extract<HolderRow, { kind: 'balance' | 'tokenBalance' }>;
  return byId || compareValues(balance, one.balance) || compareValues(one.holder, holder);
}

/** Some tokens let the zero address hold what is burned: what was sent there then belongs to the total supply. */
async function findBurned(
  token: Address,
  burned: bigint,
  call: StateCall,
): Promise<readonly Extract<HolderRow, { kind: 'balance' }>[]> {
  if (burned === 0n) return [];
  const held = await call(token, encodeBalanceOf(ZERO_ADDRESS));
  const isHeld = held !== undefined && decodeUint(held) === burned;
  return isHeld ? [{ kind: 'balance', holder: ZERO_ADDRESS, balance: burned }] : [];
}

async function compareHolders(
  token: Address,
  rows: readonly HolderRow[],
  { call, isExhaustive }: CompareContext,
): Promise<Omit<StateComparison, 'rows'>> {
  const chosen = isExhaustive ? rows : chooseCompared(rows);
  const words = await callForEach(chosen, (row) => call(token, encodeCheck(row)));
  const differing = chosen.flatMap((row, index) => {
    const word = words[index];
    const found = word === undefined ? undefined : decodeUint(word);
    return found === getExpected(row) ? [] : [{ row, found }];
  });
  const [first] = differing;
  return {
    proof: {
      equal: chosen.length - differing.length,
      compared: chosen.length,
      of: rows.length,
      totalSupply: undefined,
    },
    reasons: first ? [describeDifference(first.row, first.found)] : [],
  };
}

function encodeCheck(row: HolderRow): Hex {
  switch (row.kind) {
    case 'balance':
      return encodeBalanceOf(row.holder);
    case 'token':
      return `${OWNER_OF}${toAbiWord(row.tokenId).slice(2)}`;
    case 'tokenBalance':
      return `${BALANCE_OF_ID}${toAbiWord(row.holder).slice(2)}${toAbiWord(row.id).slice(2)}`;
  }
}

const encodeBalanceOf = (holder: Address): Hex => `${BALANCE_OF}${toAbiWord(holder).slice(2)}`;

const getExpected = (row: HolderRow) => (row.kind === 'token' ? BigInt(row.owner) : row.balance);

function describeDifference(row: HolderRow, found: bigint | undefined): Message {
  if (row.kind === 'token')
    return createMessage(
      'By the logs, {0} owns token ID {1}. The contract says {2}.',
      row.owner,
      row.tokenId.toString(),
      found === undefined ? createMessage('nothing') : `0x${toAbiWord(found).slice(-40)}`,
    );
  return createMessage(
    'By the logs, the balance of {0} is {1}. The contract says {2}: it changes balances without a Transfer log, as tokens do that rebase, take fees or pay interest.',
    row.holder,
    row.balance.toString(),
    found === undefined ? createMessage('nothing') : found.toString(),
  );
}

/** Addresses that sent everything away, and have a balance nevertheless. */
async function findRisen(
  token: Address,
  former: readonly Address[],
  call: StateCall,
): Promise<readonly Message[]> {
  const words = await callForEach(former, (holder) => call(token, encodeBalanceOf(holder)));
  const at = words.findIndex((word) => word !== undefined && (decodeUint(word) ?? 0n) > 0n);
  const [holder, word] = [former[at], words[at]];
  if (holder === undefined || word === undefined) return [];
  return [describeDifference({ kind: 'balance', holder, balance: 0n }, decodeUint(word))];
}

interface SupplyComparison {
  /** Undefined if the contract has no total supply. */
  readonly isEqual: boolean | undefined;
  readonly reasons: readonly Message[];
}

async function compareSupply(
  token: Address,
  rows: readonly HolderRow[],
  call: StateCall,
): Promise<SupplyComparison> {
  const copies = rows.filter((row) => row.kind === 'tokenBalance');
  if (copies.length > 0) return compareSupplyOfIds(token, copies, call);
  const balances = rows.filter((row) => row.kind === 'balance');
  const isNft = balances.length === 0 && rows.length > 0;
  const sum = isNft ? BigInt(rows.length) : balances.reduce((total, { balance }) => total + balance, 0n);
  return compareOne(sum, await call(token, TOTAL_SUPPLY), isNft);
}

function compareOne(sum: bigint, word: Hex | undefined, isNft: boolean): SupplyComparison {
  const supply = word === undefined ? undefined : decodeUint(word);
  if (supply === undefined || supply === sum)
    return { isEqual: supply === undefined ? undefined : true, reasons: [] };
  const template = isNft
    ? 'The logs give {0} tokens an owner. The total supply is {1}.'
    : 'The balances sum up to {0}. The total supply is {1}, so there are holders or amounts without a Transfer log.';
  return { isEqual: false, reasons: [createMessage(template, sum.toString(), supply.toString())] };
}

async function compareSupplyOfIds(
  token: Address,
  rows: readonly Extract<HolderRow, { kind: 'tokenBalance' }>[],
  call: StateCall,
): Promise<SupplyComparison> {
  const sums = new Map<bigint, bigint>();
  for (const { id, balance } of rows) sums.set(id, (sums.get(id) ?? 0n) + balance);
  const ids = [...sums].slice(0, MAX_SUPPLY_IDS);
  const words = await callForEach(ids, ([id]) => call(token, `${TOTAL_SUPPLY_OF}${toAbiWord(id).slice(2)}`));
  const compared = ids.map(([, sum], index) => compareOne(sum, words[index], false));
  return (
    compared.find(({ isEqual }) => isEqual === false) ??
    compared.find(({ isEqual }) => isEqual === undefined) ??
    compared[0] ?? { isEqual: undefined, reasons: [] }
  );
}
