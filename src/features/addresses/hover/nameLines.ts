import * as vscode from 'vscode';
import { type Address, groupDigits, type IndexedDeployment, toChecksumAddress } from '../../../core/index.ts';
import type { AddressName } from '../../../host/names/addressName.ts';
import { chainsOf, elsewhereWords } from '../../../host/names/elsewhere.ts';
import { nameDetail } from '../../../host/names/nameWords.ts';
import type { OpenedNames } from '../../../host/names/openNames.ts';
import { type ChainDeps, chainName } from '../../../host/session/chains.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import { shortCommit } from '../../../host/words/shortCommit.ts';

interface NameWordsDeps extends ChainDeps {
  readonly names: OpenedNames;
}

/**
 * Who gives an address its names, the first one's aside, which stands above; what is deployed there, with links to its
 * source; and where it is deployed instead.
 */
export function nameLines(deps: NameWordsDeps, address: Address): MarkdownLines {
  const { names, session } = deps;
  const { chainId } = session.network;
  const [first, ...others] = names.namesOf(address, chainId);
  const [deployment] = names.contracts.known?.deploymentsAt(address, chainId) ?? [];
  const away = names.elsewhere(address, chainId);
  return [
    ...(first && first.source !== 'deployment' ? [nameLine(deps, first)] : []),
    ...(deployment ? [deploymentLine(deps, deployment, first?.name)] : []),
    ...(others.length > 0 ? [alsoLine(others)] : []),
    ...(away.length > 0 ? [elsewhereLine(deps, away, address)] : []),
  ];
}

function nameLine({ names }: NameWordsDeps, name: AddressName): readonly Piece[] {
  return [{ icon: 'tag' }, linkTo(names, nameDetail(name), name)];
}

/** What is deployed, where it is not the name that stands above; its source; when, and who says so. */
function deploymentLine(
  { names }: NameWordsDeps,
  deployment: IndexedDeployment,
  shown: string | undefined,
): readonly Piece[] {
  const { contract, block, commit, file } = deployment;
  const found = names.contracts.known?.contractOf(deployment);
  const source = found?.source === undefined ? undefined : { file: found.source, line: found.line };
  const about = [
    block === undefined ? undefined : vscode.l10n.t('block {0}', groupDigits(block)),
    commit === undefined ? undefined : vscode.l10n.t('commit {0}', shortCommit(commit)),
  ];
  return [
    { icon: 'rocket' },
    ...(contract === undefined || contract === shown ? [] : [contract, '·']),
    ...(source ? [linkTo(names, placeWords(source), source), '·'] : []),
    ...about.flatMap((words) => (words === undefined ? [] : [words, '·'])),
    linkTo(names, vscode.l10n.t('deployment in {0}', file), { file }),
  ];
}

function placeWords({ file, line }: { readonly file: string; readonly line: number | undefined }): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Names that others give: shown, as two names for one address are worth a look. */
function alsoLine(others: readonly AddressName[]): readonly Piece[] {
  const list = others.slice(0, 3).map((other) => `${other.name} (${nameDetail(other)})`);
  return [{ icon: 'tag' }, vscode.l10n.t('also {0}', list.join(', '))];
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
