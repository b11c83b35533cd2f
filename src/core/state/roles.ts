import { toAbiWord } from '../abi/encode.ts';
import { decimal, ownWord } from '../base/ownText.ts';
import { createMessage, foreign, type Message } from '../base/text.ts';
import { forEachInSlices, toSortedInSlices } from '../base/timeSlices.ts';
import { compareValues } from '../base/values.ts';
import type { ChainClient } from '../client/chainClient.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashText, toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { createTooManyError } from './balanceBook.ts';
import { findCalledRoles, listCalledRoles, readAccounts } from './calledRoles.ts';
import { isNamedRole, namedRoles, type StateRow } from './contractState.ts';
import {
  DEFAULT_ADMIN,
  findOtherRights,
  type OnlyRole,
  ROLE_TOPICS,
  type Role,
  type RoleChange,
  type RoleSchemeName,
  readRoleChanges,
  VOTES_EVENT,
  WARD,
} from './roleEvents.ts';
import { DEFAULT_ADMIN_NAME, indexRoles, type RoleRow, WARD_NAME } from './roleIndex.ts';
import type { FindRoleNames } from './roleNames.ts';
import { callForEach, chooseCompared, MAX_COMPARED, NOBODY, type StateCall } from './stateCalls.ts';
import type { CompareContext, StateReader } from './stateReader.ts';
import { findUnloggedRights, RIGHTS_GETTERS } from './unloggedRights.ts';
import { findUpgradeAuthority } from './upgradeAuthority.ts';

/** How a contract is called to find out whether an address has a role. */
interface RoleScheme {
  readonly call: (role: Role, member: Address) => Hex;
  /** Whether the result means that the address is a member. */
  readonly holds: (word: bigint, role: Role, member: Address) => boolean;
}

/** Present and former members of all roles. One log of a bitmap has 256 roles. */
export const MAX_MEMBERS = 50_000;

const HAS_ROLE = toSelector('hasRole(bytes32,address)');
const HAS_MANAGER_ROLE = toSelector('hasRole(uint64,address)');
const ROLES_OF = toSelector('rolesOf(address)');
const WARDS = toSelector('wards(address)');
const GET_ACCESS = toSelector('getAccess(uint64,address)');
const MEMBER_COUNT = toSelector('getRoleMemberCount(bytes32)');

const word = (value: bigint | Address) => toAbiWord(value).slice(2);

const returnedBy = (signature: string): RoleScheme => ({
  call: () => toSelector(signature),
  holds: (result, _, member) => result === BigInt(member),
});

const schemes = {
  /** OpenZeppelin AccessControl. */
  accessControl: {
    call: (role, member) => `${HAS_ROLE}${role.slice(2)}${word(member)}`,
    holds: (result) => result === 1n,
  },
  /** OpenZeppelin AccessManager: the first word of the result. */
  accessManager: {
    call: (role, member) => `${HAS_MANAGER_ROLE}${role.slice(2)}${word(member)}`,
    holds: (result) => result === 1n,
  },
  /** Solady OwnableRoles: a bit for each role. */
  bitmap: {
    call: (_, member) => `${ROLES_OF}${word(member)}`,
    holds: (result, role) => (result & BigInt(role)) !== 0n,
  },
  /** Contracts of Maker. */
  wards: { call: (_, member) => `${WARDS}${word(member)}`, holds: (result) => result === 1n },
  owner: returnedBy('owner()'),
  pendingOwner: returnedBy('pendingOwner()'),
  nominatedOwner: returnedBy('nominatedOwner()'),
  requestedOwner: returnedBy('pendingOwner()'),
  /** The first word of the result. */
  pendingDefaultAdmin: returnedBy('pendingDefaultAdmin()'),
} as const satisfies Readonly<Record<RoleSchemeName, RoleScheme>>;

/**
 * Makes the members of roles of their logs: AccessControl, AccessManager, bitmaps of Solady, wards of Maker, and owners.
 * Who once had a role is compared with a call, too. A proxy also has those who may upgrade it.
 *
 * @example const reader = createRolesReader({ address: token, block: 21_000_000n }, { client });
 */
