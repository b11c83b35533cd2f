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

/** Lists the declarations of `kind` in a source, in order. Reads only the imports that its types need. */
export async function findDeclaredItems(
  path: string,
  kind: SourceItem['kind'],
  reader: SourceReader,
): Promise<readonly DeclaredItem[]> {
  const { slices, signal } = reader;
  const facts = await reader.read(path);
  const declared = listItems(facts).filter(({ item }) => item.kind === kind);
  declared.sort((a, b) => a.item.offset - b.item.offset);
  return linkWithLoading(async (linker) => {
    const items: DeclaredItem[] = [];
    for (const { item, contract } of declared) {
      items.push({ item, contract, text: linker.formatItem(item, { path, contract }) });
      if (slices.isOver()) await slices.rest({ signal });
    }
    return items;
  }, reader);
}

/** Reads a source and its imports; `path` may be the source itself. */
export interface SourceReader {
  /** The declarations of a file; undefined where it is missing. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly resolve: SourceFiles['resolve'];
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal;
}

interface DeclaredItem {
  readonly item: SourceItem;
  /** Undefined outside of contracts. */
  readonly contract: SourceContract | undefined;
  /** Its ABI text; undefined where one of its types is not found. */
  readonly text: string | undefined;
}

/** Finds the last event or error that begins at or before an index of the source, unless another name is there. */
export async function findDeclarationAt(
  path: string,
  { offset, isName }: { readonly offset: number; readonly isName: (item: SourceItem) => boolean },
  reader: SourceReader,
): Promise<DeclaredItem | undefined> {
  const preceding = listItems(await reader.read(path)).filter(({ item }) => item.offset <= offset);
  const last = preceding.reduce<(typeof preceding)[number] | undefined>(
    (found, each) => (found && found.item.offset > each.item.offset ? found : each),
    undefined,
  );
  if (!last || last.item.kind === 'function' || !isName(last.item)) return undefined;
  const { item, contract } = last;
  const text = await linkWithLoading((linker) => linker.formatItem(item, { path, contract }), reader);
  return { item, contract, text };
}

/** Finds the declaration of an ABI item of a contract: in the contract, or in what it inherits or uses. */
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
    return all.find(({ item, at }) => item.kind === kind && linker.isDeclarationOf(text, item, at));
  }, reader);
}

function listItems(facts: SourceFacts | undefined) {
  return [undefined, ...(facts?.contracts ?? [])].flatMap((contract) =>
    ((contract ?? facts)?.items ?? []).map((item) => ({ item, contract })),
  );
}

/** Finds the `emit`, `log` or `revert` at an index of the source. */
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

/** An `emit`, `log` or `revert`, and the declarations that it may refer to. */
interface ItemUse {
  readonly use: SourceUse;
  /** The contract around it; undefined outside of contracts. */
  readonly contract: SourceContract | undefined;
  readonly texts: readonly string[];
}
