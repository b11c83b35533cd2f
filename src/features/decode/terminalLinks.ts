import * as vscode from 'vscode';
import { runCommand } from '../../host/commands.ts';
import { type ChainLink, findChainLinks } from '../../host/places/chainLinks.ts';
import type { TerminalLink } from '../../host/ui/languageFeatures.ts';

export type ChainTerminalLink = TerminalLink & Pick<ChainLink, 'kind' | 'value'>;

/** VS Code passes a wrapped line as one, up to about 2,000 characters. */
export function findTerminalLinks(line: string): ChainTerminalLink[] {
  const { l10n } = vscode;
  const tooltips: Readonly<Record<ChainLink['kind'], string>> = {
    address: l10n.t('Look Up Address'),
    transaction: l10n.t('Show Transaction'),
    hex: l10n.t('Decode'),
  };
  return findChainLinks(line, { hashes: 'likely' }).map(({ kind, value, offset, length }) => ({
    ...{ kind, value, length },
    startIndex: offset,
    tooltip: tooltips[kind],
  }));
}

export async function openTerminalLink({ kind, value }: ChainTerminalLink): Promise<void> {
  if (kind === 'address') await runCommand('chainside.lookUpAddress', value);
  else if (kind === 'transaction') await runCommand('chainside.showTransaction', value);
  else await runCommand('chainside.decode', value);
}
