import { findInteger } from '../../abi/amountUnit.ts';
import type { EnumsByItem, ItemEnums } from '../../abi/enums.ts';
import { type AbiItemText, parseAbiItem } from '../../abi/item.ts';
import { compareValues } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import { isPathWithin, joinPath } from '../layout.ts';
import type { ContractFacts, DeploymentFacts, LabelFacts } from '../readers/facts.ts';

/** A contract of the workspace, from its source and what the compiler wrote. */
export interface IndexedContract {
  readonly name: string;
  /** The folder of its project, relative to the workspace root; empty for the root itself. */
  readonly project: string;
  /** The file that declares it, relative to the workspace root; undefined if it is unknown or does not exist. */
  readonly source: string | undefined;
  /** The line of its declaration, from 1; undefined if its source was not read. */
  readonly line: number | undefined;
  /** The file with its ABI; undefined if only its source is there. */
  readonly artifact: string | undefined;
  readonly abi: readonly AbiItemText[];
  /** The line of the declaration of each item of `abi` in `source`, if it is there. */
  readonly itemLines: readonly (number | undefined)[];
  /** Of the items that have any. */
  readonly enums?: EnumsByItem;
  /** Whether it belongs to the project itself, not to one of its libraries. */
  readonly isOwn: boolean;
}

/** A deployment, merged from all files that describe it. */
export interface IndexedDeployment extends DeploymentFacts {
  /** The file with the latest deployment, relative to the workspace root. */
  readonly file: string;
  /** Files name other blocks too: an upgrade, another chain with the same ID, or a contract that was created again. */
  readonly isRepeated?: true;
  /** The block that has its transaction, if a check of the chain found it. */
  readonly confirmedBlock?: bigint;
  /** Undefined for the newest record at an address that was not checked. */
  readonly state?: DeploymentState;
  /** The contract whose build has this code, or the one that a person chose, if that decided. */
  readonly code?: ContractKey;
  /** The contracts that it runs as a proxy, the outermost first. */
  readonly runs?: readonly RunContract[];
}

/**
 * `current`: the chain confirms the record. `unconfirmed`: code is there, and nothing confirms or contradicts the record.
 * `undecided`: so of several records with different names. `replaced`: something else is there. `missing`: no code is
 * there. `older`: not checked, and a newer record is at the address.
 */
export type DeploymentState = 'current' | 'missing' | 'older' | 'replaced' | 'unconfirmed' | 'undecided';

/** Finds a contract again in another version of the index. */
export interface ContractKey {
  readonly name: string;
  /** See {@link getContractPath}. */
  readonly path: string;
}

/** What a proxy runs now. */
export interface RunContract {
  readonly implementation: Address;
  /** Undefined if the workspace has no build of it. */
  readonly contract: ContractKey | undefined;
}

export interface IndexedLabel extends LabelFacts {
  readonly file: string;
}

/** The project of a file. Paths are relative to the workspace root, '/'-separated. */
export interface FilePlace {
  /** The folder of the project; empty for the root. */
  readonly project: string;
  /** Folders of libraries, relative to the project's folder. */
  readonly libs: readonly string[];
  /** Resolves the source path in a file of the project; undefined if it does not exist. By default, joins it to the project. */
  readonly resolveSource?: (source: string) => string | undefined;
}

export interface MergedContract {
  readonly contract: IndexedContract;
  readonly files: { has(path: string): boolean };
}

export interface ContractParts {
  readonly source: string | undefined;
  readonly parts: ReadonlyMap<string, ContractPart>;
  readonly merged: IndexedContract | undefined;
}

interface MergedParts extends ContractParts {
  readonly merged: IndexedContract;
}

interface ContractGroup {
  readonly contract: MergedParts;
  readonly items: ReadonlySet<AbiItemText>;
  readonly others: MergedParts[];
}

/** Contracts without a source that are merged into one; more stay separate. */
const MAX_MERGED = 200;

/**
 * Merges the contracts of one name, sorted by path. Files without a source path, such as an older deployment or a list of
 * ABI items, are merged into the contract that the project declares by this name, else into the first of their project,
 * if it has most of their items. A file of a proxy is merged if it has all items of the contract.
 */
export function mergeContracts(
  contractParts: Iterable<ContractParts>,
  unitsOf: FindUnits,
): readonly MergedContract[] {
  const contracts = [...contractParts].flatMap(({ source, parts, merged }) =>
    merged ? [{ source, parts, merged }] : [],
  );
  if (contracts.length < 2) return contracts.map(toMergedContract);
  contracts.sort(comparePath);
  const groups = contracts.filter(({ source }) => source !== undefined).map(createGroup);
  const findDeclared = createDeclaredLookup(groups.filter(({ contract }) => contract.merged.isOwn));
  const firstGroups = new Map<string, ContractGroup>();
  for (const each of contracts) {
    if (each.source !== undefined) continue;
    const { project, abi } = each.merged;
    const group = findDeclared(project) ?? firstGroups.get(project);
    if (group && group.others.length < MAX_MERGED && isAlike(group, abi, isOfProxy(each))) {
      group.others.push(each);
      continue;
    }
    const newGroup = createGroup(each);
    groups.push(newGroup);
    if (!group) firstGroups.set(project, newGroup);
  }
  return groups
    .sort((one, other) => comparePath(one.contract, other.contract))
    .flatMap((group) => mergeGroup(group, unitsOf) ?? []);
}

