import { readAbi } from '../../abi/read/readAbi.ts';
import { badInput } from '../../base/errors.ts';
import { asRecord } from '../../base/records.ts';
import type { ContractFacts, DeploymentFacts, FileFacts, LabelFacts } from '../facts.ts';
import { baseOf, folderOf } from '../layout/paths.ts';
import type { ProjectLayout } from '../layout/projectLayout.ts';
import { type Bounds, createBounds } from './bounds.ts';
import { emptyFacts } from './emptyFacts.ts';
import type { FactsFile } from './factsFile.ts';
import { type ArtifactParts, readArtifactParts } from './json/artifactParts.ts';
import { type JsonSpan, parseSpan } from './json/parse.ts';
import { membersOf } from './json/scan.ts';
import { chainOfPath } from './pathChain.ts';
import { stemOf } from './pathParts.ts';
import { deploymentsByNetwork } from './safeDeployments.ts';
import { readBlock, readChainId, readContractAddress, readHash, readName, readSourcePath } from './texts.ts';

/** Networks of one Truffle artifact: more than any project deploys to. */
const MOST_NETWORKS = 1_000;

/**
 * An object with an `abi`: the artifact of Foundry, Hardhat or Truffle, a deployment of hardhat-deploy, an asset of
 * safe-deployments, or what somebody wrote. An object without one tells nothing.
 */
export function readArtifact(file: FactsFile, layout: ProjectLayout): FileFacts {
  const parts = readArtifactParts(file.text);
  if (!parts.abi) return emptyFacts;
  const contract: ContractFacts = {
    name: nameOf(file.path, parts),
    source: sourceOf(parts, layout),
    line: undefined,
    abi: abiAt(file.text, parts.abi),
    itemLines: undefined,
  };
  const own = ownDeployment(file, parts, contract.name);
  const bounds = createBounds();
  return {
    contracts: [contract],
    deployments: [
      ...own.deployments,
      ...networksOf(file.text, parts, { contract: contract.name, bounds }),
      ...deploymentsByNetwork(file.text, parts, { contract: contract.name, bounds }),
    ],
    labels: own.labels,
    ...bounds.met,
  };
}

/** A list of ABI items alone; the contract has the name of the file. */
export function readAbiList(file: FactsFile): FileFacts {
  const json = parseSpan(file.text, { from: 0, to: file.text.length });
  const { items } = readAbi(json);
  if (items.length === 0) return emptyFacts;
  const name = readName(stemOf(file.path)) ?? 'Contract';
  return {
    ...emptyFacts,
    contracts: [{ name, source: undefined, line: undefined, abi: items, itemLines: undefined }],
  };
}

function abiAt(text: string, span: JsonSpan): ContractFacts['abi'] {
  return readAbi(parseSpan(text, span)).items;
}

function nameOf(path: string, parts: ArtifactParts): string {
  const fromFile = readName(
    parts.address === undefined ? stemOf(path) : baseOf(path).replace(/\.json$/i, ''),
  );
  const told = parts.contractName ?? (parts.address === undefined ? parts.target?.[1] : undefined);
  const name = readName(told) ?? fromFile;
  if (name === undefined) throw badInput('artifact', 'It has no name.');
  return name;
}

/** From the root of the project; Truffle writes where the file was on the machine that compiled it. */
function sourceOf(parts: ArtifactParts, layout: ProjectLayout): string | undefined {
  const written = readSourcePath(parts.sourceName ?? parts.target?.[0] ?? parts.astPath ?? parts.sourcePath);
  const path = written?.replace(/^project:\//, '');
  if (path === undefined || !/^(?:\/|[A-Za-z]:\/)/.test(path)) return path;
  for (const folder of layout.src) {
    const at = folder === '' ? -1 : path.lastIndexOf(`/${folder}/`);
    if (at !== -1) return path.slice(at + 1);
  }
  return undefined;
}

/** What `address` beside the ABI says: a deployment where the chain is known, else a name. */
function ownDeployment(
  file: FactsFile,
  parts: ArtifactParts,
  name: string,
): { deployments: readonly DeploymentFacts[]; labels: readonly LabelFacts[] } {
  const address = readContractAddress(parts.address);
  if (!address) return emptyFacts;
  const chainId =
    readChainId(parts.chainId) ?? readChainId(file.beside?.trim()) ?? chainOfPath(folderOf(file.path));
  if (chainId === undefined) return { deployments: [], labels: [{ address, name, chainId: undefined }] };
  const receipt = receiptOf(file.text, parts.receipt);
  const transaction = readHash(parts.transactionHash) ?? receipt.transaction;
  const deployment = {
    chainId,
    address,
    contract: name,
    block: receipt.block,
    transaction,
    commit: undefined,
  };
  return { deployments: [deployment], labels: [] };
}

function receiptOf(text: string, span: JsonSpan | undefined) {
  let block: bigint | undefined;
  let transaction: DeploymentFacts['transaction'];
  for (const { name, from, to } of span ? membersOf(text, span.from) : []) {
    if (name === 'blockNumber') block = readBlock(parseSpan(text, { from, to }));
    if (name === 'transactionHash') transaction = readHash(parseSpan(text, { from, to }));
  }
  return { block, transaction };
}

/** Of a Truffle artifact, by the id of the network, which is the chain id but on some private chains. */
function networksOf(
  text: string,
  { networks }: ArtifactParts,
  { contract, bounds }: { readonly contract: string; readonly bounds: Bounds },
): readonly DeploymentFacts[] {
  const found: DeploymentFacts[] = [];
  const members = networks ? membersOf(text, networks.from) : [];
  for (const network of bounds.first(MOST_NETWORKS, 'networks', members)) {
    const { address, transactionHash } = asRecord(parseSpan(text, network));
    const [chainId, at] = [readChainId(network.name), readContractAddress(address)];
    if (chainId === undefined || !at) continue;
    const transaction = readHash(transactionHash);
    found.push({ chainId, address: at, contract, block: undefined, transaction, commit: undefined });
  }
  return found;
}
