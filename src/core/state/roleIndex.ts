import { addToList } from '../base/values.ts';
import { hashText } from '../eth/keccak.ts';
import { isNamedRole, type StateRow } from './contractState.ts';
import { DEFAULT_ADMIN, type Role, WARD } from './roleEvents.ts';

export type RoleRow = Extract<StateRow, { kind: 'role' }>;

/** Names of roles that mean the same in all contracts, and do not hash to the role. */
export const DEFAULT_ADMIN_NAME = 'DEFAULT_ADMIN_ROLE';
export const WARD_NAME = 'ward';

/** Whether each contract can have a role of this name. */
export const isCommonRole = (role: string): boolean =>
  isNamedRole(role) || role === DEFAULT_ADMIN_NAME || role === WARD_NAME;

export interface RoleIndex {
  /**
   * The roles that rows list under a name or hash. If no row does, it is the role whose hash is given, or the hash of the
   * name.
   */
  find(name: string): readonly Role[];
  /** The rows under a name or hash. */
  rowsOf(name: string): readonly RoleRow[];
  /** The names of roles, each once; hashes where they have none, or share one. */
  listNames(): readonly string[];
}

/**
 * Finds roles and their members by name, however many there are. Other rows are left out.
 *
 * @example indexRoles(rows).rowsOf('MINTER_ROLE')
 */
export function indexRoles(rows: readonly StateRow[]): RoleIndex {
  const rowsByRole = new Map<Role, RoleRow[]>();
  const rolesByName = new Map<string, Set<Role>>();
  for (const row of rows) {
    if (row.kind !== 'role') continue;
    const { role, roleName = role } = row;
    addToList(rowsByRole, role, row);
    for (const name of [role, roleName]) {
      const roles = rolesByName.get(name);
      if (roles) roles.add(role);
      else rolesByName.set(name, new Set([role]));
    }
  }
  const find = (name: string): readonly Role[] => {
    const named = rolesByName.get(name);
    return named ? [...named] : [toRole(name)];
  };
  return {
    find,
    rowsOf: (name) => find(name).flatMap((role) => rowsByRole.get(role) ?? []),
    listNames() {
      const names = [...rowsByRole].flatMap(([role, [row]]) => {
        const name = row?.roleName;
        return name === undefined || (rolesByName.get(name)?.size ?? 0) > 1 ? role : name;
      });
      return [...new Set(names)];
    },
  };
}

function toRole(name: string): Role {
  if (name.startsWith('0x')) return name.toLowerCase() as Role;
  if (name === WARD_NAME) return WARD;
  return name === DEFAULT_ADMIN_NAME ? DEFAULT_ADMIN : hashText(name);
}