export function createRolesReader(
  { address, block }: { readonly address: Address; readonly block: bigint },
  {
    client,
    findRoleNames,
  }: {
    readonly client: Pick<ChainClient, 'fetchProxy'>;
    readonly findRoleNames?: FindRoleNames | undefined;
  },
): StateReader {
  const members = new Map<string, Membership>();
  const others = new Set<string>();
  const only = new Map<OnlyRole, Membership>();
  let undecodedAt: bigint | undefined;
  let loggedAdmin: Address | undefined;

  function set(membership: Membership): void {
    const key = toKey(membership);
    if (members.size >= MAX_MEMBERS && !members.has(key)) throw createTooManyError(MAX_MEMBERS);
    members.set(key, membership);
  }

  function setOnly({ role, scheme, member }: Omit<Extract<RoleChange, { kind: 'only' }>, 'kind'>): void {
    const current = only.get(role);
    if (current) set({ ...current, isMember: false });
    only.delete(role);
    if (member === ZERO_ADDRESS) return;
    const next = { scheme, role, member, isMember: true };
    only.set(role, next);
    set(next);
  }

  function apply(change: RoleChange): void {
    switch (change.kind) {
      case 'member': {
        set(change);
        const pending = only.get('pendingDefaultAdmin');
        if (change.isMember && change.role === DEFAULT_ADMIN && pending?.member === change.member)
          setOnly({ role: 'pendingDefaultAdmin', scheme: 'pendingDefaultAdmin', member: ZERO_ADDRESS });
        break;
      }
      case 'only':
        setOnly(change);
        break;
      case 'proxyAdmin':
        loggedAdmin = change.member;
        break;
      case 'bitmap':
        for (let bit = 0n; bit < 256n; bit++) {
          const [role, { member }] = [toAbiWord(1n << bit), change];
          const isMember = ((change.bits >> bit) & 1n) === 1n;
          if (isMember || members.has(`bitmap ${role} ${member}`))
            set({ scheme: 'bitmap', role, member, isMember });
        }
    }
  }

  return {
    filter: { addresses: [address], topics: [ROLE_TOPICS] },
    async add(logs, { slices, signal }) {
      for (const log of logs) {
        const other = findOtherRights(log);
        const changes = other === undefined ? readRoleChanges(log) : [];
        if (other !== undefined) others.add(other);
        if (!changes) undecodedAt ??= log.blockNumber;
        for (const change of changes ?? []) apply(change);
        if (slices.isOver()) await slices.rest({ signal });
      }
    },
    async rows({ slices, signal }) {
      const current = [...members.values()].filter(({ isMember }) => isMember);
      const roles = [...new Set(current.flatMap(({ role }) => (isHash(role) ? [role] : [])))];
      if (slices.isOver()) await slices.rest({ signal });
      const names = await findRoleNames?.({ address, roles, block }, { signal });
      const admin = loggedAdmin ?? ZERO_ADDRESS;
      const admins: readonly RoleRow[] =
        admin === ZERO_ADDRESS
          ? []
          : [{ kind: 'role', role: 'proxyAdmin', roleName: undefined, member: admin }];
      const rows = [...admins];
      await forEachInSlices(current, (each) => rows.push(toRow(each, names)), { slices, signal });
      return toSortedInSlices(rows, compareRoles, { slices, signal });
    },
    reasons: () =>
      undecodedAt === undefined
        ? []
        : [
            createMessage(
              'A log of roles in block {0} could not be decoded, so members may be wrong.',
              decimal(undecodedAt),
            ),
          ],
    async compare(rows, context) {
      const { call, isExhaustive, slices, signal } = context;
      const rest = async () => slices.isOver() && slices.rest({ signal });
      const all = [...members.values()];
      const ever = [...all.filter(({ isMember }) => isMember), ...all.filter(({ isMember }) => !isMember)];
      const chosen = isExhaustive ? ever : chooseCompared(ever);
      const [accounts, held] = await Promise.all([
        readAccounts(RIGHTS_GETTERS, address, call),
        callForEach(chosen, (each) => holds(each, address, call)),
      ]);
      await rest();
      const called = findCalledRoles(accounts);
      const isCalled = (role: Role) => called.has(role as OnlyRole);
      const results = chosen.map(({ role, member }, index) =>
        isCalled(role) ? called.get(role as OnlyRole) === member : held[index],
      );
      const isPrivate = (each: Membership, index: number) =>
        each.scheme === 'requestedOwner' && results[index] === undefined;
      const unreturned = chosen.filter((each, index) => each.isMember && isPrivate(each, index));
      const differing = chosen.filter(
        (each, index) => results[index] !== each.isMember && !isPrivate(each, index),
      );
      const later = await findGrantedLater(address, differing, call);
      const wrong = new Set(differing.filter((each) => !later.has(each)));
      const isCurrent = (each: Membership) => each.isMember && !later.has(each);
      const logged = ever.filter(isCurrent);
      // The call gives the row of a role that it returns.
      const current = logged.filter(({ role }) => !isCalled(role));
      const compared = chosen.filter(
        (each) => isCurrent(each) && !unreturned.includes(each) && !isCalled(each.role),
      );
      await rest();
      const rights = findUnloggedRights(accounts, logged);
      const [upgrades, ...unlogged] = await Promise.all([
        client
          .fetchProxy(address, block, { signal })
          .then((proxy) => findUpgradeAuthority(proxy, { call, loggedAdmin })),
        findUnloggedMember(address, ever, { ...context, rows }),
        findMiscounted(address, ever, call),
      ]);
      // The owner of AccessControlDefaultAdminRules is its default admin, who has a row.
      const isRepeated = ({ role, member }: RoleRow) =>
        role === 'owner' && member === accounts.get('defaultAdmin');
      const allCalled = listCalledRoles(called);
      const calledRows = allCalled.filter((row) => !isRepeated(row));
      const read = upgrades.rows.length + calledRows.length;
      const contradictions = [...rights.reasons, ...unlogged.flat()];
      const isNothing = ever.length === 0 && contradictions.length === 0 && read === 0;
      const unread = rows.filter((row) => !upgrades.isAdminRead && isProxyAdmin(row));
      await rest();
      const laterKeys = new Set([...later].map(({ role, member }) => `${role} ${member}`));
      return {
        compared: {
          equal: compared.filter((each) => !wrong.has(each)).length + read,
          compared: compared.length + read,
          of: current.length + read + unread.length,
          totalSupply: undefined,
        },
        isClosed: false,
        reasons: [
          ...upgrades.reasons,
          ...[...wrong].slice(0, 1).map(describeDifference),
          ...contradictions,
          ...upgrades.notes,
          ...[...later].slice(0, 1).map(describeLater),
          ...rights.notes,
          ...[...others]
            .filter((event) => event !== VOTES_EVENT)
            .map((event) =>
              createMessage('The contract also gives rights by {0}, which is not read.', foreign(event)),
            ),
          ...(isNothing ? [createMessage('The contract logs no roles that Chainside knows.')] : []),
        ],
        restsOn: unreturned.map(({ member }) =>
          createMessage(
            'The pending owner {0} was not compared: the contract has no function that returns it.',
            member,
          ),
        ),
        details: [
          ...(upgrades.details ?? []),
          ...(others.has(VOTES_EVENT)
            ? [createMessage('Accounts with votes, which {0} moves, are not listed.', ownWord(VOTES_EVENT))]
            : []),
        ],
        repeated: allCalled.filter(isRepeated),
        rows: [
          ...upgrades.rows,
          ...unread,
          ...(await toSortedInSlices(
            [
              ...calledRows,
              ...rows.filter(
                (row): row is RoleRow =>
                  row.kind === 'role' &&
                  !isProxyAdmin(row) &&
                  !isCalled(row.role) &&
                  !laterKeys.has(`${row.role} ${row.member}`),
              ),
            ],
            compareRoles,
            { slices, signal },
          )),
        ],
      };
    },
  };
}

