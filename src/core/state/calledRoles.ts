import { toAbiWord } from '../abi/encode.ts';
import type { Abortable } from '../base/concurrency.ts';
import { judge } from '../base/judgement.ts';
import { createMessage, type Message } from '../base/text.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { describeReplaced, readOneBlock } from '../reads/oneBlock.ts';
import type { ContractState, NamedRole, StateQuery, StateRow } from './contractState.ts';
import { type OnlyRole, toAddress } from './roleEvents.ts';
import { callForEach, checkUnknownCalls, createStateCall, type StateCall } from './stateCalls.ts';
import { findUpgradeAuthority } from './upgradeAuthority.ts';

type RoleRow = Extract<StateRow, { kind: 'role' }>;

/** Functions that return the only account with a role. AccessControlDefaultAdminRules has `owner` by ERC-5313. */
const ROLE_OF_GETTER = {
  owner: 'owner',
  getOwner: 'owner',
  pendingOwner: 'pendingOwner',
  nominatedOwner: 'pendingOwner',
  pendingDefaultAdmin: 'pendingDefaultAdmin',
} as const satisfies Readonly<Record<string, OnlyRole>>;

const ROLE_GETTERS = Object.keys(ROLE_OF_GETTER) as readonly (keyof typeof ROLE_OF_GETTER)[];

/** The role whose only member a function returns. */
export const getRoleOfGetter = (name: string): OnlyRole | undefined =>
  (ROLE_OF_GETTER as Readonly<Record<string, OnlyRole>>)[name];

/**
 * What functions without parameters return, by their names.
 *
 * @returns the zero address for nobody; without those that return no address.
 * @throws AppError as the calls do.
 * @example const owner = (await readAccounts(['owner'], token, call)).get('owner');
 */
export async function readAccounts(
  names: readonly string[],
  address: Address,
  call: StateCall,
): Promise<ReadonlyMap<string, Address>> {
  const results = await callForEach(names, (name) => call(address, toSelector(`${name}()`)));
  return new Map(
    names.flatMap((name, index) => {
      const account = readAddress(name, results[index]);
      return account === undefined ? [] : [[name, account] as const];
    }),
  );
}

/** Undefined for anything that is not an address. `pendingDefaultAdmin` returns a time of 48 bits, too. */
function readAddress(name: string, result: Hex | undefined): Address | undefined {
  const bytes = name === 'pendingDefaultAdmin' ? 64 : 32;
  if (result?.length !== 2 + 2 * bytes) return undefined;
  const [account = 0n, time = 0n] = (result.slice(2).match(/.{64}/g) ?? []).map((word) =>
    BigInt(`0x${word}`),
  );
  return account >> 160n !== 0n || time >> 48n !== 0n ? undefined : toAddress(toAbiWord(account));
}

/**
 * The only account with a role, by the functions of the contract; the zero address for nobody. A role is left out if no
 * function returns it, or if two of them disagree.
 *
 * @example findCalledRoles(new Map([['getOwner', ZERO_ADDRESS]])).get('owner') // ZERO_ADDRESS
 */
export function findCalledRoles(accounts: ReadonlyMap<string, Address>): ReadonlyMap<OnlyRole, Address> {
  const found = new Map<OnlyRole, Set<Address>>();
  for (const [name, account] of accounts) {
    const role = getRoleOfGetter(name);
    if (role) found.set(role, (found.get(role) ?? new Set()).add(account));
  }
  return new Map(
    [...found].flatMap(([role, [account, ...others]]) =>
      account === undefined || others.length > 0 ? [] : [[role, account] as const],
    ),
  );
}

/** The rows of roles that someone has. */
export function listCalledRoles(called: ReadonlyMap<OnlyRole, Address>): readonly RoleRow[] {
  return [...called].flatMap(([role, member]) =>
    member === ZERO_ADDRESS ? [] : [{ kind: 'role', role, roleName: undefined, member }],
  );
}

export type CalledRolesClient = Pick<
  ChainClient,
  'callAtBlock' | 'fetchProxy' | 'getBlockHash' | 'requireCode'
>;

/**
 * The members of roles whose only member calls and slots return in the state of a block: they rest on no log.
 *
 * @returns undefined if no call returns one of the roles, as of a contract without `owner()`.
 * @throws AppError of the network; `notAContract` if there is none in the block.
 * @example (await fetchCalledRoles(query, ['owner'], client))?.rows
 */
export async function fetchCalledRoles(
  query: StateQuery,
  roles: readonly NamedRole[],
  client: CalledRolesClient,
  options: Abortable = {},
): Promise<ContractState | undefined> {
  const { block } = query;
  // The hash of the block is part of the verdict, however old it is.
  const place = { block, client: { getBlockHash: client.getBlockHash } };
  const read = () => readRoles(query, roles, client, options);
  const { value, blockHash, isReplaced } = await readOneBlock(place, read, options);
  if (!value) return undefined;
  const { rows, reasons } = value;
  const judgement = judge<'uncertain', Message>({
    ...{ state: 'complete', otherwise: 'uncertain' },
    reasons: [...reasons, ...describeBlock(block, { blockHash, isReplaced })],
  });
  const [confirmed, count] = [judgement.state === 'complete', rows.length];
  return {
    query,
    rows,
    units: undefined,
    verdict: {
      ...judgement,
      confirmed,
      compared: { equal: count, compared: count, of: count, totalSupply: undefined },
      ...{ isClosed: true, restsOn: [], block, blockHash },
    },
  };
}

/** Why rows may not be of the block. */
export function describeBlock(
  block: bigint,
  { blockHash, isReplaced }: { readonly blockHash: Hex | undefined; readonly isReplaced: boolean },
): readonly Message[] {
  return [
    ...(isReplaced ? [describeReplaced(block)] : []),
    ...(blockHash === undefined
      ? [createMessage('The endpoint does not return the hash of the block.')]
      : []),
  ];
}

async function readRoles(
  { address, block }: StateQuery,
  roles: readonly NamedRole[],
  client: CalledRolesClient,
  options: Abortable,
): Promise<{ readonly rows: readonly RoleRow[]; readonly reasons: readonly Message[] } | undefined> {
  const { call, findReasons } = checkUnknownCalls(createStateCall(client, block, options));
  const [accounts, proxy] = await Promise.all([
    readAccounts(ROLE_GETTERS, address, call),
    client.fetchProxy(address, block, options),
  ]);
  const called = findCalledRoles(accounts);
  const { rows: upgrades } = await findUpgradeAuthority(proxy, { call, loggedAdmin: undefined });
  // Code that may delegate, but is not a known proxy, may store its admin in a slot of its own.
  const isAdminRead =
    proxy.adminWord !== undefined && (!proxy.mayBeProxy || proxy.proxy !== undefined || upgrades.length > 0);
  const isRead = (role: NamedRole) => (isUpgradeRole(role) ? isAdminRead : called.has(role));
  if (!roles.every(isRead)) return undefined;
  const rows = [...upgrades, ...listCalledRoles(called)].filter(({ role }) =>
    (roles as readonly string[]).includes(role),
  );
  if (rows.length === 0) await client.requireCode({ to: address, block }, options);
  return { rows, reasons: await findReasons() };
}

const isUpgradeRole = (role: NamedRole): role is Exclude<NamedRole, OnlyRole> =>
  role === 'proxyAdmin' || role === 'proxyAdminOwner' || role === 'beaconOwner';
