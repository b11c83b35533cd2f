import { toAbiWord } from '../abi/encode.ts';
import { isAppError } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { ALL_APPROVAL_TOPICS, APPROVAL_TOPICS, type Approval, PERMIT2, readApproval } from './approvals.ts';
import { createTooManyError, MAX_BALANCES } from './balanceBook.ts';
import type { StateQuery, StateRow } from './contractState.ts';
import { callForEach, type StateCall } from './stateCalls.ts';
import type { ReaderContext, StateReader } from './stateReader.ts';

type AllowanceRow = Extract<StateRow, { kind: 'allowance' }>;

/** Approvals whose allowance is requested, the latest ones, unless all are. */
const MAX_REQUESTED = 20_000;
/** Tokens that do not say what is allowed; more are not named. */
const MAX_SILENT = 5;

const ALLOWANCE = toSelector('allowance(address,address)');
const PERMIT2_ALLOWANCE = toSelector('allowance(address,address,address)');
/** An address that has approved nothing, as nobody has its key. */
const NOBODY = `0x${'5e'.repeat(20)}` as Address;

interface AllowancesClient
  extends Pick<ChainClient, 'callAtBlock'>,
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
  const isAccount = owner === undefined && !(await isToken(address, block, client, { signal }));
  const account = isAccount ? address : owner;
  const approvals = new Map<string, Approval>();

  function add(approval: Approval): void {
    const { token, owner: from, spender, isPermit2 } = approval;
    const key = `${token} ${from} ${spender} ${isPermit2}`;
    // The latest ones are last.
    approvals.delete(key);
    if (approvals.size >= MAX_BALANCES) throw createTooManyError();
    approvals.set(key, approval);
  }

  return {
    filter: isAccount
      ? { addresses: [], topics: [ALL_APPROVAL_TOPICS, [toAbiWord(address)]] }
      : { addresses: [address], topics: [APPROVAL_TOPICS, ...(owner ? [[toAbiWord(owner)]] : [])] },
    async add(logs, { slices }) {
      for (const log of logs) {
        const approval = readApproval(log, !isAccount);
        if (approval) add(approval);
        if (slices.isOver()) await slices.rest({ signal });
      }
    },
    /** None before the calls: logs do not give the values. */
    rows: async () => [],
    reasons: () => [],
    async compare(_, { call, isExhaustive, expected }) {
      const spenders = new Set([...approvals.values()].map(({ spender }) => spender));
      for (const { address: spender } of expected)
        if (owner !== undefined && !spenders.has(spender))
          add({ token: address, owner, spender, isPermit2: false });
      const seen = approvals.size;
      const tokens = new Set(isAccount ? [...approvals.values()].map(({ token }) => token) : [address]);
      // Some tokens let Permit2 spend for everyone, as those of Solady do.
      if (account !== undefined)
        for (const token of tokens) add({ token, owner: account, spender: PERMIT2, isPermit2: false });
      const all = [...approvals.values()];
      const requested = isExhaustive ? all : all.slice(-MAX_REQUESTED);
      const time = requested.some(({ isPermit2 }) => isPermit2)
        ? (await client.fetchBlockHeader?.(block, { signal }))?.time
        : undefined;
      const values = await callForEach(requested, (approval) => fetchAllowance(approval, time, call));
      const rows = requested.flatMap(({ token, owner: from, spender }, index): readonly AllowanceRow[] => {
        const allowed = values[index];
        if (!allowed?.value) return [];
        return [{ kind: 'allowance', token, owner: from, spender, ...allowed }];
      });
      const silent = requested.flatMap(({ token }, index) => (values[index] === undefined ? [token] : []));
      return {
        compared: { equal: rows.length, compared: rows.length, of: rows.length, totalSupply: undefined },
        isClosed: false,
        rows: rows.sort(compareAllowances),
        reasons: [
          ...[...new Set(silent)].slice(0, MAX_SILENT).map(describeSilent),
          ...(requested.length < all.length ? [describeSkipped(requested.length, seen)] : []),
          ...(account === undefined ? await findAllowedForAll(address, call) : []),
        ],
      };
    },
  };
}

/** Undefined if the contract does not tell. */
async function fetchAllowance(
  { token, owner, spender, isPermit2 }: Approval,
  time: number | undefined,
  call: StateCall,
): Promise<Pick<AllowanceRow, 'permit2Until' | 'value'> | undefined> {
  const parties = isPermit2 ? [owner, token, spender] : [owner, spender];
  const data = parties.map((party) => toAbiWord(party).slice(2)).join('');
  const result = await call(
    isPermit2 ? PERMIT2 : token,
    `${isPermit2 ? PERMIT2_ALLOWANCE : ALLOWANCE}${data}`,
  ).catch((error: unknown) => {
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

/** Whether the address is a contract with allowances, and not an account, which may be a contract, too. */
async function isToken(
  address: Address,
  block: bigint,
  client: Pick<ChainClient, 'callAtBlock'>,
  options: Pick<ReaderContext, 'signal'>,
): Promise<boolean> {
  const self = toAbiWord(address).slice(2);
  const data: Hex = `${ALLOWANCE}${self}${self}`;
  const word = await client.callAtBlock({ to: address, data, block }, options).catch((error: unknown) => {
    if (isAppError(error, 'reverted') || isAppError(error, 'notAContract')) return undefined;
    throw error;
  });
  return word !== undefined && decodeUint(word) !== undefined;
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
