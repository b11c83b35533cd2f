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
