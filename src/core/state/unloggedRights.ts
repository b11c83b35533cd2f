import { toAbiWord } from '../abi/encode.ts';
import { createMessage, type Message } from '../base/text.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import { toSelector } from '../eth/keccak.ts';
import { decodeUint } from '../rpc/ethCall.ts';
import { DEFAULT_ADMIN, type Role, toAddress } from './roleEvents.ts';
import { callForEach, type StateCall } from './stateCalls.ts';

/** Who has a role, by the logs. */
interface Member {
  readonly role: Role;
  readonly member: Address;
}

/**
 * Functions that name an account with rights: of Ownable and its likes, of AccessControlDefaultAdminRules (whose `owner` is
 * that of ERC-5313), of proxies, Compound, Yearn, Circle, and of contracts that another one manages.
 */
const GETTERS = [
  ...([
    'owner',
    'getOwner',
    'pendingOwner',
    'nominatedOwner',
    'defaultAdmin',
    'pendingDefaultAdmin',
  ] as const),
  ...(['admin', 'pendingAdmin', 'governance', 'pendingGovernance', 'governor', 'minter'] as const),
  ...(['masterMinter', 'pauser', 'guardian', 'authority'] as const),
];

/**
 * Finds accounts that the contract names, and no event recorded. An owner contradicts the logs; other rights are only not
 * read. Who owns the contract, or is its default admin by the logs, has all rights anyway.
 *
 * @param members those of now, by the logs.
 * @throws AppError as the calls do.
 */
export async function findUnloggedRights(
  address: Address,
  members: readonly Member[],
  call: StateCall,
): Promise<{ readonly reasons: readonly Message[]; readonly notes: readonly Message[] }> {
  const results = await callForEach(GETTERS, (name) => call(address, toSelector(`${name}()`)));
  const named = new Map(GETTERS.map((name, index) => [name, readAddress(results[index])] as const));
  const mayAll = (account: Address) =>
    members.some(({ role, member }) => member === account && (role === 'owner' || role === DEFAULT_ADMIN));
  const owner = named.get('owner');
  const isUnlogged = owner !== undefined && !members.some(({ role }) => role === 'owner');
  const isDefaultAdmin = owner !== undefined && owner === named.get('defaultAdmin') && mayAll(owner);
  const others = [...named].flatMap(([name, account]) => {
    if (name === 'owner' || account === undefined || mayAll(account)) return [];
    const isLogged = members.some(({ role, member }) => role !== DEFAULT_ADMIN && member === account);
    return isLogged || (account === owner && isUnlogged) ? [] : [[name, account] as const];
  });
  return {
    reasons:
      isUnlogged && !isDefaultAdmin
        ? [
            createMessage(
              'The contract says that its owner is {0}, but no event recorded it. The logs do not describe its roles.',
              owner,
            ),
          ]
        : [],
    notes: others.map(([name, account]) =>
      createMessage(
        'By its function {0}, the contract gives rights to {1}. No event recorded it.',
        name,
        account,
      ),
    ),
  };
}

/** Undefined for the zero address, and for anything that is not an address. */
function readAddress(result: Hex | undefined): Address | undefined {
  const value = result === undefined ? undefined : decodeUint(result);
  if (value === undefined || value >> 160n !== 0n) return undefined;
  const account = toAddress(toAbiWord(value));
  return account === ZERO_ADDRESS ? undefined : account;
}
