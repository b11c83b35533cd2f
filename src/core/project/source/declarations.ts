import type { VyperDecimal } from './vyperVersion.ts';

/** The declarations of a source, before names are resolved. Plain JSON: stored between sessions. */
export interface SourceFacts extends SourceScope {
  readonly language: 'solidity' | 'vyper';
  /** The ABI type of `decimal` in a Vyper source; undefined if its compiler is unknown. */
  readonly decimal?: VyperDecimal;
  readonly imports: readonly SourceImport[];
  readonly contracts: readonly SourceContract[];
  readonly uses: readonly SourceUse[];
  /** Whether a limit was reached, so that something is missing. */
  readonly cut: boolean;
}

/** The declarations of one contract, or of a file outside of contracts. */
export interface SourceScope {
  readonly types: readonly SourceType[];
  readonly items: readonly SourceItem[];
  /** Those of a library or outside of contracts; what any other contract calls is one entry without a name. */
  readonly functions?: readonly SourceFunction[];
  readonly usings?: readonly SourceUsing[];
}

/** A body, for what a contract emits and reverts with through others. */
export interface SourceFunction {
  /** Empty for all of a contract; those with the same name are one. */
  readonly name: string;
  /** As `CallReader` has them. */
  readonly calls: readonly string[];
}

/** `using L for T`, `using {f, L.g, add as +} for T global`. */
export interface SourceUsing {
  /** Names of libraries or functions. */
  readonly names: readonly string[];
  /** Functions that a type has as operators. */
  readonly operators?: readonly (readonly [operator: string, name: string])[];
  readonly isGlobal?: true;
}

/** A contract in a source. A Vyper file is one contract, named like the file; its types belong to the file. */
export interface SourceContract extends SourceScope, SourcePlace {
  readonly kind: 'contract' | 'abstract' | 'interface' | 'library';
  readonly name: string;
  /** The names of its base contracts, possibly with dots; of a Vyper file those of the modules that it uses. */
  readonly bases: readonly string[];
  /** What a Vyper file exports of its modules: `base.move`, `base.__interface__`. */
  readonly exports?: readonly string[];
}

/** A declaration that becomes an ABI item. Functions are public or external. */
export interface SourceItem extends SourcePlace {
  readonly kind: 'event' | 'error' | 'function';
  readonly name: string;
  readonly inputs: readonly SourceParameter[];
  readonly outputs?: readonly SourceParameter[];
  /** Set for a function that is `view` or `pure`. */
  readonly isView?: true;
  /** Set for the getter of a public variable, which returns the members of a struct, not the struct. */
  readonly isGetter?: true;
  /** Set for an event without a topic0. */
  readonly anonymous?: true;
}

/** A parameter of an event, error or function, or a member of a struct, as in the source. */
export interface SourceParameter {
  /** Empty if it has none. */
  readonly name: string;
  /**
   * The type as written, in one form for both languages: a name with dots and its dimensions, `uint256`, `Pool.Key[2][]`,
   * `Id[COUNT]`. A function type is `function`, a mapping `mapping`.
   */
  readonly type: string;
  readonly indexed?: true;
  /** Set for a reference to storage, which functions of libraries take. */
  readonly isStorage?: true;
  /** What it counts, by `@custom:unit` of the doc comment. */
  readonly unit?: string;
}

/** A declaration that types and array lengths may refer to. */
export type SourceType =
  | { readonly kind: 'struct'; readonly name: string; readonly members: readonly SourceParameter[] }
  | { readonly kind: 'enum'; readonly name: string; readonly members: readonly string[] }
  /** A user-defined value type, which the ABI encodes as `type`. */
  | { readonly kind: 'alias'; readonly name: string; readonly type: string }
  /** A constant whose value is a number, another constant, or computed from these. */
  | { readonly kind: 'constant'; readonly name: string; readonly value: string };

/** An import. Without `as` and `names` it imports all top-level names of the file. */
export interface SourceImport {
  /** As written: in Solidity a path, in Vyper names with dots, `..lib.math`. */
  readonly path: string;
  /** The alias of the file as a whole. */
  readonly as?: string;
  readonly names?: readonly (readonly [name: string, as: string])[];
}

/** An `emit`, a `log` of Vyper, or a `revert` with a custom error. */
export interface SourceUse extends SourcePlace {
  readonly kind: 'event' | 'error';
  /** As written, possibly with dots. */
  readonly name: string;
  /** Index after the name. */
  readonly end: number;
  /** Index of its contract in `contracts`; undefined outside of contracts. */
  readonly contract?: number | undefined;
  /** The function of a library or outside of contracts that it is in. */
  readonly function?: string;
}

