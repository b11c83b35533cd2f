import type { AbiParameter, AbiType } from '../../abi/abiType.ts';
import { isSolidityName } from '../handed/identifiers.ts';

/** The structs that stand for the tuples of events. Their names are lost in an ABI, so that they get new ones. */
export interface Structs {
  /** A type as Solidity declares a variable of it. */
  nameOf(type: AbiType): string;
  /** The names of a tuple's members. */
  membersOf(type: AbiType & { readonly kind: 'tuple' }): readonly string[];
  /** Their declarations, each after those that it is made of. */
  readonly declarations: readonly string[];
}

/** @param taken names that no struct may have. */
export function createStructs(taken: readonly string[]): Structs {
  const names = new Map<string, string>();
  const declarations: string[] = [];

  function nameOf(type: AbiType): string {
    if (type.kind === 'array') return `${nameOf(type.item)}[${type.length ?? ''}]`;
    return type.kind === 'tuple' ? structOf(type) : type.text;
  }

  function structOf(type: AbiType & { readonly kind: 'tuple' }): string {
    const members = membersOf(type).map((name, index) => {
      const member = type.members[index] as AbiParameter;
      return `        ${nameOf(member.type)} ${name};\n`;
    });
    const body = members.join('');
    const known = names.get(body);
    if (known !== undefined) return known;
    let name = `Struct${names.size + 1}`;
    while (taken.includes(name)) name += '_';
    names.set(body, name);
    declarations.push(`    struct ${name} {\n${body}    }\n`);
    return name;
  }

  return { nameOf, membersOf, declarations };
}

function membersOf({ members }: AbiType & { readonly kind: 'tuple' }): readonly string[] {
  const names: string[] = [];
  for (const [index, { name }] of members.entries()) {
    let own = isSolidityName(name) ? name : `member${index}`;
    while (names.includes(own) || members.some((other, place) => place > index && other.name === own))
      own += '_';
    names.push(own);
  }
  return names;
}
