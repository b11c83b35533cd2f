import { toAbiWord } from '../abi/encode.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { forEachInSlices, toSortedInSlices } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { decodePlainTransfer } from '../tokens/transferEvents.ts';
import type { TransferStandard } from '../tokens/transferStandard.ts';
import type { BookEntry, Debt } from './balanceBook.ts';
import type { StateRow } from './contractState.ts';
import { callForEach, chooseCompared, MAX_COMPARED, NOBODY, type StateCall } from './stateCalls.ts';
import type { CompareContext, ReaderContext, StateComparison, StateReader } from './stateReader.ts';
import { createTokenLedger, isTransfer, TOKEN_TOPICS, type TokenLedger } from './tokenLedger.ts';

type HolderRow = Extract<StateRow, { kind: 'balance' | 'token' | 'tokenBalance' }>;

/** Logs between two looks at the clock. */
const LOGS_PER_LOOK = 256;
/** Holders that have sold everything, whose balance is read, too: they show balances that rise without a log. */
const MAX_FORMER_HOLDERS = 100;
/** Balances of expected holders by token ID. */
const MAX_EXPECTED_BALANCES = 20_000;

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
  let isStandardFetched = false;
  let isWrapper = true;
  const ledger = createTokenLedger(() => standard);

  /** The form of a log does not say whether its value is an amount: the contract does, where it can. */
  async function findStandard(logs: Parameters<StateReader['add']>[0], options: ReaderContext) {
    const first = isStandardFetched ? undefined : logs.find(isTransfer);
    const plain = first && decodePlainTransfer(first);
    if (!plain) return;
    standard = await client.fetchTransferStandard?.(address, plain.value, { signal: options.signal });
    isStandardFetched = true;
  }

  return {
    filter: { addresses: [address], topics: [TOKEN_TOPICS] },
    async add(logs, context) {
      await findStandard(logs, context);
      for (const [index, log] of logs.entries()) {
        ledger.add(log);
        while (ledger.advance()) if (context.slices.isOver()) await context.slices.rest(context);
        if (index % LOGS_PER_LOOK === 0 && context.slices.isOver()) await context.slices.rest(context);
      }
    },
    async rows(context) {
      ledger.end();
      isWrapper = await findWhetherWrapper(address, ledger, context);
      const rows: HolderRow[] = [];
      const addBalance = ([key, balance]: BookEntry) => {
        if (balance > 0n) rows.push(toBalanceRow(key, balance));
      };
      const addCopies = ([key, balance]: BookEntry) => {
        if (balance > 0n) rows.push(toCopiesRow(key, balance));
      };
      await forEachInSlices(listAmounts(ledger, isWrapper), addBalance, context);
      await forEachInSlices(
        ledger.owners,
        ([tokenId, owner]) => rows.push({ kind: 'token', tokenId, owner }),
        context,
      );
      await forEachInSlices(ledger.copies.entries(), addCopies, context);
      return toSortedInSlices(rows, compareRows, context);
    },
    reasons: () => [
      ...describeDebt(isWrapper ? ledger.amounts.firstDebt : ledger.debtWithoutWraps),
      ...describeDebt(ledger.copies.firstDebt),
      ...(ledger.misplaced
        ? [
            createMessage(
              'Token ID {0} was moved in block {1} from someone who did not own it by earlier logs. The logs do not describe this token.',
              decimal(ledger.misplaced.tokenId),
              decimal(ledger.misplaced.block),
            ),
          ]
        : []),
      ...(ledger.undecodedAt === undefined
        ? []
        : [
            createMessage(
              'A transfer in block {0} could not be decoded, so holders may be wrong.',
              decimal(ledger.undecodedAt),
            ),
          ]),
    ],
    async compare(rows, context) {
      const burned = await findBurned(address, ledger.amounts.burned, context.call);
      const holders = rows as readonly HolderRow[];
      const all = burned.length > 0 ? [...burned, ...holders] : holders;
      const compared = await compareHolders(address, all, context);
      const unlogged = await findUnlogged(all, ledger, context);
      const former = await findFormer(ledger, isWrapper, context);
      const [supply, risen, miscounted] = await Promise.all([
        compareSupply(address, all, ledger, context),
        findRisen(address, [...unlogged, ...former], context.call),
        findMiscounted(address, all, context),
      ]);
      const { equal, of } = compared.compared;
      // An ERC-1155 has only the token IDs of its logs here, and a token of two kinds has one supply for both. Rows are
      // sorted by kind.
      const isPlain = ledger.copies.size === 0 && all[0]?.kind === all.at(-1)?.kind;
      return {
        compared: { ...compared.compared, totalSupply: supply.isEqual },
        isClosed: isPlain && supply.isEqual === true && equal === of,
        reasons: [...compared.reasons, ...risen, ...miscounted, ...supply.reasons],
        restsOn: supply.restsOn,
        ...(burned.length > 0 && { rows: all }),
      };
    },
  };
}

/**
 * Whether deposits mint and withdrawals burn, as those of WETH9 do: elsewhere events of these names stand for staking,
 * for instance. They do not if the token adds up without them.
 */
