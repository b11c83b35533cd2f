/** A parameter of an event, error or function, or a member of a struct, as the source has it. */
export interface SourceParameter {
  /** Empty where it has none. */
  readonly name: string;
  /**
   * The type as it is written, in one form for all languages: a name with dots and its dimensions, `uint256`,
   * `Pool.Key[2][]`, `Id[COUNT]`. Of a function type `function`, of a mapping `mapping`.
   */
  readonly type: string;
  readonly indexed?: true;
}

/** Where something is declared. */
export interface SourcePlace {
  /** From 1. */
  readonly line: number;
  /** Index of its first character in the source. */
  readonly offset: number;
}

/** What a source declares for types and lengths of arrays to name. */
export type SourceType =
  | { readonly kind: 'struct'; readonly name: string; readonly members: readonly SourceParameter[] }
  | { readonly kind: 'enum'; readonly name: string }
  /** A user-defined value type, which is `type` in the ABI. */
  | { readonly kind: 'alias'; readonly name: string; readonly type: string }
  /** A constant whose value is a number, the name of another one, or a sum of products of these. */
  | { readonly kind: 'constant'; readonly name: string; readonly value: string };

/** A declaration that becomes an item of the ABI. Functions are those that are called from outside. */
export interface SourceItem extends SourcePlace {
  readonly kind: 'event' | 'error' | 'function';
  readonly name: string;
  readonly inputs: readonly SourceParameter[];
  /** Of a function that returns something. */
  readonly outputs?: readonly SourceParameter[];
  /** Of an event that has no topic0. */
  readonly anonymous?: true;
}

/** Declarations that have one surrounding: a contract, or a file. */
export interface SourceScope {
  readonly types: readonly SourceType[];
  readonly items: readonly SourceItem[];
}

/** A contract of a source. A Vyper file is one as a whole, named like the file; its types belong to the file. */
export interface SourceContract extends SourceScope, SourcePlace {
  readonly kind: 'contract' | 'abstract' | 'interface' | 'library';
  readonly name: string;
  /** Names of what it inherits, with dots where they have some. */
  readonly bases: readonly string[];
}

/** An import. Neither `as` nor `names`: everything that the file has at its outermost level. */
export interface SourceImport {
  /** As it is written: in Solidity a path, in Vyper names with dots, `..lib.math`. */
  readonly path: string;
  /** The file as a whole goes by this name. */
  readonly as?: string;
  /** Single names of the file; the second is how it is called here. */
  readonly names?: readonly (readonly [name: string, as: string])[];
}

/** An `emit`, a `log` of Vyper, or a `revert` with a custom error. */
export interface SourceUse extends SourcePlace {
  readonly kind: 'event' | 'error';
  /** As it is written, with dots where it has some. */
  readonly name: string;
  /** Index behind the name. */
  readonly end: number;
  /** Position of its contract in `contracts`; undefined outside of all. */
  readonly contract: number | undefined;
}

/** What a source declares, before its names are resolved. Plain JSON: kept between sessions. */
export interface SourceFacts extends SourceScope {
  readonly language: 'solidity' | 'vyper';
  readonly imports: readonly SourceImport[];
  readonly contracts: readonly SourceContract[];
  readonly uses: readonly SourceUse[];
  /** Whether a bound left something out. */
  readonly cut: boolean;
}

/** What a declaration is in: the position of a contract, or undefined for the file. */
export type Within = number | undefined;

/** What has been read of a source so far, each list within its bound. */
export interface SourceBuilder {
  /** Gives its position, for what is declared in it. */
  addContract(contract: Omit<SourceContract, keyof SourceScope>): number;
  addType(type: SourceType, within: Within): void;
  addItem(item: SourceItem, within: Within): void;
  addImport(imported: SourceImport): void;
  addUse(use: SourceUse): void;
  getFacts(): SourceFacts;
}

type Filling<Scope extends SourceScope> = Scope & {
  readonly types: SourceType[];
  readonly items: SourceItem[];
};

export function createSourceBuilder(language: SourceFacts['language']): SourceBuilder {
  const contracts: Filling<SourceContract>[] = [];
  const file: Filling<SourceScope> = { types: [], items: [] };
  const imports: SourceImport[] = [];
  const uses: SourceUse[] = [];
  const counts = { contract: 0, type: 0, item: 0, import: 0, use: 0 };
  let cut = false;

  /** Puts a part into its list while there is room for its kind; what is in a contract without room has none. */
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
      const position = contracts.length;
      add('contract', { ...contract, types: [], items: [] }, contracts);
      return position;
    },
    addType: (type, within) => add('type', type, scope(within)?.types),
    addItem: (item, within) => add('item', item, scope(within)?.items),
    addImport: (imported) => add('import', imported, imports),
    addUse: (use) => add('use', use, uses),
    getFacts: () => withoutSource({ language, imports, contracts, ...file, uses, cut }),
  };
}

/** A copy that does not keep the whole source in memory, as parts of a long text do. */
function withoutSource(facts: SourceFacts): SourceFacts {
  return JSON.parse(JSON.stringify(facts));
}

/** A source that is being read, a token at a time. */
export interface SourceParser {
  /** Reads on; false at the end of the source. */
  next(): boolean;
  /** What has been read so far. */
  getFacts(): SourceFacts;
}

/** Sources are short; one longer than this was made by a program, and nothing is read in it. */
export const MAX_SOURCE_CHARS = 1_000_000;
/** Of one kind in a source. The longest of OpenZeppelin has 60 declarations, a generated one hundreds. */
const MAX_DECLARATIONS = 2_000;
/** Characters of one declaration, as many as an event may have elsewhere. */
export const MAX_SOURCE_DECLARATION_CHARS = 4_096;
/** Characters of an item with all its structs, as many as may be read again. */
export const MAX_LINKED_ITEM_CHARS = 16_384;
/** Characters of all items of one link: a hundred times those of the largest known contracts. */
export const MAX_LINKED_CHARS = 8_000_000;
/** Members of a struct and names of an enum or an import; a tuple of more would not fit into a declaration. */
export const MAX_MEMBERS = 512;
/** Files that are looked at for one name, or for one contract with all that it inherits. */
export const MAX_LINKED_FILES = 512;
/** Structs in structs, arrays in arrays, constants that name constants, modules in modules. */
export const MAX_NESTING_DEPTH = 16;

/** Gives the line of an index, from 1. Asked in rising order, so that all of the source is passed over once. */
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
