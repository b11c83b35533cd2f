import { type FindEnum, isSameEnum } from '../../abi/enums.ts';
import type { EnumType } from '../../abi/type.ts';
import type { ContractFacts } from '../readers/facts.ts';

/** The enums that sources declare, for compiled ABIs, which have only their names. */
export interface EnumTable {
  /** Replaces the enums that the contracts of a file use. */
  put(path: string, contracts: readonly Pick<ContractFacts, 'enums'>[]): void;
  /** Undefined if sources declare enums of this name with other members. */
  readonly find: FindEnum;
}

export function createEnumTable(): EnumTable {
  const byPath = new Map<string, readonly EnumType[]>();
  /** Built on demand; undefined after a change. */
  let byName: ReadonlyMap<string, EnumType | undefined> | undefined;

  return {
    put(path, contracts) {
      const declared = contracts.flatMap(({ enums }) =>
        Object.values(enums ?? {})
          .flat()
          .flatMap(({ name, members, isFlag }) =>
            members ? [{ name, members, ...(isFlag && { isFlag }) }] : [],
          ),
      );
      if (declared.length === 0 && !byPath.has(path)) return;
      byName = undefined;
      if (declared.length > 0) byPath.set(path, declared);
      else byPath.delete(path);
    },
    find(name) {
      byName ??= indexByName(byPath);
      return byName.get(name);
    },
  };
}

function indexByName(
  byPath: ReadonlyMap<string, readonly EnumType[]>,
): ReadonlyMap<string, EnumType | undefined> {
  const byName = new Map<string, EnumType | undefined>();
  for (const declared of [...byPath.values()].flat()) {
    const other = byName.get(declared.name);
    const isEqual = !byName.has(declared.name) || (other && isSameEnum(other, declared));
    byName.set(declared.name, isEqual ? declared : undefined);
  }
  return byName;
}
