import {
  type AbiItemText,
  type LocatedDeclaration,
  linkWithLoading,
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
interface ItemUse {
  readonly use: SourceUse;
  /** That it stands in; undefined outside of all. */
  readonly contract: SourceContract | undefined;
  readonly texts: readonly string[];
}

/** What the source declares of `kind`, in its order. Of imported files it reads those that the types lead to. */
export async function findDeclaredItems(
  path: string,
  kind: SourceItem['kind'],
  reader: SourceReader,
): Promise<readonly DeclaredItem[]> {
  const { slices, signal } = reader;
  const facts = await reader.read(path);
  const wanted = itemsOf(facts).filter(({ item }) => item.kind === kind);
  wanted.sort((a, b) => a.item.offset - b.item.offset);
  return linkWithLoading(async (linker) => {
    const items: DeclaredItem[] = [];
    for (const { item, contract } of wanted) {
      items.push({ item, contract, text: linker.formatItem(item, { path, contract }) });
      if (slices.isOver()) await slices.rest({ signal });
    }
    return items;
  }, reader);
}

/** The last event or error that begins at or before an index of the source, if the name there is its name. */
export async function findDeclarationAt(
  path: string,
  { offset, isName }: { readonly offset: number; readonly isName: (item: SourceItem) => boolean },
  reader: SourceReader,
): Promise<DeclaredItem | undefined> {
  const before = itemsOf(await reader.read(path)).filter(({ item }) => item.offset <= offset);
  const last = before.reduce<(typeof before)[number] | undefined>(
    (found, each) => (found && found.item.offset > each.item.offset ? found : each),
    undefined,
  );
  if (!last || last.item.kind === 'function' || !isName(last.item)) return undefined;
  const { item, contract } = last;
  const text = await linkWithLoading((linker) => linker.formatItem(item, { path, contract }), reader);
  return { item, contract, text };
}

/** Where an item of the ABI of a contract is declared: in it, or in what it inherits or uses. */
export async function findDeclarationOf(
  text: AbiItemText,
  { path, contract: name }: { readonly path: string; readonly contract: string | undefined },
  reader: Pick<SourceReader, 'read' | 'resolve' | 'signal'>,
): Promise<LocatedDeclaration | undefined> {
  const facts = await reader.read(path);
  const contract = facts?.contracts.find((each) => each.name === name);
  const kind = text.slice(0, text.indexOf(' '));
  return linkWithLoading((linker) => {
    const own = (facts?.items ?? []).map((item) => ({ item, at: { path, contract: undefined } }));
    const all = contract ? [...linker.itemsOf(contract, path), ...own] : own;
    return all.find(({ item, at }) => item.kind === kind && linker.formatItem(item, at) === text);
  }, reader);
}

function itemsOf(facts: SourceFacts | undefined) {
  return [undefined, ...(facts?.contracts ?? [])].flatMap((contract) =>
    ((contract ?? facts)?.items ?? []).map((item) => ({ item, contract })),
  );
}

/** The `emit`, `log` or `revert` at an index of the source. */
export async function findUseAt(
  path: string,
  offset: number,
  reader: SourceReader,
): Promise<ItemUse | undefined> {
  const facts = await reader.read(path);
  const use = facts?.uses.find((each) => each.offset <= offset && offset <= each.end);
  if (!use) return undefined;
  const contract = facts?.contracts[use.contract ?? -1];
  const texts = await linkWithLoading((linker) => linker.formatItems(use, { path, contract }), reader);
  return { use, contract, texts };
}
