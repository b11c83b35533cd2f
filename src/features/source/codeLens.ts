import * as vscode from 'vscode';
import {
  type CodeComparison,
  formatShortAddress,
  type IndexedContract,
  type IndexedDeployment,
  toChecksumAddress,
} from '../../core/index.ts';
import type { CodeTarget, CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import { formatVerdict, formatVerdictDetails, formatVerdicts } from '../../host/code/formatVerdict.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { LensContent } from '../../host/ui/languageFeatures.ts';
import { createCommandLink, type MarkdownLines } from '../../host/ui/markdown.ts';
import { formatDeployedTitle, formatDeployments, formatNewest, toDeploymentChoice } from './deployments.ts';
import type { DeployedSource, SourceDeployment } from './findDeployments.ts';

export interface CodeLensDeps extends ChainDeps {
  readonly verdicts: Pick<CodeVerdicts, 'get' | 'listTargets'>;
}

/** Of one lens or hover; the rest is in the document. */
const MAX_COMPARED = 20;

/**
 * The verdict on the deployments of a contract on the active chain, or the offer to compare. Undefined if it has none there
 * or no build.
 */
export function createCodeLens(
  { contract, indexed, deployments }: DeployedSource['contracts'][number],
  deps: CodeLensDeps,
): (() => LensContent) | undefined {
  const here = listCompared(deployments, indexed, deps);
  if (here.length === 0) return undefined;
  const choice = toDeploymentChoice(
    here.map(({ deployment }) => deployment),
    { name: contract.name, ...(indexed?.source !== undefined && { source: indexed.source }) },
  );
  return () => {
    const found = here.flatMap((one) => {
      const comparison = deps.verdicts.get(one.target);
      return comparison ? [{ ...one, comparison }] : [];
    });
    const title = formatTitle(found, here);
    const { network } = deps.session;
    const tooltip = found
      .slice(0, MAX_COMPARED)
      .flatMap(({ comparison, deployment }) => [
        ...(here.length > 1 ? [formatPlacedVerdict(deployment, comparison)] : []),
        ...formatVerdictDetails(comparison, network.name, vscode.l10n),
      ]);
    return {
      title: title ?? vscode.l10n.t('Compare Code…'),
      tooltip:
        title === undefined
          ? [vscode.l10n.t('Compare the code on {0} with your build', network.name)]
          : tooltip,
      command: 'chainside.compareCode',
      argument: choice,
    };
  };
}

interface ComparedDeployment {
  readonly deployment: SourceDeployment;
  readonly target: CodeTarget;
}

/** The verdict on the newest: older ones may run what was built then. Of all, as long as no newest is compared. */
function formatTitle(
  found: readonly (ComparedDeployment & { readonly comparison: CodeComparison })[],
  here: readonly ComparedDeployment[],
): string | undefined {
  const isNewest = ({ deployment }: ComparedDeployment) => deployment.isNewest;
  const newest = found.filter(isNewest);
  const comparisons = (newest.length > 0 ? newest : found).map(({ comparison }) => comparison);
  const count = newest.length > 0 ? here.filter(isNewest).length : here.length;
  const verdict = formatVerdicts(comparisons, count, vscode.l10n);
  if (verdict === undefined) return undefined;
  return [verdict, formatNewest(count, here.length)].filter((part) => part !== undefined).join(' · ');
}

/** `0x5FbD…0aa3 · Same code` */
function formatPlacedVerdict({ address }: IndexedDeployment, comparison: CodeComparison): string {
  return `${formatShortAddress(toChecksumAddress(address))} · ${formatVerdict(comparison, vscode.l10n)}`;
}

/** Those on the active chain whose contract has a build. */
function listCompared(
  deployments: readonly SourceDeployment[],
  contract: IndexedContract | undefined,
  { verdicts }: CodeLensDeps,
): readonly ComparedDeployment[] {
  if (contract?.artifact === undefined) return [];
  return deployments.flatMap((deployment) =>
    verdicts.listTargets([deployment], contract).map((target) => ({ deployment, target })),
  );
}

/** The hover on the name of a contract that is deployed: where, and whether it is this code. */
export function createContractHover(
  { contract, indexed, deployments }: DeployedSource['contracts'][number],
  deps: CodeLensDeps,
): MarkdownLines | undefined {
  if (deployments.length === 0) return undefined;
  const { network } = deps.session;
  const compared = listCompared(deployments, indexed, deps).slice(0, MAX_COMPARED);
  const verdicts = compared.flatMap(({ target, deployment }) => {
    const comparison = deps.verdicts.get(target);
    if (!comparison) return [];
    const details = formatVerdictDetails(comparison, network.name, vscode.l10n);
    return [
      [
        {
          strong:
            compared.length > 1
              ? formatPlacedVerdict(deployment, comparison)
              : formatVerdict(comparison, vscode.l10n),
        },
      ],
      ...details.map((detail) => [{ level: 1 }, detail]),
    ];
  });
  const choice = toDeploymentChoice(
    compared.map(({ deployment }) => deployment),
    { name: contract.name, ...(indexed?.source !== undefined && { source: indexed.source }) },
  );
  const title = vscode.l10n.t('Compare with Deployed Code…');
  return [
    [{ icon: 'symbol-class' }, { strong: contract.name }, '·', formatDeployedTitle(deployments, deps)],
    ...(deployments.length > 1 ? formatDeployments(deployments, deps).map((line) => [line]) : []),
    ...verdicts,
    ...(compared.length > 0 ? [[createCommandLink(title, 'chainside.compareCode', choice)]] : []),
  ];
}
