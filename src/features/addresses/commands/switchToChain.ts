import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { registerCommand } from '../../../host/commands/commands.ts';
import { readAddress, readRow } from '../../../host/commands/rowArguments.ts';
import { chainsOf } from '../../../host/names/elsewhere.ts';
import { type ChainDeps, chainName, switchToChain } from '../../../host/session/chains.ts';
import { pickOne } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';
import type { ActiveNames } from '../names/activeNames.ts';

interface SwitchDeps extends ChainDeps {
  readonly active: ActiveNames;
  readonly log: vscode.LogOutputChannel;
}

const ChainId = z.int().check(z.minimum(1));

/** To the chain given, or to that of a row, or to one on which something is deployed at the address given. */
export function registerSwitchToChain(deps: SwitchDeps): vscode.Disposable {
  return registerCommand('chainside.switchToChain', async (where) => {
    try {
      const chainId =
        ChainId.safeParse(where).data ?? readRow(where)?.chainId ?? (await chainOf(deps, where));
      if (chainId !== undefined) await switchToChain(deps, chainId);
    } catch (error) {
      await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
    }
  });
}

async function chainOf(deps: SwitchDeps, argument: unknown): Promise<number | undefined> {
  const address = readAddress(argument);
  const { names, chainId } = deps.active;
  const chains = address ? chainsOf(names.elsewhere(address, chainId)) : [];
  if (chains.length < 2) return chains[0];
  const choices = chains.map((chain) => ({
    label: chainName(deps, chain),
    description: vscode.l10n.t('chain {0}', String(chain)),
    chain,
  }));
  const words = {
    title: vscode.l10n.t('Switch Network'),
    placeHolder: vscode.l10n.t('Deployed on several networks'),
  };
  return (await pickOne(choices, words))?.chain;
}
