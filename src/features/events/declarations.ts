import {
  linkLoading,
  type SourceContract,
  type SourceFacts,
  type SourceFiles,
  type SourceItem,
  type SourceUse,
  type TimeSlices,
} from '../../core/index.ts';

/** A source and those that it imports; `path` of the source itself too. */
export interface SourceReader {
  /** What a file declares; undefined where there is none. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly resolve: SourceFiles['resolve'];
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal;
}

/** An event, error or function that a source declares. */
export interface DeclaredItem {
  readonly item: SourceItem;
  /** Undefined outside of all contracts. */
  readonly contract: SourceContract | undefined;
  /** With its types as the ABI has them; undefined where one of them is not found. */
  readonly text: string | undefined;
}

/** An `emit`, `log` or `revert`, and the declarations that it may mean. */
export interface ItemUse {
  readonly use: SourceUse;
  readonly texts: readonly string[];
}

/** What the source declares of `kind`, in its order. Of imported files it reads those that the types lead to. */
export async function declaredItems(
  path: string,
  kind: SourceItem['kind'],
  reader: SourceReader,
): Promise<readonly DeclaredItem[]> {
  const { slices, signal } = reader;
  const facts = await reader.read(path);
  const declared = [undefined, ...(facts?.contracts ?? [])].flatMap((contract) =>
    ((contract ?? facts)?.items ?? []).map((item) => ({ item, contract })),
  );
  const wanted = declared.filter(({ item }) => item.kind === kind);
  wanted.sort((a, b) => a.item.offset - b.item.offset);
  return linkLoading(async (linker) => {
    const items: DeclaredItem[] = [];
    for (const { item, contract } of wanted) {
      items.push({ item, contract, text: linker.textOf(item, { path, contract }) });
      if (slices.isOver()) await slices.rest({ signal });
    }
    return items;
  }, reader);
}

/** The `emit`, `log` or `revert` at an index of the source. */
export async function useAt(
  path: string,
  offset: number,
  reader: SourceReader,
): Promise<ItemUse | undefined> {
  const facts = await reader.read(path);
  const use = facts?.uses.find((each) => each.offset <= offset && offset <= each.end);
  if (!use) return undefined;
  const contract = facts?.contracts[use.contract ?? -1];
  const texts = await linkLoading((linker) => linker.textsOf(use, { path, contract }), reader);
  return { use, texts };
}
