import { abiItemText } from '../../abi/read/abiItemText.ts';
import { parseAbiItem } from '../../abi/read/parseAbiItem.ts';
import { readAbi } from '../../abi/read/readAbi.ts';
import type { ContractFacts, DeploymentFacts, FileFacts, LabelFacts } from '../facts.ts';
import { isAbi } from './abiShape.ts';
import { readAddressMap } from './addressMap.ts';
import { emptyFacts } from './emptyFacts.ts';
import type { FactsFile } from './factsFile.ts';
import { constantsIn } from './module/constants.ts';
import { chainOfPath } from './pathChain.ts';
import { stemOf } from './pathParts.ts';
import { readChainId, readContractAddress, readName } from './texts.ts';

/** Characters. Generated modules of real projects have up to 2 MB. */
const LONGEST_MODULE = 3 * 1_024 * 1_024;
/** Constants that name what kind of thing they hold, not whose. */
const NO_NAME =
  /^(?:default|abis?|address(?:es)?|(?:deployed|external)?contracts?|deployments?|config|constants|chains|networks)$/i;
const SUFFIX = /_?(?:abi|address(?:es)?|config|contracts?)$/i;

/**
 * ABIs, addresses and maps of them in the constants of a TypeScript or JavaScript module, read as literals and never run: an
 * `as const` ABI, what wagmi generates, the `deployedContracts` of Scaffold-ETH.
 */
export function readModule({ path, text }: FactsFile): FileFacts {
  if (text.length > LONGEST_MODULE) return { ...emptyFacts, leftOut: 'It is larger than 3 MiB.' };
  if (!/0x[0-9a-fA-F]{40}|\btype\b|\b(?:event|function|error) /.test(text)) return emptyFacts;
  const contracts: ContractFacts[] = [];
  const deployments = new Map<string, DeploymentFacts>();
  const labels: LabelFacts[] = [];
  let leftOut: string | undefined;
  const constants = constantsIn(text);
  const chainId = readChainId(constants.get('CHAIN_ID') ?? constants.get('chainId')) ?? chainOfPath(path);
  for (const [constant, value] of constants) {
    const name = nameOf(constant);
    const abi = Array.isArray(value) ? abiOf(value) : [];
    if (abi.length > 0) {
      contracts.push({
        name: name ?? stemOf(path),
        source: undefined,
        line: undefined,
        abi,
        itemLines: undefined,
      });
      continue;
    }
    const address = readContractAddress(value);
    if (address && chainId === undefined) {
      if (name !== undefined) labels.push({ address, name, chainId });
      continue;
    }
    const facts = readAddressMap(value, { chainId, name });
    contracts.push(...facts.contracts);
    labels.push(...facts.labels);
    leftOut ??= facts.leftOut;
    for (const each of facts.deployments) deployments.set(`${each.chainId} ${each.address}`, each);
  }
  return {
    contracts,
    deployments: [...deployments.values()],
    labels,
    ...(leftOut !== undefined && { leftOut }),
  };
}

function nameOf(constant: string): string | undefined {
  if (NO_NAME.test(constant)) return undefined;
  const name = constant.replace(SUFFIX, '');
  return readName(name || constant);
}

/** The items of a list that is an ABI, as JSON or in lines of text; none of any other list. */
function abiOf(list: readonly unknown[]): ContractFacts['abi'] {
  if (isAbi(list)) return readAbi(list).items;
  const items = list.map((line) => (typeof line === 'string' ? parseAbiItem(line) : undefined));
  return items.filter((item) => item !== undefined).map(abiItemText);
}
