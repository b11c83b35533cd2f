import type { AbiItemText } from '../../abi/abiItem.ts';
import { compareValues } from '../../base/compareValues.ts';
import type { ContractFacts } from '../facts.ts';
import type { IndexedContract } from './indexed.ts';

/** What one file tells of a contract. */
export interface Part {
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
  readonly parts: ReadonlyMap<string, Part>;
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
function emittedBy({ facts }: Part): readonly AbiItemText[] {
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
