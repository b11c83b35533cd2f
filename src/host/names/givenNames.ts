import {
  type Address,
  type IndexedDeployment,
  type IndexedLabel,
  knownAddresses,
  teamLabelsPath,
} from '../../core/index.ts';
import type { Occurrence } from '../places/workspaceAddresses.ts';
import { type GivenName, type NameSource, nameText, readChainId } from './addressName.ts';
import type { TeamLabel } from './labelsFile.ts';

/** The user's own labels of a chain. */
export function namesOfMine(labels: Iterable<readonly [Address, string]>, chainId: number): GivenName[] {
  return given(
    [...labels].map(([address, name]) => ({ address, name })),
    ({ address, name }) => ({ address, name, chainId, source: 'mine' }),
  );
}

/** Addresses that are the same everywhere. */
export const standardNames: readonly GivenName[] = knownAddresses.map(({ address, name, source }) => ({
  ...{ address, name, source: 'standard', chainId: undefined, file: source },
}));

/** Contracts by where they are deployed; one that is not named by its file is none. */
export function namesOfDeployments(deployments: readonly IndexedDeployment[]): GivenName[] {
  return given(deployments, ({ address, contract, chainId, file }) => {
    const chain = readChainId(chainId);
    return contract === undefined || chain === undefined
      ? undefined
      : { address, name: contract, chainId: chain, source: 'deployment', file };
  });
}

/** Labels of `foundry.toml`; of any other file they are constants of the code. */
export function namesOfLabels(labels: readonly IndexedLabel[]): GivenName[] {
  return given(labels, ({ address, name, chainId, file }) => {
    return { address, name, chainId: readChainId(chainId), source: sourceOf(file), file };
  });
}

function sourceOf(file: string): NameSource {
  if (/(?:^|\/)foundry\.toml$/.test(file)) return 'foundry';
  return `/${file}`.endsWith(`/${teamLabelsPath}`) ? 'label' : 'constant';
}

/** What the team has labelled in `file`. */
export function namesOfTeam(labels: readonly TeamLabel[], file: string): GivenName[] {
  return given(labels, (label) => ({ ...label, source: 'label', file }));
}

export function namesOfConstants(
  occurrences: readonly Occurrence[],
  fileOf: (place: Occurrence) => string,
): GivenName[] {
  return given(occurrences, (place) =>
    place.constant === undefined
      ? undefined
      : {
          ...{ address: place.address, name: place.constant, source: 'constant', chainId: undefined },
          ...{ file: fileOf(place), line: place.line + 1 },
        },
  );
}

function given<T>(facts: readonly T[], name: (fact: T) => GivenName | undefined): GivenName[] {
  return facts.flatMap((fact) => {
    const found = name(fact);
    const text = found && nameText(found.name);
    return found && text !== undefined ? [{ ...found, name: text }] : [];
  });
}
