import { toAbiWord } from '../abi/encode.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashSignature } from '../eth/keccak.ts';
import type { Log } from '../logs/log.ts';
import type { NamedRole, StateRow } from './contractState.ts';

export type Role = Extract<StateRow, { kind: 'role' }>['role'];

/** How a contract stores who has which role. */
export type RoleSchemeName = 'accessControl' | 'accessManager' | 'bitmap' | 'wards' | OnlyScheme;

/** How a contract returns the only one who has a role; of `requestedOwner` it may not return it. */
type OnlyScheme = 'owner' | 'pendingOwner' | 'nominatedOwner' | 'requestedOwner' | 'pendingDefaultAdmin';
/** A role that one account has at most. */
export type OnlyRole = Extract<NamedRole, 'owner' | 'pendingOwner' | 'pendingDefaultAdmin'>;

/** What a log does to roles. */
export type RoleChange =
  | {
      readonly kind: 'member';
      readonly scheme: RoleSchemeName;
      readonly role: Role;
      readonly member: Address;
      readonly isMember: boolean;
    }
  /** The only one who has the role from now on; the zero address for nobody. */
  | {
      readonly kind: 'only';
      readonly scheme: OnlyScheme;
      readonly role: OnlyRole;
      readonly member: Address;
    }
  /** The admin of a proxy (EIP-1967) from now on; the zero address for nobody. */
  | { readonly kind: 'proxyAdmin'; readonly member: Address }
  /** All roles of a member, a bit for each. */
  | { readonly kind: 'bitmap'; readonly member: Address; readonly bits: bigint };

/** The fields of a log's parameters, whichever of them are indexed; all events here have one word each. */
type Fields = readonly [Hex, Hex, ...Hex[]];

interface RoleEvent {
  readonly parameters: number;
  readonly read: (fields: Fields) => readonly RoleChange[];
}

/** Of OpenZeppelin's AccessControl: the role that may grant all others. */
export const DEFAULT_ADMIN: Hex = toAbiWord(0n);

/** The role that members of Maker's contracts have. */
export const WARD: Hex = toAbiWord(1n);

function readMember(scheme: RoleSchemeName, isMember: boolean, parameters: number): RoleEvent {
  return {
    parameters,
    read: ([role, member]) => [{ kind: 'member', scheme, role, member: toAddress(member), isMember }],
  };
}

function readWard(isMember: boolean): RoleEvent {
  return {
    parameters: 1,
    read: ([member]) => [
      { kind: 'member', scheme: 'wards', role: WARD, member: toAddress(member), isMember },
    ],
  };
}

const setOnly = (role: OnlyRole, member: Address, scheme: OnlyScheme = role): RoleChange => ({
  ...{ kind: 'only', role, scheme },
  member,
});

const setOwner = (member: Address): readonly RoleChange[] => [
  setOnly('pendingOwner', ZERO_ADDRESS),
  setOnly('owner', member),
];

const ownershipTransferred: RoleEvent = { parameters: 2, read: ([, owner]) => setOwner(toAddress(owner)) };

const events: ReadonlyMap<Hex, RoleEvent> = new Map(
  Object.entries<RoleEvent>({
    // OpenZeppelin AccessControl.
    'RoleGranted(bytes32,address,address)': readMember('accessControl', true, 3),
    'RoleRevoked(bytes32,address,address)': readMember('accessControl', false, 3),
    // OpenZeppelin AccessManager.
    'RoleGranted(uint64,address,uint32,uint48,bool)': readMember('accessManager', true, 5),
    'RoleRevoked(uint64,address)': readMember('accessManager', false, 2),
    // Solady OwnableRoles.
    'RolesUpdated(address,uint256)': {
      parameters: 2,
      read: ([member, bits]) => [{ kind: 'bitmap', member: toAddress(member), bits: BigInt(bits) }],
    },
    // Maker.
    'Rely(address)': readWard(true),
    'Deny(address)': readWard(false),
    'OwnershipTransferred(address,address)': ownershipTransferred,
    'OwnershipTransferStarted(address,address)': {
      parameters: 2,
      read: ([, member]) => [setOnly('pendingOwner', toAddress(member))],
    },
    // Chainlink's ConfirmedOwner, whose pending owner is private.
    'OwnershipTransferRequested(address,address)': {
      parameters: 2,
      read: ([, member]) => [setOnly('pendingOwner', toAddress(member), 'requestedOwner')],
    },
    // Synthetix' Owned.
    'OwnerNominated(address)': {
      parameters: 1,
      read: ([member]) => [setOnly('pendingOwner', toAddress(member), 'nominatedOwner')],
    },
    'OwnerChanged(address,address)': ownershipTransferred,
    // OpenZeppelin AccessControlDefaultAdminRules. The end of a transfer is a RoleGranted.
    'DefaultAdminTransferScheduled(address,uint48)': {
      parameters: 2,
      read: ([member]) => [setOnly('pendingDefaultAdmin', toAddress(member))],
    },
    'DefaultAdminTransferCanceled()': {
      parameters: 0,
      read: () => [setOnly('pendingDefaultAdmin', ZERO_ADDRESS)],
    },
    // DSAuth.
    'LogSetOwner(address)': { parameters: 1, read: ([owner]) => setOwner(toAddress(owner)) },
    // Proxies, by EIP-1967 and OpenZeppelin before it.
    'AdminChanged(address,address)': {
      parameters: 2,
      read: ([, member]) => [{ kind: 'proxyAdmin', member: toAddress(member) }],
    },
    // Before OpenZeppelin 2, and in old tokens.
    'OwnerUpdated(address,address)': ownershipTransferred,
    'OwnershipRenounced(address)': { parameters: 1, read: () => setOwner(ZERO_ADDRESS) },
  }).map(([signature, event]) => [hashSignature(signature), event] as const),
);

