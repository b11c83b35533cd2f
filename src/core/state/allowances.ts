import { toAbiWord } from '../abi/encode.ts';
import { isAppError } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { hashSignature, toSelector } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { createTooManyError, MAX_BALANCES } from './balanceBook.ts';
import type { StateQuery, StateRow } from './contractState.ts';
import { callForEach } from './stateCalls.ts';
import type { ReaderContext, StateReader } from './stateReader.ts';

type AllowanceRow = Extract<StateRow, { kind: 'allowance' }>;

const APPROVAL = hashSignature('Approval(address,address,uint256)');
const ALLOWANCE = toSelector('allowance(address,address)');

/**
 * Finds allowances: who may have one is what `Approval` logs say; how much is left is what the token says, since
 * `transferFrom` lowers it without a log.
 *
 * The address is a token, or, without an owner, also an account: then its allowances of all tokens.
 *
 * @throws AppError of the network.
 * @example const reader = await createAllowancesReader(query, client, context);
 */
export async function createAllowancesReader(
  { address, owner, block }: StateQuery,
  client: Pick<ChainClient, 'callAtBlock'>,
  { signal }: ReaderContext,
): Promise<StateReader> {
  const isAccount = owner === undefined && !(await isToken(address, block, client, { signal }));
  const account = isAccount ? address : owner;
  const candidates = new Map<string, Omit<AllowanceRow, 'kind' | 'value'>>();

  function add(log: Log): void {
    const parties = decodeApproval(log);
    if (!parties) return;
    const candidate = { token: log.address, ...parties };
    if (candidates.size >= MAX_BALANCES) throw createTooManyError();
    candidates.set(`${candidate.token} ${candidate.owner} ${candidate.spender}`, candidate);
  }

  return {
    filter: {
      addresses: isAccount ? [] : [address],
      topics: account === undefined ? [[APPROVAL]] : [[APPROVAL], [toAbiWord(account)]],
    },
    async add(logs) {
      for (const log of logs) add(log);
    },
    /** None before the calls: logs do not give the values. */
    rows: async () => [],
    reasons: () => [],
    async compare(_, { call }) {
      const listed = [...candidates.values()];
      const words = await callForEach(listed, ({ token, owner: from, spender }) =>
        call(token, `${ALLOWANCE}${toAbiWord(from).slice(2)}${toAbiWord(spender).slice(2)}`),
      );
      const values = words.map((word) => (word === undefined ? undefined : decodeUint(word)));
      const rows = listed.flatMap((candidate, index): readonly AllowanceRow[] => {
        const value = values[index];
        return value ? [{ kind: 'allowance', ...candidate, value }] : [];
      });
      const silent = [
        ...new Set(listed.flatMap(({ token }, index) => (values[index] === undefined ? [token] : []))),
      ];
      return {
        proof: { equal: rows.length, compared: rows.length, of: rows.length, totalSupply: undefined },
        reasons: silent.slice(0, MAX_SILENT).map(describeSilent),
        rows: rows.sort(compareAllowances),
      };
    },
  };
}

/** Tokens that do not say what is allowed; more are not named. */
const MAX_SILENT = 5;

function describeSilent(token: Address): Message {
  return createMessage('{0} logged an approval, but does not say what is left of it.', token);
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

/** Indexed as ERC-20 demands, or not at all. An approval of an NFT has its ID as a fourth topic. */
function decodeApproval({ topics, data }: Log): { owner: Address; spender: Address } | undefined {
  const [, first, second, third] = topics;
  if (third !== undefined || data.length < 2 + 64) return undefined;
  if (first !== undefined && second !== undefined)
    return { owner: toAddress(first), spender: toAddress(second) };
  if (first !== undefined || data.length < 2 + 3 * 64) return undefined;
  return { owner: toAddress(data.slice(2, 66)), spender: toAddress(data.slice(66, 130)) };
}

const toAddress = (word: string): Address => `0x${word.slice(-40)}`;

/** By token and owner, the largest first. */
function compareAllowances(one: AllowanceRow, other: AllowanceRow): number {
  return (
    compareValues(one.token, other.token) ||
    compareValues(one.owner, other.owner) ||
    compareValues(other.value, one.value) ||
    compareValues(one.spender, other.spender)
  );
}