/** The path that identifies a contract: its source, or else the file with its ABI. */
export function getContractPath({ source, artifact }: IndexedContract): string {
  return source ?? artifact ?? '';
}

export function toContractKey(contract: IndexedContract): ContractKey {
  return { name: contract.name, path: getContractPath(contract) };
}

/**
 * The contracts that a text in a file means: `Vault`, or with its path, `src/Vault.sol:Vault`, from `folder`, the root of
 * the workspace, or its project.
 *
 * @param folder that the contracts are in.
 */
export function listMeantContracts(
  text: string,
  contractsNamed: (name: string) => readonly IndexedContract[],
  folder = '',
): readonly IndexedContract[] {
  const [, path, name = ''] = /^(?:(.*):)?([^:]*)$/s.exec(text.trim()) ?? [];
  const named = contractsNamed(name).filter(({ project }) => isPathWithin(`${project}/`, folder));
  if (path === undefined) return preferOwn(named);
  return named.filter((one) =>
    ['', folder, one.project].some((from) => getContractPath(one) === joinPath(from, path)),
  );
}

/** A library may have a contract of the same name, and the file of an earlier deployment another ABI. */
export function preferOwn(contracts: readonly IndexedContract[]): readonly IndexedContract[] {
  const own = contracts.filter(({ isOwn }) => isOwn);
  const declared = own.filter(({ source }) => source !== undefined);
  return [declared, own, contracts].find((some) => some.length > 0) ?? [];
}

function comparePath({ merged: one }: MergedParts, { merged: other }: MergedParts): number {
  return compareValues(getContractPath(one), getContractPath(other));
}

function createGroup(contract: MergedParts): ContractGroup {
  return { contract, items: new Set(contract.merged.abi), others: [] };
}

/** Finds the contract that a project declares, else the only one of all projects; undefined if ambiguous. */
function createDeclaredLookup(own: readonly ContractGroup[]): (project: string) => ContractGroup | undefined {
  const byProject = new Map<string, ContractGroup | undefined>();
  for (const group of own) {
    const { project } = group.contract.merged;
    byProject.set(project, byProject.has(project) ? undefined : group);
  }
  const only = own.length === 1 ? own[0] : undefined;
  return (project) => (byProject.has(project) ? byProject.get(project) : only);
}

function isAlike({ items }: ContractGroup, abi: readonly AbiItemText[], hasAll: boolean): boolean {
  const count = abi.filter((text) => items.has(text)).length;
  return count * 2 > abi.length || (hasAll && count > 0 && count === items.size);
}

function isOfProxy({ parts }: ContractParts): boolean {
  return [...parts.values()].every(({ facts }) => facts.isOfProxy);
}

function toMergedContract({ merged, parts }: MergedParts): MergedContract {
  return { contract: merged, files: parts };
}

function mergeGroup({ contract, others }: ContractGroup, unitsOf: FindUnits): MergedContract | undefined {
  if (others.length === 0) return toMergedContract(contract);
  const { source, merged } = contract;
  const parts = new Map(contract.parts);
  // Their age is unknown: their additional items are added, like those of a deployment.
  for (const part of others.flatMap((other) => [...other.parts.values()])) {
    parts.set(part.path, { ...part, isDeployed: true });
  }
  // Only their deployments are of the contract.
  const ofProxies = new Set(others.filter(isOfProxy).flatMap((other) => [...other.parts.keys()]));
  const own = new Map([...parts].filter(([path]) => !ofProxies.has(path)));
  const joined = mergeParts({ source, parts: own }, unitsOf);
  const { project, isOwn } = merged;
  return joined && { contract: { ...joined, project, isOwn }, files: parts };
}

export interface ContractPart {
  readonly path: string;
  readonly facts: ContractFacts;
  readonly project: string;
  readonly isOwn: boolean;
  /** Whether the file has a deployment of it: its ABI may then be outdated. */
  readonly isDeployed: boolean;
}

interface Parts {
  readonly source: string | undefined;
  readonly parts: ReadonlyMap<string, ContractPart>;
}

/**
 * Merges what files say about one contract. The ABI comes from a build (the first by path), else from a deployment, else
 * from the source. Items of deployments, which are often older, are added; without a build, those of the source too.
 * Functions of a library come from its source, as compilers write few of them, and without the names in their selectors.
 */