async function findWhetherWrapper(
  token: Address,
  ledger: TokenLedger,
  context: CompareContext,
): Promise<boolean> {
  if (ledger.wraps.size === 0 || ledger.debtWithoutWraps !== undefined) return true;
  let sum = 0n;
  const add = ([, balance]: BookEntry) => {
    sum += balance;
  };
  await forEachInSlices(ledger.amountsWithoutWraps(), add, context);
  // Without the state of the block, nothing is confirmed anyway.
  const supply = await context.call(token, TOTAL_SUPPLY).catch(() => undefined);
  return supply === undefined || decodeUint(supply) !== sum;
}

function listAmounts(ledger: TokenLedger, isWrapper: boolean): Iterable<BookEntry> {
  return isWrapper ? ledger.amounts.entries() : ledger.amountsWithoutWraps();
}

function toBalanceRow(key: string, balance: bigint): HolderRow {
  return { kind: 'balance', holder: key as Address, balance };
}

function toCopiesRow(key: string, balance: bigint): HolderRow {
  const [id = '', holder] = key.split(' ');
  return { kind: 'tokenBalance', id: BigInt(id), holder: holder as Address, balance };
}

/** Some that sent all away. */
async function findFormer(
  ledger: TokenLedger,
  isWrapper: boolean,
  context: CompareContext,
): Promise<readonly HolderRow[]> {
  const former: HolderRow[] = [];
  const add = ([key, balance]: BookEntry, toRow: (key: string, balance: bigint) => HolderRow) => {
    if (balance === 0n && former.length < MAX_FORMER_HOLDERS) former.push(toRow(key, 0n));
  };
  await forEachInSlices(listAmounts(ledger, isWrapper), (entry) => add(entry, toBalanceRow), context);
  await forEachInSlices(ledger.copies.entries(), (entry) => add(entry, toCopiesRow), context);
  return former;
}

/** Who should hold something, and holds nothing by the logs; of an ERC-1155 of each known token ID. */
async function findUnlogged(
  rows: readonly HolderRow[],
  { copies }: TokenLedger,
  context: CompareContext,
): Promise<readonly HolderRow[]> {
  // Anyone may send something to nobody.
  const unlogged = new Set([NOBODY, ...context.expected.map(({ address }) => address)]);
  const remove = (row: HolderRow) => unlogged.delete(row.kind === 'token' ? row.owner : row.holder);
  await forEachInSlices(rows, remove, context);
  const nobody = unlogged.delete(NOBODY) ? [NOBODY] : [];
  const missing = [...unlogged];
  if (copies.size === 0) return [...nobody, ...missing].map((holder) => toBalanceRow(holder, 0n));
  const most = missing.length === 0 ? 1 : Math.ceil(MAX_EXPECTED_BALANCES / missing.length);
  const ids = new Set<bigint>();
  const addId = ([key]: BookEntry) => {
    if (ids.size < most) ids.add(readTokenId(key));
  };
  await forEachInSlices(copies.entries(), addId, context);
  const toRows = (holder: Address, some: readonly bigint[]) =>
    some.map((id) => ({ kind: 'tokenBalance', id, holder, balance: 0n }) as const);
  return [
    ...nobody.flatMap((holder) => toRows(holder, [...ids].slice(0, 1))),
    ...missing.flatMap((holder) => toRows(holder, [...ids])),
  ];
}

function describeDebt(debt: Debt | undefined): readonly Message[] {
  if (!debt) return [];
  return [
    createMessage(
      'The transfers give {0} a balance below zero in block {1}: the token changes balances without a Transfer log.',
      foreign(debt.key.split(' ').at(-1) ?? ''),
      decimal(debt.block),
    ),
  ];
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
  const balance = await call(token, encodeBalanceOf(ZERO_ADDRESS));
  const isInSupply = balance !== undefined && decodeUint(balance) === burned;
  return isInSupply ? [{ kind: 'balance', holder: ZERO_ADDRESS, balance: burned }] : [];
}

async function compareHolders(
  token: Address,
  rows: readonly HolderRow[],
  context: CompareContext,
): Promise<Pick<StateComparison, 'compared' | 'reasons'>> {
  const { call, isExhaustive } = context;
  const chosen = isExhaustive ? rows : chooseCompared(rows);
  const results = await callForEach(chosen, (row) => call(token, encodeCheck(row)));
  let equal = 0;
  let difference: Message | undefined;
  const compare = ([index, row]: readonly [number, HolderRow]) => {
    const word = results[index];
    const found = word === undefined ? undefined : decodeUint(word);
    if (found === getExpected(row)) equal += 1;
    else difference ??= describeDifference(row, found);
  };
  await forEachInSlices(chosen.entries(), compare, context);
  return {
    compared: { equal, compared: chosen.length, of: rows.length, totalSupply: undefined },
    reasons: difference ? [difference] : [],
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
      decimal(row.tokenId),
      found === undefined ? createMessage('nothing') : `0x${toAbiWord(found).slice(-40)}`,
    );
  return createMessage(
    'By the logs, the balance of {0} is {1}. The contract says {2}: it changes balances without a Transfer log, as tokens do that rebase, take fees or pay interest.',
    row.holder,
    decimal(row.balance),
    found === undefined ? createMessage('nothing') : decimal(found),
  );
}

