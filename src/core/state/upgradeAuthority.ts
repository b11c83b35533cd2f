import { toAbiWord } from '../abi/encode.ts';
import { ownWord } from '../base/ownText.ts';
import { createMessage, type Message } from '../base/text.ts';
import type { ProxyReading } from '../client/contractCalls.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { parseAddressWord, proxySlots } from '../identity/proxyPatterns.ts';
import type { StateRow } from './contractState.ts';
import type { StateCall } from './stateCalls.ts';

type RoleRow = Extract<StateRow, { kind: 'role' }>;

/** Who may change the code that a proxy runs. */
export interface UpgradeAuthority {
  /** Read in the state of the block. */
  readonly rows: readonly RoleRow[];
  /** Whether the slot of the admin was read: then `rows` has the admin, if there is one. */
  readonly isAdminRead: boolean;
  /** What contradicts the logs. */
  readonly reasons: readonly Message[];
  /** What could not be read. */
  readonly notes: readonly Message[];
  /** Who decides, where it is no address. */
  readonly details: readonly Message[];
}

const OWNER = toSelector('owner()');
const PROXIABLE_UUID = toSelector('proxiableUUID()');

/**
 * Finds who may upgrade a proxy: the admin in its slot, the owner of an admin that is a contract, the owner of a beacon,
 * or the code of the implementation.
 *
 * @param loggedAdmin the admin by the logs; the zero address if it was removed, undefined without a log.
 * @throws AppError as `call` does.
 * @example
 * const { rows } = await findUpgradeAuthority(await client.fetchProxy(address, block), { call, loggedAdmin });
 */
export async function findUpgradeAuthority(
  { proxy, adminWord, mayBeProxy }: ProxyReading,
  { call, loggedAdmin }: { readonly call: StateCall; readonly loggedAdmin: Address | undefined },
): Promise<UpgradeAuthority> {
  const rows: RoleRow[] = [];
  const reasons: Message[] = [];
  const notes: Message[] = [];
  const details: Message[] = [];
  const admin = parseAddressWord(adminWord);
  const isLogged = loggedAdmin !== undefined && loggedAdmin !== ZERO_ADDRESS;
  if (adminWord === undefined) {
    if (mayBeProxy || isLogged) notes.push(createMessage(ADMIN_UNREAD));
  } else if (isLogged && !proxy && admin === undefined) {
    notes.push(
      createMessage(
        'The contract also gives rights by {0}, which is not read.',
        ownWord('AdminChanged(address,address)'),
      ),
    );
  } else if (isLogged && loggedAdmin !== admin) {
    reasons.push(
      admin === undefined
        ? createMessage('By the logs, {0} is the admin of the proxy. Its admin slot is empty.', loggedAdmin)
        : createMessage(
            'By the logs, {0} is the admin of the proxy. Its admin slot has {1}.',
            loggedAdmin,
            admin,
          ),
    );
  } else if (admin !== undefined && loggedAdmin === ZERO_ADDRESS)
    reasons.push(createMessage('By the logs, the proxy has no admin. Its admin slot has {0}.', admin));
  if (admin !== undefined) {
    rows.push(toRow('proxyAdmin', admin));
    const owner = await fetchOwner(admin, call);
    if (owner !== undefined && owner !== ZERO_ADDRESS) rows.push(toRow('proxyAdminOwner', owner));
    if (owner === ZERO_ADDRESS) details.push(createMessage('The proxy admin has no owner: it was given up.'));
  }
  if (proxy?.beacon !== undefined) {
    const owner = await fetchOwner(proxy.beacon, call);
    if (owner !== undefined && owner !== ZERO_ADDRESS) rows.push(toRow('beaconOwner', owner));
    details.push(
      owner === undefined
        ? createMessage('The beacon {0} decides which code runs. It has no owner().', proxy.beacon)
        : owner === ZERO_ADDRESS
          ? createMessage('The beacon {0} decides which code runs. Its owner was given up.', proxy.beacon)
          : createMessage('The beacon {0} decides which code runs.', proxy.beacon),
    );
  } else if (proxy && admin === undefined && adminWord !== undefined)
    details.push(await describeOther(proxy, call));
  return { rows, isAdminRead: adminWord !== undefined, reasons, notes, details };
}

const ADMIN_UNREAD =
  'The endpoint did not return the slot of a proxy admin, so the admin is not confirmed or may be missing.';

/** Who may upgrade a proxy without an admin and without a beacon. */
async function describeOther(
  { type, implementations: [implementation] }: NonNullable<ProxyReading['proxy']>,
  call: StateCall,
): Promise<Message> {
  const address = implementation?.address ?? ZERO_ADDRESS;
  switch (type) {
    case 'eip1167':
    case 'clone_with_immutable_arguments':
    case 'minimal_proxy':
      return createMessage('The implementation {0} is fixed in the code of the proxy.', address);
    case 'eip2535':
      return createMessage('The code of the diamond decides who may change its facets.');
    case 'eip7702':
      return createMessage('The account runs the code of {0}. Its key decides which code it runs.', address);
    default:
      return (await isUpgradeable(address, call))
        ? createMessage('The implementation {0} decides who may upgrade the proxy (UUPS).', address)
        : createMessage(
            'The proxy has no admin in its admin slot. Its own code, or its implementation {0}, decides who may upgrade it.',
            address,
          );
  }
}

/** Whether an implementation names the slot that it upgrades, as UUPS (EIP-1822) has it. */
async function isUpgradeable(implementation: Address, call: StateCall): Promise<boolean> {
  const slot = await call(implementation, PROXIABLE_UUID);
  return slot === proxySlots.eip1967 || slot === proxySlots.eip1822;
}

/** The owner of a contract; undefined for an account, and for a contract without an owner. */
async function fetchOwner(contract: Address, call: StateCall): Promise<Address | undefined> {
  const word = await call(contract, OWNER);
  return word === NOBODY ? ZERO_ADDRESS : parseAddressWord(word);
}

const NOBODY: Hex = toAbiWord(0n);

function toRow(role: 'proxyAdmin' | 'proxyAdminOwner' | 'beaconOwner', member: Address): RoleRow {
  return { kind: 'role', role, roleName: undefined, member };
}