export function mergeParts({ source, parts }: Parts, unitsOf: FindUnits): IndexedContract | undefined {
  const ordered = [...parts.values()].sort((a, b) => compareValues(a.path, b.path));
  const sourcePart = ordered.find(({ path }) => path === source);
  const compiled = ordered.filter(({ path }) => path !== source);
  const built = compiled.find(({ isDeployed }) => !isDeployed);
  const main = built ?? compiled[0] ?? sourcePart;
  if (!main) return undefined;
  const deployed = compiled.filter(({ isDeployed }) => isDeployed).flatMap(({ facts }) => facts.abi);
  const written = listLibraryFunctions(sourcePart);
  const names = new Set(written.map(getFunctionName));
  const isWritten = (text: AbiItemText) => names.has(getFunctionName(text));
  const abi = addItems(
    written.length === 0 ? main.facts.abi : main.facts.abi.filter((text) => !isWritten(text)),
    [
      ...deployed.filter((text) => !isWritten(text)),
      ...written,
      ...(built || !sourcePart ? [] : listEventsAndErrors(sourcePart)),
    ],
  );
  return {
    name: main.facts.name,
    project: main.project,
    source,
    abi,
    isOwn: main.isOwn,
    line: sourcePart?.facts.line,
    artifact: main === sourcePart ? undefined : main.path,
    itemLines: sourcePart ? findLines(abi, sourcePart.facts) : [],
    ...mergeEnums([...compiled, ...(sourcePart ? [sourcePart] : [])], (all) =>
      addUnits(all, { abi, units: unitsOf(main.facts.name, main.project) }),
    ),
  };
}

/** The last part decides: the source, which has the members. */
function mergeEnums(
  parts: readonly ContractPart[],
  addUnits: (enums: EnumsByItem) => EnumsByItem,
): { readonly enums?: EnumsByItem } {
  const enums = addUnits(Object.assign({}, ...parts.map(({ facts }) => facts.enums)));
  return Object.keys(enums).length === 0 ? {} : { enums };
}

/** Finds the units that labels give the fields of a contract, by its name and the folder of its project. */
export type FindUnits = (contract: string, project: string) => readonly ContractUnit[];

/** The unit of a parameter or a result. */
export interface ContractUnit {
  /** The name of an event, an error or a function. */
  readonly item: string;
  /** As `findInteger` reads it. */
  readonly field: string;
  readonly unit: string;
}

/** Adds units. If one place has several, the last one counts. */
function addUnits(
  enums: EnumsByItem,
  { abi, units }: { readonly abi: readonly AbiItemText[]; readonly units: readonly ContractUnit[] },
): EnumsByItem {
  if (units.length === 0) return enums;
  const all: Record<AbiItemText, ItemEnums> = { ...enums };
  for (const { item: name, field, unit } of units) {
    for (const { text, path } of findUnitPlaces(abi, { item: name, field }))
      all[text] = [...(all[text] ?? []), { path, name: '', unit }];
  }
  return all;
}

/** The integers of an ABI that a field names: of several overloads of a function, all that have it. */
export function findUnitPlaces(
  abi: readonly AbiItemText[],
  { item: name, field }: Pick<ContractUnit, 'field' | 'item'>,
): readonly { readonly text: AbiItemText; readonly path: string }[] {
  return abi.flatMap((text) => {
    if (!text.includes(` ${name}(`)) return [];
    const item = parseAbiItem(text);
    const path = item?.name === name ? findInteger(item, field) : undefined;
    return path === undefined ? [] : [{ text, path }];
  });
}

/** Events and errors only: some functions in a source differ from what the compiler writes. */
function listEventsAndErrors({ facts }: ContractPart): readonly AbiItemText[] {
  return facts.abi.filter((text) => !text.startsWith('function '));
}

function listLibraryFunctions(part: ContractPart | undefined): readonly AbiItemText[] {
  return part?.facts.isLibrary ? part.facts.abi.filter((text) => text.startsWith('function ')) : [];
}

/** Undefined for any other item. */
const getFunctionName = (text: AbiItemText) => /^function ([^(]+)/.exec(text)?.[1];

/** Returns `abi` itself if there is nothing to add, so that it is in memory once. */
function addItems(abi: readonly AbiItemText[], more: readonly AbiItemText[]): readonly AbiItemText[] {
  const texts = new Set(abi);
  const others = new Set(more.filter((text) => !texts.has(text)));
  return others.size === 0 ? abi : [...abi, ...others];
}

/** Line 0 of a source stands for an inherited item of another file. */
function findLines(abi: readonly AbiItemText[], source: ContractFacts): readonly (number | undefined)[] {
  const lines = new Map(source.abi.map((text, index) => [text, source.itemLines?.[index] || undefined]));
  return abi.map((text) => lines.get(text));
}
