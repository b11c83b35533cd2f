import { MOST_DECLARATIONS } from './limits.ts';
import type {
  SourceContract,
  SourceFacts,
  SourceImport,
  SourceItem,
  SourceScope,
  SourceType,
  SourceUse,
} from './sourceFacts.ts';

/** What a declaration is in: the position of a contract, or undefined for the file. */
export type Within = number | undefined;

/** What has been read of a source so far, each list within its bound. */
export interface Draft {
  /** Gives its position, for what is declared in it. */
  addContract(contract: Omit<SourceContract, keyof SourceScope>): number;
  addType(type: SourceType, within: Within): void;
  addItem(item: SourceItem, within: Within): void;
  addImport(imported: SourceImport): void;
  addUse(use: SourceUse): void;
  facts(): SourceFacts;
}

type Filling<Scope extends SourceScope> = Scope & {
  readonly types: SourceType[];
  readonly items: SourceItem[];
};

export function createDraft(language: SourceFacts['language']): Draft {
  const contracts: Filling<SourceContract>[] = [];
  const file: Filling<SourceScope> = { types: [], items: [] };
  const imports: SourceImport[] = [];
  const uses: SourceUse[] = [];
  const counts = { contract: 0, type: 0, item: 0, import: 0, use: 0 };
  let cut = false;

  /** Puts a part into its list while there is room for its kind; what is in a contract without room has none. */
  function add<T>(kind: keyof typeof counts, part: T, list: T[] | undefined): void {
    if (counts[kind] === MOST_DECLARATIONS) cut = true;
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
    facts: () => withoutSource({ language, imports, contracts, ...file, uses, cut }),
  };
}

/** A copy that does not keep the whole source in memory, as parts of a long text do. */
function withoutSource(facts: SourceFacts): SourceFacts {
  return JSON.parse(JSON.stringify(facts));
}

/** A source that is being read, a token at a time. */
export interface SourceReading {
  /** Reads on; false at the end of the source. */
  next(): boolean;
  /** What has been read so far. */
  facts(): SourceFacts;
}
