import { toAbiWord } from '../abi/encode.ts';
import { isAppError } from '../base/errors.ts';
import { decimal } from '../base/ownText.ts';
import { createMessage, type Message } from '../base/text.ts';
import { forEachInSlices, toSortedInSlices } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { ALL_APPROVAL_TOPICS, APPROVAL_TOPICS, type Approval, PERMIT2, readApprovals } from './approvals.ts';
import { createTooManyError, MAX_BALANCES } from './balanceBook.ts';
import type { StateQuery, StateRow } from './contractState.ts';
import { callForEach, createStateCall, NOBODY, type StateCall } from './stateCalls.ts';
import type { ReaderContext, StateComparison, StateReader } from './stateReader.ts';

type AllowanceRow = Extract<StateRow, { kind: 'allowance' }>;

/** Approvals whose allowance is requested, the latest ones, unless all are. */
const MAX_REQUESTED = 20_000;
/** Tokens that do not say what is allowed; more are not named. */
const MAX_SILENT = 5;

const TOTAL_SUPPLY = toSelector('totalSupply()');
const ALLOWANCE = toSelector('allowance(address,address)');
const PERMIT2_ALLOWANCE = toSelector('allowance(address,address,address)');
const IS_APPROVED_FOR_ALL = toSelector('isApprovedForAll(address,address)');

interface AllowancesClient
  extends Pick<ChainClient, 'callAtBlock' | 'getBlockNumber' | 'getCode'>,
    Partial<Pick<ChainClient, 'fetchBlockHeader'>> {}

/**
 * Finds allowances: who may have one is what `Approval` logs say; how much is left is what the token says, since
 * `transferFrom` lowers it without a log.
 *
 * The address is a token, or, without an owner, also an account: then its allowances of all tokens, and those that
 * Permit2 manages.
 *
 * @throws AppError of the network; `historyUnavailable` if the node lacks the state of the block.
 * @example const reader = await createAllowancesReader(query, client, context);
 */
export async function createAllowancesReader(
  { address, owner, block }: StateQuery,
  client: AllowancesClient,
  { signal }: ReaderContext,
): Promise<StateReader> {
  const { isAccount, reasons, restsOn } =
    owner === undefined ? await findKind(address, block, client, { signal }) : TOKEN;
  const account = isAccount ? address : owner;
  const approvals = new Set<string>();
  let undecodedAt: bigint | undefined;

  function add(approval: Approval): void {
    const key = toKey(approval);
    // The latest ones are last.
    approvals.delete(key);
    if (approvals.size >= MAX_BALANCES) throw createTooManyError();
    approvals.add(key);
  }

  return {
    filter: isAccount
      ? { addresses: [], topics: [ALL_APPROVAL_TOPICS, [toAbiWord(address)]] }
      : { addresses: [address], topics: [APPROVAL_TOPICS, ...(owner ? [[toAbiWord(owner)]] : [])] },
    async add(logs, { slices }) {
      for (const log of logs) {
        const read = readApprovals(log, !isAccount);
        if (!read) undecodedAt ??= log.blockNumber;
        for (const approval of read ?? [])
          if (account === undefined || approval.owner === account) add(approval);
        if (slices.isOver()) await slices.rest({ signal });
      }
    },
    /** None before the calls: logs do not give the values. */
    rows: async () => [],
    reasons: () => [
      ...reasons,
      ...(undecodedAt === undefined
        ? []
        : [
            createMessage(
              'An approval in block {0} could not be decoded, so allowances may be missing.',
              decimal(undecodedAt),
            ),
          ]),
    ],
    async compare(_, { call, isExhaustive, expected, slices }) {
      const seen = approvals.size;
      const missing = new Set(expected.map((each) => each.address));
      const givers = new Set(owner === undefined ? [] : [`${address} ${owner}`]);
      const visit = (key: string) => {
        const { token, owner: from, spender } = parseKey(key);
        missing.delete(spender);
        if (isAccount || expected.length > 0) givers.add(`${token} ${from}`);
      };
      await forEachInSlices(approvals, visit, { slices, signal });
      const possible = missing.size > 0 ? [...givers].slice(-Math.ceil(MAX_REQUESTED / missing.size)) : [];
      for (const spender of missing) for (const giver of possible) add(parseKey(`${giver} ${spender}`));
      // Some tokens let Permit2 spend for everyone, as those of Solady do.
      if (account !== undefined) for (const giver of givers) add(parseKey(`${giver} ${PERMIT2}`));
      const all = [...approvals];
      const requested = isExhaustive ? all : all.slice(-MAX_REQUESTED);
      const time = requested.some((key) => key.endsWith(IS_PERMIT2))
        ? (await client.fetchBlockHeader?.(block, { signal }))?.time
        : undefined;
      const values = await callForEach(requested, (key) => fetchAllowance(parseKey(key), time, call));
      const rows: AllowanceRow[] = [];
      const silent = new Set<Address>();
      const addRow = ([index, key]: readonly [number, string]) => {
        const { token, owner: from, spender } = parseKey(key);
        const allowed = values[index];
        if (allowed === undefined) silent.add(token);
        else if (allowed.value > 0n)
          rows.push({ kind: 'allowance', token, owner: from, spender, ...allowed });
      };
      await forEachInSlices(requested.entries(), addRow, { slices, signal });
      return {
        compared: { equal: rows.length, compared: rows.length, of: rows.length, totalSupply: undefined },
        isClosed: false,
        restsOn,
        rows: await toSortedInSlices(rows, compareAllowances, { slices, signal }),
        reasons: [
          ...[...silent].slice(0, MAX_SILENT).map(describeSilent),
          ...(requested.length < all.length ? [describeSkipped(requested.length, seen)] : []),
          ...(account === undefined ? await findAllowedForAll(address, call) : []),
        ],
      };
    },
  };
}

