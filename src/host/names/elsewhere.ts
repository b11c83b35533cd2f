import * as vscode from 'vscode';
import type { IndexedDeployment } from '../../core/index.ts';
import { type ChainDeps, chainName } from '../session/chains.ts';
import { readChainId } from './addressName.ts';

/** Chains named before the rest is counted. */
const MOST_NAMED = 3;

/** The chains of deployments, each once. */
export function chainsOf(deployments: readonly IndexedDeployment[]): readonly number[] {
  const chains = deployments.flatMap(({ chainId }) => readChainId(chainId) ?? []);
  return [...new Set(chains)];
}

/** That something is deployed on other chains and not here, on the active one if nothing else is given; undefined where it is on none. */
export function elsewhereWords(
  deployments: readonly IndexedDeployment[],
  deps: ChainDeps,
  here: { readonly name: string } = deps.session.network,
): string | undefined {
  const chains = chainsOf(deployments);
  if (chains.length === 0) return undefined;
  const named = chains.slice(0, MOST_NAMED).map((chainId) => chainName(deps, chainId));
  const list = chains.length > MOST_NAMED ? `${named.join(', ')}, …` : named.join(', ');
  return vscode.l10n.t('Deployed on {0}, not on {1}', list, here.name);
}
