import { createMessage, foreign, type Message } from '../base/text.ts';
import { type Address, ZERO_ADDRESS } from '../eth/hex.ts';
import { hashText } from '../eth/keccak.ts';
import { getRoleOfGetter } from './calledRoles.ts';
import { DEFAULT_ADMIN, type Role } from './roleEvents.ts';

/** Who has a role, by the logs. */
interface Member {
  readonly role: Role;
  readonly member: Address;
}

/**
 * Functions that name an account with rights: of Ownable and its likes, of AccessControlDefaultAdminRules, of proxies,
 * Compound, Yearn, Circle, and of contracts that another one manages.
 */
export const RIGHTS_GETTERS = [
  ...(['owner', 'getOwner', 'pendingOwner', 'nominatedOwner', 'defaultAdmin'] as const),
  ...(['pendingDefaultAdmin', 'admin', 'pendingAdmin', 'governance', 'pendingGovernance'] as const),
  ...(['governor', 'minter', 'masterMinter', 'pauser', 'guardian', 'authority'] as const),
] as const;

/** Functions that return who has a role of another name in the logs, as `minter` does with a `MINTER_ROLE`. */
const MINOR_GETTERS: readonly string[] = ['minter', 'masterMinter', 'pauser', 'guardian'];

/**
 * Finds accounts that the contract names, and no event recorded. An owner contradicts the logs; other rights are only not
 * read. Whoever owns the contract, or is its default admin by the logs, has all other rights anyway, except to become one.
 *
 * @param accounts what {@link RIGHTS_GETTERS} return.
 * @param members those of now, by the logs.
 * @example const { reasons, notes } = findUnloggedRights(accounts, members);
 */
export function findUnloggedRights(
  accounts: ReadonlyMap<string, Address>,
  members: readonly Member[],
): { readonly reasons: readonly Message[]; readonly notes: readonly Message[] } {
  const has = (account: Address, role: Role) =>
    members.some((each) => each.member === account && each.role === role);
  const owner = accounts.get('owner') ?? ZERO_ADDRESS;
  const isDefaultAdmin = owner === accounts.get('defaultAdmin') && has(owner, DEFAULT_ADMIN);
  const isUnlogged = owner !== ZERO_ADDRESS && !isDefaultAdmin && !has(owner, 'owner');
  const isLogged = (name: string, account: Address): boolean => {
    if (account === ZERO_ADDRESS || name === 'owner') return true;
    const role = name === 'defaultAdmin' ? DEFAULT_ADMIN : getRoleOfGetter(name);
    if (role !== undefined && has(account, role)) return true;
    if (role === 'owner' || role === DEFAULT_ADMIN) return account === owner;
    if (role !== undefined) return false;
    return (
      account === owner ||
      has(account, 'owner') ||
      has(account, DEFAULT_ADMIN) ||
      has(account, hashText(`${name.toUpperCase()}_ROLE`)) ||
      (MINOR_GETTERS.includes(name) && members.some(({ member }) => member === account))
    );
  };
  return {
    reasons: isUnlogged
      ? [
          createMessage(
            'The contract says that its owner is {0}, but no event recorded it. The logs do not describe its roles.',
            owner,
          ),
        ]
      : [],
    notes: [...accounts]
      .filter(([name, account]) => !isLogged(name, account))
      .map(([name, account]) =>
        createMessage(
          'By its function {0}, the contract gives rights to {1}. No event recorded it.',
          foreign(name),
          account,
        ),
      ),
  };
}
