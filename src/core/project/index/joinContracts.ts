import type { AbiItemText } from '../../abi/item.ts';
import { compareValues } from '../../base/values.ts';
import type { ContractFacts, DeploymentFacts, LabelFacts } from '../readers/facts.ts';

/** What is known of a contract, and the files that tell it. */
export interface ContractParts {
  readonly source: string | undefined;
  readonly parts: ReadonlyMap<string, ContractPart>;
  readonly merged: IndexedContract | undefined;
}

/** A contract with all that is known of it. */
export interface MergedContract {
  readonly contract: IndexedContract;
  /** The files that tell of it. */
  readonly files: { has(path: string): boolean };
}

interface MergedParts extends ContractParts {
  readonly merged: IndexedContract;
}

/** A contract, and those that join it. */
interface ContractGroup {
  readonly contract: MergedParts;
  readonly items: ReadonlySet<AbiItemText>;
  readonly others: MergedParts[];
}

/** Contracts without a source that join one; more stay by themselves. */
const MAX_JOINED = 200;

/**
 * The contracts of one name, by path. Files that name no source, such as an older deployment or a list of ABI items, join
 * the contract that the project itself declares by this name, else the first of their project, where it has most of their
 * items.
 */
export function mergeContracts(named: Iterable<ContractParts>): readonly MergedContract[] {
  const known = [...named].flatMap(({ source, parts, merged }) =>
    merged ? [{ source, parts, merged }] : [],
  );
  if (known.length < 2) return known.map(alone);
  known.sort(byPath);
  const homes = known.filter(({ source }) => source !== undefined).map(homeOf);
  const declared = declaredBy(homes.filter(({ contract }) => contract.merged.isOwn));
  const first = new Map<string, ContractGroup>();
  for (const each of known) {
    if (each.source !== undefined) continue;
    const { project, abi } = each.merged;
    const home = declared(project) ?? first.get(project);
    if (home && home.others.length < MAX_JOINED && hasMost(home, abi)) {
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
export function getContractPath({ source, artifact }: IndexedContract): string {
  return source ?? artifact ?? '';
}

function byPath({ merged: one }: MergedParts, { merged: other }: MergedParts): number {
  return compareValues(getContractPath(one), getContractPath(other));
}

function homeOf(contract: MergedParts): ContractGroup {
  return { contract, items: new Set(contract.merged.abi), others: [] };
}

/** Finds the one that a project declares, else the only one of all projects; of several nobody knows which is meant. */
function declaredBy(own: readonly ContractGroup[]): (project: string) => ContractGroup | undefined {
  const inProject = new Map<string, ContractGroup | undefined>();
  for (const home of own) {
    const { project } = home.contract.merged;
    inProject.set(project, inProject.has(project) ? undefined : home);
  }
  const only = own.length === 1 ? own[0] : undefined;
  return (project) => (inProject.has(project) ? inProject.get(project) : only);
}

function hasMost({ items }: ContractGroup, ofThese: readonly AbiItemText[]): boolean {
  return ofThese.filter((text) => items.has(text)).length * 2 > ofThese.length;
}

function alone({ merged, parts }: MergedParts): MergedContract {
  return { contract: merged, files: parts };
}

function join({ contract: home, others }: ContractGroup): MergedContract | undefined {
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

/** What one file tells of a contract. */
export interface ContractPart {
  readonly path: string;
  readonly facts: ContractFacts;
  readonly project: string;
  readonly isOwn: boolean;
  /** Whether the file tells where it is deployed: its ABI is of then, not of now. */
  readonly isDeployed: boolean;
}

/** Of one contract, by path. */
interface Parts {
  readonly source: string | undefined;
  readonly parts: ReadonlyMap<string, ContractPart>;
}

/**
 * A contract out of what its files tell. Its ABI is that of a build, of two the first by path; without one that of a
 * deployment. What was deployed is often older, so that what only deployments have is added, and without a build what
 * only the source has.
 */
export function mergeParts({ source, parts }: Parts): IndexedContract | undefined {
  const ordered = [...parts.values()].sort((a, b) => compareValues(a.path, b.path));
  const written = ordered.find(({ path }) => path === source);
  const compiled = ordered.filter(({ path }) => path !== source);
  const built = compiled.find(({ isDeployed }) => !isDeployed);
  const first = built ?? compiled[0] ?? written;
  if (!first) return undefined;
  const deployed = compiled.filter(({ isDeployed }) => isDeployed).flatMap(({ facts }) => facts.abi);
  const abi = withMore(first.facts.abi, [...deployed, ...(built || !written ? [] : emittedBy(written))]);
  return {
    ...{ name: first.facts.name, project: first.project, source, abi, isOwn: first.isOwn },
    line: written?.facts.line,
    artifact: first === written ? undefined : first.path,
    itemLines: written ? linesOf(abi, written.facts) : [],
  };
}

/** Events and errors: of the functions of a source some are written otherwise than the compiler does. */
function emittedBy({ facts }: ContractPart): readonly AbiItemText[] {
  return facts.abi.filter((text) => !text.startsWith('function '));
}

/** `abi` itself where there is nothing more, so that it is held once. */
function withMore(abi: readonly AbiItemText[], more: readonly AbiItemText[]): readonly AbiItemText[] {
  const texts = new Set(abi);
  const others = new Set(more.filter((text) => !texts.has(text)));
  return others.size === 0 ? abi : [...abi, ...others];
}

/** In a source, line 0 is one of another file, out of which it inherits. */
function linesOf(abi: readonly AbiItemText[], source: ContractFacts): readonly (number | undefined)[] {
  const lines = new Map(source.abi.map((text, index) => [text, source.itemLines?.[index] || undefined]));
  return abi.map((text) => lines.get(text));
}

/** A contract of the workspace, put together from its source and what the compiler wrote of it. */
export interface IndexedContract {
  readonly name: string;
  /** The folder of its project, from the root of the workspace on; empty for the root itself. */
  readonly project: string;
  /** The file that declares it, as a path from the root of the workspace; undefined where it is not known or not there. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1; undefined where its source was not read. */
  readonly line: number | undefined;
  /** The file that has its ABI; undefined where only its source is there. */
  readonly artifact: string | undefined;
  readonly abi: readonly AbiItemText[];
  /** The line on which each item of `abi` is declared in `source`, where it is. */
  readonly itemLines: readonly (number | undefined)[];
  /** Whether it belongs to the project itself, not to a library of it. */
  readonly isOwn: boolean;
}

/** What is known of a contract at an address of a chain, out of all files that name it. */
export interface IndexedDeployment extends DeploymentFacts {
  /** The file that tells the most recent of it, as a path from the root of the workspace. */
  readonly file: string;
}

export interface IndexedLabel extends LabelFacts {
  readonly file: string;
}

/** Where a file stands in its project. Paths are from the root of the workspace on, with `/`. */
export interface FilePlace {
  /** The folder of the project; empty for the root. */
  readonly project: string;
  /** Folders of libraries, from the folder of the project on. */
  readonly libs: readonly string[];
  /** Where a source lies that a file of the project names; undefined where it is not there. Default: in the project. */
  readonly sourceAt?: (source: string) => string | undefined;
}