/** One text, since many approvals need less memory so. */
function toKey({ token, owner, spender, isPermit2 }: Approval): string {
  return [token, owner, spender, ...(isPermit2 ? [IS_PERMIT2] : [])].join(' ');
}

function parseKey(key: string): Approval {
  const [token, owner, spender, mark] = key.split(' ') as [Address, Address, Address, string?];
  return { token, owner, spender, isPermit2: mark === IS_PERMIT2 };
}

const IS_PERMIT2 = 'permit2';

/** Undefined if the contract does not tell. */
async function fetchAllowance(
  { token, owner, spender, isPermit2 }: Approval,
  time: number | undefined,
  call: StateCall,
): Promise<Pick<AllowanceRow, 'permit2Until' | 'value'> | undefined> {
  const data = isPermit2
    ? encodeCall(PERMIT2_ALLOWANCE, [owner, token, spender])
    : encodeCall(ALLOWANCE, [owner, spender]);
  const result = await call(isPermit2 ? PERMIT2 : token, data).catch((error: unknown) => {
    // One token that fails in a way of its own must not hide the allowances of others.
    if (isAppError(error, 'rpc') || isAppError(error, 'badResponse')) return undefined;
    throw error;
  });
  const value = result === undefined ? undefined : decodeUint(result);
  if (result === undefined || value === undefined || !isPermit2)
    return value === undefined ? undefined : { value };
  const permit2Until = decodeUint(`0x${result.slice(2 + 64)}`);
  if (permit2Until === undefined) return undefined;
  const isOver = time !== undefined && BigInt(Math.floor(time / 1000)) > permit2Until;
  return { value: isOver ? 0n : value, permit2Until };
}

const encodeCall = (selector: Hex, parties: readonly Address[]): Hex =>
  `${selector}${parties.map((party) => toAbiWord(party).slice(2)).join('')}`;

function describeSilent(token: Address): Message {
  return createMessage('{0} logged an approval, but does not say what is left of it.', token);
}

function describeSkipped(requested: number, all: number): Message {
  return createMessage('Only the latest {0} of {1} approvals were looked up.', requested, all);
}

async function findAllowedForAll(token: Address, call: StateCall): Promise<readonly Message[]> {
  const approval = { token, owner: NOBODY, spender: PERMIT2, isPermit2: false };
  const allowed = await fetchAllowance(approval, undefined, call);
  if (!allowed?.value) return [];
  return [createMessage('The token lets {0} (Permit2) spend for every owner, without a log.', PERMIT2)];
}

/** Whether the address has allowances of its own, or gives those of tokens. */
interface AddressKind extends Pick<StateComparison, 'reasons' | 'restsOn'> {
  readonly isAccount: boolean;
}

const TOKEN: AddressKind = { isAccount: false, reasons: [] };

/** An account may be a contract, too. */
async function findKind(
  address: Address,
  block: bigint,
  client: AllowancesClient,
  options: Pick<ReaderContext, 'signal'>,
): Promise<AddressKind> {
  const call = createStateCall(client, block, options);
  const pairs: readonly (readonly Address[])[] = [
    [address, address],
    // Some tokens revert for themselves.
    [NOBODY, PERMIT2],
  ];
  const results = await callForEach(pairs, (pair) => call(address, encodeCall(ALLOWANCE, pair)));
  const isWord = (result: Hex | undefined) => result !== undefined && decodeUint(result) !== undefined;
  if (results.some(isWord)) return TOKEN;
  const fetchCode = (at: bigint) =>
    client.getCode({ to: address, block: at }, options).catch((error: unknown) => {
      if (isAppError(error, 'notServed')) return undefined;
      throw error;
    });
  const code = await fetchCode(block);
  const isContract = (each: Hex | undefined) => each !== '0x' && !each?.startsWith(DELEGATION);
  if (code === '0x') {
    const now = await fetchCode(await client.getBlockNumber(options));
    const reasons = now !== undefined && isContract(now) ? [describeNoCode(address, block)] : [];
    return { isAccount: true, reasons };
  }
  if (!isContract(code)) return { isAccount: true, reasons: [] };
  const [supply, operator] = await Promise.all([
    call(address, TOTAL_SUPPLY),
    call(address, encodeCall(IS_APPROVED_FOR_ALL, [NOBODY, PERMIT2])),
  ]);
  if (isWord(operator)) return { isAccount: true, reasons: [createMessage(NFTS, address)] };
  return isWord(supply)
    ? { isAccount: true, reasons: [createMessage(TOKEN_WITHOUT_ALLOWANCES, address)] }
    : { isAccount: true, reasons: [], restsOn: [createMessage(NO_ALLOWANCES, address)] };
}

/** Of the code of an account that delegates, by EIP-7702. */
const DELEGATION = '0xef0100';

const NO_ALLOWANCES =
  '{0} returns no allowances of its own, so those that it gave in other tokens are listed.';

const TOKEN_WITHOUT_ALLOWANCES =
  '{0} has a total supply, as a token has, but returns no allowances. Only those that it gave in other tokens are listed.';

const NFTS =
  '{0} is an NFT contract, whose approvals are not listed. Only allowances that it gave in other tokens are.';

function describeNoCode(address: Address, block: bigint): Message {
  return createMessage(
    'There is no code at {0} in block {1}, but there is now: the contract is newer, or the endpoint lacks the state of the block.',
    address,
    decimal(block),
  );
}

/** By token and owner, the largest first. */
function compareAllowances(one: AllowanceRow, other: AllowanceRow): number {
  return (
    compareValues(one.token, other.token) ||
    compareValues(one.owner, other.owner) ||
    compareValues(other.value, one.value) ||
    compareValues(one.spender, other.spender)
  );
}
