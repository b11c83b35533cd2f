import type { AbiItemText } from '../../abi/abiItem.ts';
import { compareValues } from '../../base/compareValues.ts';
import type { IndexedContract } from './indexed.ts';
import { mergeParts, type Part } from './mergeParts.ts';

/** What is known of a contract, and the files that tell it. */
export interface KnownContract {
  readonly source: string | undefined;
  readonly parts: ReadonlyMap<string, Part>;
  readonly merged: IndexedContract | undefined;
}

interface Known extends KnownContract {
  readonly merged: IndexedContract;
}

/** Contracts without a source that join one; more stay by themselves. */
const MOST_JOINED = 200;

/**
 * The contracts of one name, by path. Files that name no source, such as an older deployment or a list of ABI items, join
 * the contract that the project itself declares by this name, else the first of their project, where it has most of their
 * items.
 */
export function joinContracts(named: Iterable<KnownContract>): readonly IndexedContract[] {
  const known = [...named].flatMap(({ source, parts, merged }) =>
    merged ? [{ source, parts, merged }] : [],
  );
  known.sort(byPath);
  const joining = new Map<Known, Known[]>();
  const declared = known.filter(({ source }) => source !== undefined);
  for (const each of declared) joining.set(each, []);
  const own = declared.filter(({ merged }) => merged.isOwn);
  const first = new Map<string, Known>();
  for (const each of known) {
    if (each.source !== undefined) continue;
    const { project, abi } = each.merged;
    const home = declaredIn(project, own) ?? first.get(project);
    const others = home && hasMost(home.merged.abi, abi) ? joining.get(home) : undefined;
    if (others && others.length < MOST_JOINED) others.push(each);
    else joining.set(each, []);
    if (!first.has(project)) first.set(project, each);
  }
  return [...joining]
    .sort(([one], [other]) => byPath(one, other))
    .flatMap(([home, others]) => join(home, others) ?? []);
}

/** Where a contract is known from: its source, or else the file with its ABI. */
export function pathOf({ source, artifact }: IndexedContract): string {
  return source ?? artifact ?? '';
}

function byPath({ merged: one }: Known, { merged: other }: Known): number {
  return compareValues(pathOf(one), pathOf(other));
}

/** The one that a project declares, else the only one of all projects; of several nobody knows which is meant. */
function declaredIn(project: string, own: readonly Known[]): Known | undefined {
  const near = own.filter(({ merged }) => merged.project === project);
  const [only, ...others] = near.length > 0 ? near : own;
  return others.length === 0 ? only : undefined;
}

function hasMost(items: readonly AbiItemText[], ofThese: readonly AbiItemText[]): boolean {
  const texts = new Set(items);
  return ofThese.filter((text) => texts.has(text)).length * 2 > ofThese.length;
}

function join({ merged, source, parts }: Known, others: readonly Known[]): IndexedContract | undefined {
  if (others.length === 0) return merged;
  const all = new Map(parts);
  // Nobody knows of which time they are: what they have more is added, as it is of a deployment.
  for (const part of others.flatMap((other) => [...other.parts.values()])) {
    all.set(part.path, { ...part, isDeployed: true });
  }
  const joined = mergeParts({ source, parts: all });
  return joined && { ...joined, project: merged.project, isOwn: merged.isOwn };
}
