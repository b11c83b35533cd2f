import { formatMessage } from '../base/text.ts';
import { getContractPath } from '../project/index/joinContracts.ts';
import type { CodeComparison, FilledImmutable } from './codeComparison.ts';

/**
 * A comparison as plain JSON: values of immutable variables by name, else by offset.
 *
 * @example const { match, reasons } = comparisonToJson(comparison);
 */
export function comparisonToJson(comparison: CodeComparison) {
  const { address, implementation, contract, block, match, immutables, libraries } = comparison;
  const { equalContracts, settings, difference, otherBuild, reasons } = comparison;
  return {
    address,
    ...(implementation && { implementation }),
    contract: contract.name,
    match,
    ...(immutables.length > 0 && { immutables: nameValues(immutables) }),
    ...(libraries.length > 0 && {
      libraries: Object.fromEntries(libraries.map(({ name, address: at }) => [name, at])),
    }),
    ...(equalContracts.length > 0 && {
      equalContracts: equalContracts.map((other) => `${getContractPath(other)}:${other.name}`),
    }),
    ...(settings.length > 0 && {
      settings: settings.map(({ name, local = null, deployed = null }) => ({ name, local, deployed })),
    }),
    ...(difference && { difference }),
    ...(otherBuild && { otherBuild }),
    reasons: reasons.map(formatMessage),
    block: block.toString(),
  };
}

function nameValues(immutables: readonly FilledImmutable[]): Readonly<Record<string, string>> {
  const isRepeated = (name: string) => immutables.filter((each) => each.name === name).length > 1;
  return Object.fromEntries(
    immutables.map(({ name, offset, value }) => [
      name === undefined || isRepeated(name) ? String(offset) : name,
      value,
    ]),
  );
}

/**
 * Whether deployed code is that of the project, but for what a deployment fills in.
 *
 * @example isSameCode('metadata') // true
 */
export function isSameCode(match: CodeComparison['match']): boolean {
  return match === 'exact' || match === 'metadata' || match === 'immutables';
}
