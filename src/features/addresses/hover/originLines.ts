import * as vscode from 'vscode';
import { type Address, groupDigits, type IndexedDeployment, toChecksumAddress } from '../../../core/index.ts';
import type { AddressName } from '../../../host/names/addressName.ts';
import { chainsOf, elsewhereWords } from '../../../host/names/elsewhere.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import type { OpenedNames } from '../../../host/names/openNames.ts';
import { type ChainDeps, chainName } from '../../../host/session/chains.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import { shortCommit } from '../../../host/words/shortCommit.ts';

export interface NameWordsDeps extends ChainDeps {
  readonly names: OpenedNames;
}

/** Other names that are shown beside the first. */
const MOST_OTHERS = 2;

/** Where a name is from, what is deployed at the address, and where something is deployed instead. */
export function originLines(
  deps: NameWordsDeps & { readonly symbol: string | undefined },
  address: Address,
): MarkdownLines {
  const { names, session } = deps;
  const { chainId } = session.network;
  const [first, ...others] = names.namesOf(address, chainId);
  const [deployment] = names.contracts.known?.deploymentsAt(address, chainId) ?? [];
  const away = names.elsewhere(address, chainId);
  // What stands above already is not said twice, as a constant `HARBOR_DOLLAR` of a contract `HarborDollar`.
  const said = new Set([first?.name, deployment?.contract, deps.symbol].map((name) => bare(name ?? '')));
  const also = others.filter(({ name }) => !said.has(bare(name)) && said.add(bare(name)));
  const from = [
    ...(first && first.source !== 'deployment' ? [[nameSource(names, first)]] : []),
    ...(deployment ? [deploymentPieces(deps, deployment, first?.name)] : []),
  ];
  return [
    ...(from.length > 0 ? [from.flatMap((pieces, at) => (at === 0 ? pieces : ['·', ...pieces]))] : []),
    ...(also.length > 0 ? [alsoLine(also)] : []),
    ...(away.length > 0 ? [elsewhereLine(deps, away, address)] : []),
  ];
}

function bare(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** What is deployed, where it is not the name that stands above; by which script or file, and when. */
function deploymentPieces(
  { names }: NameWordsDeps,
  { contract, block, commit, file }: IndexedDeployment,
  shown: string | undefined,
): readonly Piece[] {
  const { l10n } = vscode;
  const about = [
    block === undefined ? undefined : l10n.t('block {0}', groupDigits(block)),
    commit === undefined ? undefined : l10n.t('commit {0}', shortCommit(commit)),
  ];
  return [
    ...(contract === undefined || contract === shown ? [] : [contract, '·']),
    l10n.t('Deployed by'),
    linkTo(names, deployerOf(file), { file }),
    ...about.flatMap((words) => (words === undefined ? [] : ['·', words])),
  ];
}

/** The script of Foundry that has run, else the file that tells of a deployment. */
function deployerOf(file: string): string {
  return /(?:^|\/)broadcast\/([^/]+)\//.exec(file)?.[1] ?? file;
}

/** Names that others give: shown, as two names for one address are worth a look. */
function alsoLine(others: readonly AddressName[]): readonly Piece[] {
  const list = others.slice(0, MOST_OTHERS).map((other) => `${other.name} (${nameDetail(other)})`);
  const left = others.length - list.length;
  const rest = left > 0 ? [vscode.l10n.t('{0} more', left)] : [];
  return [vscode.l10n.t('Also: {0}', [...list, ...rest].join(', '))];
}

function elsewhereLine(
  deps: NameWordsDeps,
  deployments: readonly IndexedDeployment[],
  address: Address,
): readonly Piece[] {
  const chains = chainsOf(deployments);
  const words = elsewhereWords(deployments, deps) ?? '';
  const contract = deployments.find((deployment) => deployment.contract !== undefined)?.contract;
  const [only] = chains;
  const link =
    only !== undefined && chains.length === 1
      ? commandLink(vscode.l10n.t('Switch to {0}', chainName(deps, only)), 'chainside.switchToChain', only)
      : commandLink(vscode.l10n.t('Switch Network…'), 'chainside.switchToChain', toChecksumAddress(address));
  return [
    { icon: 'warning' },
    ...(contract === undefined ? [] : [{ strong: contract }, '·']),
    words,
    '·',
    link,
  ];
}

/** Who gives a name, with a way there: a file of the workspace, or the proposal of a precompile. */
function nameSource(names: OpenedNames, name: AddressName): Piece {
  const words = sentence(nameDetail(name));
  if (name.source !== 'standard') return linkTo(names, words, name);
  const proposal = /^EIP-(\d+)$/.exec(name.file ?? '')?.[1];
  return proposal === undefined
    ? words
    : { title: words, page: `https://eips.ethereum.org/EIPS/eip-${proposal}` };
}

function sentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** A link to a file of the workspace, plain words where it cannot be opened. */
function linkTo(
  { contracts }: OpenedNames,
  words: string,
  { file, line }: { readonly file?: string | undefined; readonly line?: number | undefined },
): Piece {
  const uri = file === undefined ? undefined : contracts.uriOf(file);
  if (!uri) return words;
  return commandLink(words, 'chainside.goToPlace', { file: uri.toString(), line: (line ?? 1) - 1 });
}
