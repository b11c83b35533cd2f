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

/** A contract with all that is known of it. */
export interface JoinedContract {
  readonly contract: IndexedContract;
  /** The files that tell of it. */
  readonly files: { has(path: string): boolean };
}

interface Known extends KnownContract {
  readonly merged: IndexedContract;
}

/** A contract, and those that join it. */
interface Home {
  readonly contract: Known;
  readonly items: ReadonlySet<AbiItemText>;
  readonly others: Known[];
}

/** Contracts without a source that join one; more stay by themselves. */
const MOST_JOINED = 200;

/**
 * The contracts of one name, by path. Files that name no source, such as an older deployment or a list of ABI items, join
 * the contract that the project itself declares by this name, else the first of their project, where it has most of their
 * items.
 */
export function joinContracts(named: Iterable<KnownContract>): readonly JoinedContract[] {
  const known = [...named].flatMap(({ source, parts, merged }) =>
    merged ? [{ source, parts, merged }] : [],
  );
  if (known.length < 2) return known.map(alone);
  known.sort(byPath);
  const homes = known.filter(({ source }) => source !== undefined).map(homeOf);
  const declared = declaredBy(homes.filter(({ contract }) => contract.merged.isOwn));
  const first = new Map<string, Home>();
  for (const each of known) {
    if (each.source !== undefined) continue;
    const { project, abi } = each.merged;
    const home = declared(project) ?? first.get(project);
    if (home && home.others.length < MOST_JOINED && hasMost(home, abi)) {
      home.others.push(each);
      continue;
    }
    const own = homeOf(each);
    homes.push(own);
    if (!home) first.set(project, own);
  }
  return homes.sort((one, other) => byPath(one.contract, other.contract)).flatMap((home) => join(home) ?? []);
}

/** Where a contract is known from: its source, or else the file with its ABI. */
export function pathOf({ source, artifact }: IndexedContract): string {
  return source ?? artifact ?? '';
}

function byPath({ merged: one }: Known, { merged: other }: Known): number {
  return compareValues(pathOf(one), pathOf(other));
}

function homeOf(contract: Known): Home {
  return { contract, items: new Set(contract.merged.abi), others: [] };
}

/** Finds the one that a project declares, else the only one of all projects; of several nobody knows which is meant. */
function declaredBy(own: readonly Home[]): (project: string) => Home | undefined {
  const inProject = new Map<string, Home | undefined>();
  for (const home of own) {
    const { project } = home.contract.merged;
    inProject.set(project, inProject.has(project) ? undefined : home);
  }
  const only = own.length === 1 ? own[0] : undefined;
  return (project) => (inProject.has(project) ? inProject.get(project) : only);
}

function hasMost({ items }: Home, ofThese: readonly AbiItemText[]): boolean {
  return ofThese.filter((text) => items.has(text)).length * 2 > ofThese.length;
}

function alone({ merged, parts }: Known): JoinedContract {
  return { contract: merged, files: parts };
}

function join({ contract: home, others }: Home): JoinedContract | undefined {
  if (others.length === 0) return alone(home);
  const { source, merged } = home;
  const parts = new Map(home.parts);
  // Nobody knows of which time they are: what they have more is added, as it is of a deployment.
  for (const part of others.flatMap((other) => [...other.parts.values()])) {
    parts.set(part.path, { ...part, isDeployed: true });
  }
  const joined = mergeParts({ source, parts });
  const { project, isOwn } = merged;
  return joined && { contract: { ...joined, project, isOwn }, files: parts };
}