interface Membership {
  readonly scheme: RoleSchemeName;
  readonly role: Role;
  readonly member: Address;
  readonly isMember: boolean;
}

function toRow({ scheme, role, member }: Membership, names: ReadonlyMap<Hex, string> | undefined): RoleRow {
  const known = scheme === 'accessControl' && isHash(role) ? WELL_KNOWN.get(role) : undefined;
  const roleName = scheme === 'wards' ? WARD_NAME : isHash(role) ? (names?.get(role) ?? known) : undefined;
  return { kind: 'role', role, roleName, member };
}

const toKey = ({ scheme, role, member }: Membership) => `${scheme} ${role} ${member}`;

/** Undefined if the call returns nothing. */
async function holds(
  { scheme, role, member }: Membership,
  address: Address,
  call: StateCall,
): Promise<boolean | undefined> {
  const { call: encode, holds: isMember }: RoleScheme = schemes[scheme];
  const result = await call(address, encode(role, member));
  const value = result === undefined ? undefined : decodeUint(result);
  return value === undefined ? undefined : isMember(value, role, member);
}

function describeDifference({ role, member, isMember }: Membership): Message {
  return isMember
    ? createMessage(
        'By the logs, {0} has the role {1}. The contract does not confirm it: the logs do not describe its roles.',
        member,
        foreign(role),
      )
    : createMessage(
        'By the logs, {0} no longer has the role {1}. The contract says that it has: the logs do not describe its roles.',
        member,
        foreign(role),
      );
}

/** Members of an AccessManager whose role becomes active at a later time, as `getAccess` says. */
async function findGrantedLater(
  address: Address,
  differing: readonly Membership[],
  call: StateCall,
): Promise<ReadonlySet<Membership>> {
  const granted = differing.filter(({ scheme, isMember }) => scheme === 'accessManager' && isMember);
  const results = await callForEach(granted, ({ role, member }) =>
    call(address, `${GET_ACCESS}${role.slice(2)}${word(member)}`),
  );
  const since = results.map((result) => (result === undefined ? 0n : (decodeUint(result) ?? 0n)));
  return new Set(granted.filter((_, index) => since[index] !== 0n));
}

function describeLater({ role, member }: Membership): Message {
  return createMessage(
    '{0} was granted the role {1}, which becomes active after this block.',
    member,
    foreign(role),
  );
}