/** Of ERC20Votes (ERC-5805): votes count in a governor, and give no right in the contract itself. */
export const VOTES_EVENT = 'DelegateChanged(address,address,address)';

/**
 * Events of other ways to give rights: of OpenZeppelin 1 and 2, Circle, DSAuth, Solmate, Safe, Zodiac, Aragon, Compound,
 * Curve, Yearn, Chainlink, ENS and old wallets; of Solady's Ownable, whose requests to become the owner end by themselves.
 */
const otherEvents: ReadonlyMap<Hex, string> = new Map(
  [
    ...['MinterAdded(address)', 'PauserAdded(address)', 'SignerAdded(address)', 'CapperAdded(address)'],
    ...['WhitelistAdminAdded(address)', 'WhitelistedAdded(address)', 'RoleAdded(address,string)'],
    ...['MinterConfigured(address,uint256)', 'MasterMinterChanged(address)', 'PauserChanged(address)'],
    ...['BlacklisterChanged(address)', 'RescuerChanged(address)', 'LogSetAuthority(address)'],
    ...['AuthorityUpdated(address)', 'AuthorityUpdated(address,address)'],
    ...['UserRoleUpdated(address,uint8,bool)', 'AddedOwner(address)', 'EnabledModule(address)'],
    ...['SafeSetup(address,address[],uint256,address,address)', 'OwnerAddition(address)'],
    ...['AssignRoles(address,uint16[],bool[])', 'AssignRoles(address,bytes32[],bool[])'],
    ...['SetPermission(address,address,bytes32,bool)', 'Granted(bytes32,address,address,address,address)'],
    ...['NewAdmin(address)', 'NewAdmin(address,address)', 'NewPendingAdmin(address)'],
    ...['NewPendingAdmin(address,address)', 'CommitOwnership(address)', 'ApplyOwnership(address)'],
    ...['UpdateGovernance(address)', 'NewPendingGovernance(address)', 'UpdateGuardian(address)'],
    ...['RoleSet(address,uint256)', 'UpdateRoleManager(address)', 'AuthorizedCallerAdded(address)'],
    ...['ControllerAdded(address)', 'ControllerChanged(address,bool)', 'NewOwner(address)'],
    ...['NewOwner(address,address)', 'NewGovernor(address)', 'GovernanceTransferred(address,address)'],
    ...['OwnerSet(address,address)', 'NewPendingOwner(address,address)', 'OwnershipOffered(address,address)'],
    'OwnershipHandoverRequested(address)',
    VOTES_EVENT,
  ].map((signature) => [hashSignature(signature), signature] as const),
);

/** The topic0 of all events that change roles, or show that others do. */
export const ROLE_TOPICS: readonly Hex[] = [...events.keys(), ...otherEvents.keys()];

/**
 * The event of a log that gives rights in a way that is not read.
 *
 * @example findOtherRights(log); // 'MinterAdded(address)'
 */
export function findOtherRights({ topics }: Pick<Log, 'topics'>): string | undefined {
  return otherEvents.get(topics[0] ?? '0x');
}

/**
 * What a log does to roles.
 *
 * @returns undefined if the log has other parameters than its event.
 * @example readRoleChanges(log); // [{ kind: 'only', scheme: 'owner', member: '0x7099…' }]
 */
export function readRoleChanges({
  topics,
  data,
}: Pick<Log, 'data' | 'topics'>): readonly RoleChange[] | undefined {
  const [topic0 = '0x', ...indexed] = topics;
  const event = events.get(topic0);
  if (!event || (data.length - 2) % 64 !== 0) return undefined;
  const fields = [...indexed];
  for (let at = 2; at < data.length && fields.length <= event.parameters; at += 64)
    fields.push(`0x${data.slice(at, at + 64)}`);
  if (fields.length !== event.parameters) return undefined;
  return event.read(fields as unknown as Fields);
}

/**
 * The address in the last 20 bytes of a word.
 *
 * @example toAddress('0x000000000000000000000000000000000000000000000000000000000000dead')
 */
export const toAddress = (word: Hex): Address => `0x${word.slice(-40)}`;
