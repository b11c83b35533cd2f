import { toAbiWord } from '../abi/encode.ts';
import { createMessage, type Message } from '../base/text.ts';
import { compareValues } from '../base/values.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashSignature, toSelector } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { createTooManyError, MAX_BALANCES } from './balanceBook.ts';
import type { StateRow } from './contractState.ts';
import type { FindRoleNames } from './roleNames.ts';
import { callForEach, type StateCall } from './stateCalls.ts';
import type { StateReader } from './stateReader.ts';

type RoleRow = Extract<StateRow, { kind: 'role' }>;
type Role = RoleRow['role'];

/** How a kind of access control logs its members, and how it is asked for them. */
interface RoleScheme {
  readonly call: (role: Role, member: Address) => Hex;
  /** Whether the result means that the address is a member. */
  readonly holds: (word: bigint, role: Role, member: Address) => boolean;
}

const HAS_ROLE = toSelector('hasRole(bytes32,address)');
const HAS_MANAGER_ROLE = toSelector('hasRole(uint64,address)');
const ROLES_OF = toSelector('rolesOf(address)');
const WARDS = toSelector('wards(address)');

const word = (value: bigint | Address) => toAbiWord(value).slice(2);

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
  owner: { call: () => toSelector('owner()'), holds: (result, _, member) => result === BigInt(member) },
  pendingOwner: {
    call: () => toSelector('pendingOwner()'),
    holds: (result, _, member) => result === BigInt(member),
  },
} as const satisfies Readonly<Record<string, RoleScheme>>;

type SchemeName = keyof typeof schemes;

const EVENTS = {
  roleGranted: hashSignature('RoleGranted(bytes32,address,address)'),
  roleRevoked: hashSignature('RoleRevoked(bytes32,address,address)'),
  managerGranted: hashSignature('RoleGranted(uint64,address,uint32,uint48,bool)'),
  managerRevoked: hashSignature('RoleRevoked(uint64,address)'),
  rolesUpdated: hashSignature('RolesUpdated(address,uint256)'),
  rely: hashSignature('Rely(address)'),
  deny: hashSignature('Deny(address)'),
  ownershipTransferred: hashSignature('OwnershipTransferred(address,address)'),
  /** Before OpenZeppelin, and in old tokens. */
  ownerUpdated: hashSignature('OwnerUpdated(address,address)'),
  ownershipStarted: hashSignature('OwnershipTransferStarted(address,address)'),
} as const;

/**
 * Makes the members of roles of their logs: AccessControl, AccessManager, bitmaps of Solady, wards of Maker, and owners.
 * Every address that ever had a role is compared with a call.
 *
 * @example const reader = createRolesReader({ address: token }, {});
 */
export function createRolesReader(
  { address }: { readonly address: Address },
  { findRoleNames }: { readonly findRoleNames?: FindRoleNames | undefined },
): StateReader {
  const members = new Map<string, Membership>();
  let block = 0n;

  function set(scheme: SchemeName, role: Role, member: Address, isMember: boolean): void {
    const key = `${scheme} ${role} ${member}`;
    if (members.size >= MAX_BALANCES && !members.has(key)) throw createTooManyError();
    members.set(key, { scheme, role, member, isMember });
  }

  /** Only one address can be the owner. */
  function setOnly(scheme: 'owner' | 'pendingOwner', member: Address): void {
    for (const [key, membership] of members)
      if (membership.scheme === scheme) members.set(key, { ...membership, isMember: false });
    if (member !== ZERO_ADDRESS) set(scheme, scheme, member, true);
  }

  function setBitmap(member: Address, bitmap: bigint): void {
    for (let bit = 0n; bit < 256n; bit++) {
      const role = toAbiWord(1n << bit);
      const isMember = ((bitmap >> bit) & 1n) === 1n;
      if (isMember || members.has(`bitmap ${role} ${member}`)) set('bitmap', role, member, isMember);
    }
  }

  function add({ topics, data }: Log): void {
    const [topic0, first = '0x', second = '0x'] = topics;
    switch (topic0) {
      case EVENTS.roleGranted:
      case EVENTS.roleRevoked:
        set('accessControl', first, toAddress(second), topic0 === EVENTS.roleGranted);
        break;
      case EVENTS.managerGranted:
      case EVENTS.managerRevoked:
        set('accessManager', first, toAddress(second), topic0 === EVENTS.managerGranted);
        break;
      case EVENTS.rolesUpdated:
        setBitmap(toAddress(first), BigInt(second));
        break;
      case EVENTS.rely:
      case EVENTS.deny:
        set('wards', WARD, toAddress(first), topic0 === EVENTS.rely);
        break;
      case EVENTS.ownershipStarted:
        setOnly('pendingOwner', toAddress(second));
        break;
      default: {
        // Some contracts do not index the parameters.
        const owner = toAddress(topics.length === 3 ? second : (`0x${data.slice(-64)}` as Hex));
        setOnly('pendingOwner', ZERO_ADDRESS);
        setOnly('owner', owner);
      }
    }
  }

  return {
    filter: { addresses: [address], topics: [Object.values(EVENTS)] },
    async add(logs) {
      for (const log of logs) {
        block = log.blockNumber;
        add(log);
      }
    },
    async rows({ signal }) {
      const current = [...members.values()].filter(({ isMember }) => isMember);
      const roles = [...new Set(current.flatMap(({ role }) => (isHash(role) ? [role] : [])))];
      const names = await findRoleNames?.({ address, roles, block }, { signal });
      const rows = current.map(
        ({ scheme, role, member }): RoleRow => ({
          kind: 'role',
          role,
          roleName: nameRole(scheme, role, names),
          member,
        }),
      );
      return rows.sort(compareRoles);
    },
    reasons: () => [],
    async compare(rows, { call }) {
      const ever = [...members.values()];
      const words = await callForEach(ever, (each) => holds(each, address, call));
      const differing = ever.filter((each, index) => words[index] !== each.isMember);
      const current = ever.filter(({ isMember }) => isMember);
      const wrong = current.filter((each) => differing.includes(each));
      const unlogged = await findUnlogged(address, ever, call);
      return {
        proof: {
          equal: current.length - wrong.length,
          compared: current.length,
          of: rows.length,
          totalSupply: undefined,
        },
        reasons: [...differing.slice(0, 1).map(describeDifference), ...unlogged],
      };
    },
  };
}