export interface SourcePlace {
  /** From 1. */
  readonly line: number;
  /** Index of its first character in the source. */
  readonly offset: number;
}

/** Parses a source, one token at a time. */
export interface SourceParser {
  /** Reads the next token; false at the end of the source. */
  next(): boolean;
  getFacts(): SourceFacts;
}

/** A longer source was generated, and nothing in it is read. */
export const MAX_SOURCE_CHARS = 1_000_000;
/** Per kind in a source. The longest source of OpenZeppelin has 60 declarations, a generated one hundreds. */
const MAX_DECLARATIONS = 2_000;
/** The same limit as for an event that a person types. */
export const MAX_SOURCE_DECLARATION_CHARS = 4_096;
/** An item with all its structs: the limit of `parseAbiItem`. */
export const MAX_LINKED_ITEM_CHARS = 16_384;
/** Characters of all items of one link: a hundred times those of the largest known contracts. */
export const MAX_LINKED_CHARS = 8_000_000;
/** Members of a struct, names of an enum or an import. A tuple of more would not fit into a declaration. */
export const MAX_MEMBERS = 512;
/** Files that are searched for one name, or for one contract with everything that it inherits. */
export const MAX_LINKED_FILES = 512;
/** Nested structs, arrays, constants and modules. */
export const MAX_NESTING_DEPTH = 16;

/** The scope of a declaration: the index of a contract, or undefined for the file. */
export type Within = number | undefined;

/** Collects the declarations of a source, each list up to its limit. */
export interface SourceBuilder {
  /** @returns its index, for the declarations in it. */
  addContract(contract: Omit<SourceContract, keyof SourceScope>): number;
  addType(type: SourceType, within: Within): void;
  addItem(item: SourceItem, within: Within): void;
  addImport(imported: SourceImport): void;
  addUse(use: SourceUse): void;
  addFunction(body: SourceFunction, within: Within): void;
  addUsing(using: SourceUsing, within: Within): void;
  getFacts(): SourceFacts;
}

type Mutable<Scope extends SourceScope> = Scope & {
  readonly types: SourceType[];
  readonly items: SourceItem[];
  functions?: SourceFunction[];
  usings?: SourceUsing[];
};

export function createSourceBuilder(language: SourceFacts['language']): SourceBuilder {
  const contracts: Mutable<SourceContract>[] = [];
  const file: Mutable<SourceScope> = { types: [], items: [] };
  const imports: SourceImport[] = [];
  const uses: SourceUse[] = [];
  const counts = { contract: 0, type: 0, item: 0, import: 0, use: 0, function: 0, using: 0 };
  let cut = false;

  /** Adds a part to its list up to the limit of its kind. `list` is undefined in a contract that exceeded the limit. */
  function add<T>(kind: keyof typeof counts, part: T, list: T[] | undefined): void {
    if (counts[kind] === MAX_DECLARATIONS) cut = true;
    else {
      counts[kind]++;
      list?.push(part);
    }
  }
  const scope = (within: Within) => (within === undefined ? file : contracts[within]);

  return {
    addContract(contract) {
      const index = contracts.length;
      add('contract', { ...contract, types: [], items: [] }, contracts);
      return index;
    },
    addType: (type, within) => add('type', type, scope(within)?.types),
    addItem: (item, within) => add('item', item, scope(within)?.items),
    addImport: (imported) => add('import', imported, imports),
    addUse: (use) => add('use', use, uses),
    addFunction({ name, calls }, within) {
      const at = scope(within);
      if (!at) return;
      at.functions ??= [];
      const same = at.functions.findIndex((each) => each.name === name);
      const known = at.functions[same];
      if (!known) add('function', { name, calls }, at.functions);
      else at.functions[same] = { name, calls: [...new Set([...known.calls, ...calls])] };
    },
    addUsing(using, within) {
      const at = scope(within);
      if (!at) return;
      at.usings ??= [];
      add('using', using, at.usings);
    },
    getFacts: () => ({ language, imports, contracts, ...file, uses, cut }),
  };
}

/** Returns the line of an offset, from 1. Offsets must increase, so that the source is scanned once. */
export function createLineCounter(source: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) {
      const code = source.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && source.charCodeAt(at + 1) !== 0x0a)) line++;
    }
    return line;
  };
}