/** Someone of the logs, or who is expected to have it, with a role that no log gave them. */
async function findUnloggedMember(
  address: Address,
  ever: readonly Membership[],
  { call, expected, rows, ...options }: CompareContext & { readonly rows: readonly StateRow[] },
): Promise<readonly Message[]> {
  const known = new Set<string>();
  const schemesOf = new Map<Role, Set<RoleSchemeName>>();
  const people = new Set([NOBODY]);
  const visit = (each: Membership) => {
    known.add(toKey(each));
    people.add(each.member);
    const found = schemesOf.get(each.role);
    if (found) found.add(each.scheme);
    else schemesOf.set(each.role, new Set([each.scheme]));
  };
  await forEachInSlices(ever, visit, options);
  const candidates: Membership[] = [];
  const add = (scheme: RoleSchemeName, role: Role, member: Address) => {
    const each = { scheme, role, member, isMember: false };
    if (!known.has(toKey(each))) candidates.push(each);
  };
  const index = indexRoles(expected.length > 0 ? rows : []);
  for (const { role: name, address: member } of expected)
    if (name !== undefined && !isNamedRole(name))
      for (const role of index.find(name).filter(isHash))
        for (const scheme of schemesOf.get(role) ?? guessSchemes(role)) add(scheme, role, member);
  const most = candidates.length + MAX_COMPARED;
  for (const [role, found] of schemesOf) {
    if (!found.has('accessControl')) continue;
    for (const member of people) {
      if (candidates.length >= most) break;
      add('accessControl', role, member);
    }
  }
  const results = await callForEach(candidates, (each) => holds(each, address, call));
  const found = candidates[results.indexOf(true)];
  if (!found) return [];
  return [
    createMessage(
      'The contract says that {0} has the role {1}, but no event recorded it. The logs do not describe its roles.',
      found.member,
      foreign(found.role),
    ),
  ];
}

/** The ways to store a role that have such roles. */
function guessSchemes(role: Hex): readonly RoleSchemeName[] {
  const value = BigInt(role);
  return [
    'accessControl',
    ...(value < 1n << 64n ? (['accessManager'] as const) : []),
    ...(value > 0n && (value & (value - 1n)) === 0n ? (['bitmap'] as const) : []),
    ...(role === WARD ? (['wards'] as const) : []),
  ];
}

/** A role of AccessControlEnumerable that has more or fewer members than the logs say. */
async function findMiscounted(
  address: Address,
  ever: readonly Membership[],
  call: StateCall,
): Promise<readonly Message[]> {
  const counts = new Map<Role, number>([[DEFAULT_ADMIN, 0]]);
  for (const { scheme, role, isMember } of ever)
    if (scheme === 'accessControl') counts.set(role, (counts.get(role) ?? 0) + Number(isMember));
  const roles = [...counts].slice(0, MAX_COMPARED);
  const results = await callForEach(roles, ([role]) => call(address, `${MEMBER_COUNT}${role.slice(2)}`));
  return roles.flatMap(([role, count], index) => {
    const found = results[index]?.length === 2 + 64 ? decodeUint(results[index]) : undefined;
    if (found === undefined || found === BigInt(count)) return [];
    return [
      createMessage(
        'By the logs, the role {0} has {1} members. The contract says {2}: the logs do not describe its roles.',
        foreign(role),
        count,
        decimal(found),
      ),
    ];
  });
}

/** Roles without a hash first, in their own order, then roles by name. */
function compareRoles(one: RoleRow, other: RoleRow): number {
  return (
    rankRole(one.role) - rankRole(other.role) ||
    compareValues(one.roleName ?? one.role, other.roleName ?? other.role) ||
    compareValues(one.member, other.member)
  );
}

const rankRole = (role: Role) => (isHash(role) ? namedRoles.length : namedRoles.indexOf(role));

const isProxyAdmin = (row: StateRow) => row.kind === 'role' && row.role === 'proxyAdmin';

const isHash = (role: Role): role is Hex => role.startsWith('0x');

/** Roles of contracts of OpenZeppelin, and names that many contracts use. */
const WELL_KNOWN: ReadonlyMap<Hex, string> = new Map([
  [DEFAULT_ADMIN, DEFAULT_ADMIN_NAME],
  ...[
    ...['ADMIN_ROLE', 'BURNER_ROLE', 'CANCELLER_ROLE', 'EXECUTOR_ROLE', 'GUARDIAN_ROLE', 'KEEPER_ROLE'],
    ...['MANAGER_ROLE', 'MINTER_ROLE', 'OPERATOR_ROLE', 'PAUSER_ROLE', 'PROPOSER_ROLE', 'SNAPSHOT_ROLE'],
    ...['TIMELOCK_ADMIN_ROLE', 'UPGRADER_ROLE'],
  ].map((name) => [hashText(name), name] as const),
]);