interface Membership {
  readonly scheme: SchemeName;
  readonly role: Role;
  readonly member: Address;
  readonly isMember: boolean;
}

function nameRole(
  scheme: SchemeName,
  role: Role,
  names: ReadonlyMap<Hex, string> | undefined,
): string | undefined {
  if (!isHash(role)) return undefined;
  return scheme === 'wards'
    ? 'ward'
    : (names?.get(role) ?? (scheme === 'accessControl' ? WELL_KNOWN.get(role) : undefined));
}

/** Undefined if the call returns nothing. */
async function holds(
  { scheme, role, member }: Membership,
  address: Address,
  call: StateCall,
): Promise<boolean | undefined> {
  const { call: encode, holds: isHeld }: RoleScheme = schemes[scheme];
  const result = await call(address, encode(role, member));
  const value = result === undefined ? undefined : decodeUint(result);
  return value === undefined ? undefined : isHeld(value, role, member);
}

function describeDifference({ role, member, isMember }: Membership): Message {
  return isMember
    ? createMessage(
        'By the logs, {0} has the role {1}. The contract does not confirm it: the logs do not describe its roles.',
        member,
        role,
      )
    : createMessage(
        'By the logs, {0} no longer has the role {1}. The contract says that it has: the logs do not describe its roles.',
        member,
        role,
      );
}

/** An owner that the contract has, but no log tells of. */
async function findUnlogged(
  address: Address,
  ever: readonly Membership[],
  call: StateCall,
): Promise<readonly Message[]> {
  if (ever.some(({ scheme, isMember }) => scheme === 'owner' && isMember)) return [];
  const result = await call(address, schemes.owner.call());
  const owner = result === undefined || result.length !== 2 + 64 ? undefined : decodeUint(result);
  if (owner === undefined || owner === 0n || owner >> 160n !== 0n) return [];
  return [
    createMessage(
      'The contract says that its owner is {0}, which no log tells. The logs do not describe its roles.',
      toAddress(toAbiWord(owner)),
    ),
  ];
}

/** Owners first, then roles by name. */
function compareRoles(one: RoleRow, other: RoleRow): number {
  return (
    Number(isHash(one.role)) - Number(isHash(other.role)) ||
    compareValues(one.roleName ?? one.role, other.roleName ?? other.role) ||
    compareValues(one.member, other.member)
  );
}

const isHash = (role: Role): role is Hex => role.startsWith('0x');

const toAddress = (topic: Hex): Address => `0x${topic.slice(-40).padStart(40, '0')}`;

const WARD: Hex = toAbiWord(1n);

/** Roles of contracts of OpenZeppelin, and names that many contracts use. */
const WELL_KNOWN: ReadonlyMap<Hex, string> = new Map([
  [toAbiWord(0n), 'DEFAULT_ADMIN_ROLE'],
  ...[
    ...['ADMIN_ROLE', 'BURNER_ROLE', 'CANCELLER_ROLE', 'EXECUTOR_ROLE', 'GUARDIAN_ROLE', 'KEEPER_ROLE'],
    ...['MANAGER_ROLE', 'MINTER_ROLE', 'OPERATOR_ROLE', 'PAUSER_ROLE', 'PROPOSER_ROLE', 'SNAPSHOT_ROLE'],
    ...['TIMELOCK_ADMIN_ROLE', 'UPGRADER_ROLE'],
  ].map((name) => [hashSignature(name), name] as const),
]);