/** Addresses that have nothing by the logs, and have a balance nevertheless. */
async function findRisen(
  token: Address,
  former: readonly HolderRow[],
  call: StateCall,
): Promise<readonly Message[]> {
  const results = await callForEach(former, (row) => call(token, encodeCheck(row)));
  const at = results.findIndex((word) => word !== undefined && (decodeUint(word) ?? 0n) > 0n);
  const [row, word] = [former[at], results[at]];
  return row && word !== undefined ? [describeDifference(row, decodeUint(word))] : [];
}

/** Owners of NFTs that have more or fewer of them than the logs say. */
async function findMiscounted(
  token: Address,
  rows: readonly HolderRow[],
  context: CompareContext,
): Promise<readonly Message[]> {
  const { call } = context;
  // A token of both kinds has one balance for both. Balances are the first rows.
  if (rows[0]?.kind === 'balance') return [];
  const counts = new Map<Address, bigint>();
  const count = (row: HolderRow) => {
    if (row.kind === 'token') counts.set(row.owner, (counts.get(row.owner) ?? 0n) + 1n);
  };
  await forEachInSlices(rows, count, context);
  const owners = [...counts].slice(0, MAX_COMPARED);
  const results = await callForEach(owners, ([owner]) => call(token, encodeBalanceOf(owner)));
  const at = results.findIndex((word, index) => {
    const balance = word === undefined ? undefined : decodeUint(word);
    return balance !== undefined && balance !== owners[index]?.[1];
  });
  const [owner, word] = [owners[at], results[at]];
  if (!owner || word === undefined) return [];
  return [
    createMessage(
      'By the logs, {0} owns {1} tokens. The contract says {2}, so there are transfers without a log.',
      owner[0],
      decimal(owner[1]),
      foreign(decodeUint(word)?.toString() ?? ''),
    ),
  ];
}

interface SupplyComparison {
  /** Undefined if the contract has no total supply. */
  readonly isEqual: boolean | undefined;
  readonly reasons: readonly Message[];
  readonly restsOn?: readonly Message[] | undefined;
}

async function compareSupply(
  token: Address,
  rows: readonly HolderRow[],
  { copies }: TokenLedger,
  context: CompareContext,
): Promise<SupplyComparison> {
  const { call } = context;
  if (copies.size > 0) return compareSupplyOfIds(token, copies, context);
  // Balances are the first rows.
  const isNft = rows.length > 0 && rows[0]?.kind !== 'balance';
  let sum = isNft ? BigInt(rows.length) : 0n;
  const add = (row: HolderRow) => {
    if (row.kind === 'balance') sum += row.balance;
  };
  if (!isNft) await forEachInSlices(rows, add, context);
  const compared = compareOne(sum, await call(token, TOTAL_SUPPLY), isNft);
  return compared.isEqual !== undefined || isNft
    ? compared
    : {
        ...compared,
        reasons: [
          createMessage('The contract has no total supply, so there may be holders without a Transfer log.'),
        ],
      };
}

function compareOne(sum: bigint, word: Hex | undefined, isNft: boolean): SupplyComparison {
  const supply = word === undefined ? undefined : decodeUint(word);
  if (supply === undefined || supply === sum)
    return { isEqual: supply === undefined ? undefined : true, reasons: [] };
  const template = isNft
    ? 'The logs give {0} tokens an owner. The total supply is {1}.'
    : 'The balances sum up to {0}. The total supply is {1}, so there are holders or amounts without a Transfer log.';
  return { isEqual: false, reasons: [createMessage(template, decimal(sum), decimal(supply))] };
}

const readTokenId = (key: string) => BigInt(key.slice(0, key.indexOf(' ')));

async function compareSupplyOfIds(
  token: Address,
  copies: TokenLedger['copies'],
  context: CompareContext,
): Promise<SupplyComparison> {
  const { call } = context;
  const sums = new Map<bigint, bigint>();
  const add = ([key, balance]: BookEntry) => {
    const id = readTokenId(key);
    sums.set(id, (sums.get(id) ?? 0n) + balance);
  };
  await forEachInSlices(copies.entries(), add, context);
  const ids = [...sums].slice(0, MAX_COMPARED);
  const results = await callForEach(ids, ([id]) =>
    call(token, `${TOTAL_SUPPLY_OF}${toAbiWord(id).slice(2)}`),
  );
  const compared = ids.map(([, sum], index) => compareOne(sum, results[index], false));
  const [worst] = [false, undefined, true].flatMap(
    (isEqual) => compared.find((one) => one.isEqual === isEqual) ?? [],
  );
  const isSample = sums.size > ids.length && worst?.isEqual === true;
  return {
    ...(worst ?? { isEqual: undefined, reasons: [] }),
    ...(isSample && {
      restsOn: [
        createMessage('The supply of only {0} of {1} token IDs was compared.', ids.length, sums.size),
      ],
    }),
  };
}
