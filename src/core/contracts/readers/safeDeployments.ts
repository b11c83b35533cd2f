import { asRecord, type PlainRecord } from '../../base/records.ts';
import type { Address } from '../../values/address.ts';
import type { DeploymentFacts } from '../facts.ts';
import type { Bounds } from './bounds.ts';
import { bareDeployment } from './emptyFacts.ts';
import type { ArtifactParts } from './json/artifactParts.ts';
import { type JsonSpan, parseSpan } from './json/parse.ts';
import { readChainId, readContractAddress } from './texts.ts';

/** Entries of one file: the Safe contracts are on some 400 networks, at up to three addresses. */
const MOST_ENTRIES = 5_000;

/**
 * The deployments of a contract in an asset of safe-deployments: `networkAddresses` has, by chain id, the names of the
 * addresses in `deployments`, one or several; releases before 2 have the address itself.
 * https://github.com/safe-global/safe-deployments
 */
export function deploymentsByNetwork(
  text: string,
  { networkAddresses, deployments }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: Bounds },
): readonly DeploymentFacts[] {
  const named = recordAt(text, deployments);
  const found: DeploymentFacts[] = [];
  for (const [network, told] of Object.entries(recordAt(text, networkAddresses))) {
    const chainId = readChainId(network);
    if (chainId === undefined) continue;
    for (const each of Array.isArray(told) ? told : [told]) {
      if (!bounds.allow(found.length, MOST_ENTRIES, 'deployments')) return found;
      const address = addressOf(each, named);
      if (address) found.push(bareDeployment({ chainId, address, contract }));
    }
  }
  return found;
}

function addressOf(told: unknown, named: PlainRecord): Address | undefined {
  const isNamed = typeof told === 'string' && Object.hasOwn(named, told);
  return readContractAddress(isNamed ? asRecord(named[told]).address : told);
}

function recordAt(text: string, span: JsonSpan | undefined): PlainRecord {
  return span ? asRecord(parseSpan(text, span)) : {};
}
