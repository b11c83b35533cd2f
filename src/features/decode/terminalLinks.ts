import * as vscode from 'vscode';
import { runCommand } from '../../host/commands.ts';
import { type ChainLink, findChainLinks } from '../../host/places/chainLinks.ts';
import type { TerminalLink } from '../../host/ui/languageFeatures.ts';
import { findCall } from './findCall.ts';
import { type CallJson, callToJson } from './shownKey.ts';

export type ChainTerminalLink = TerminalLink &
  Pick<ChainLink, 'kind' | 'value'> & {
    /** The call of the line, if this is its calldata. */
    readonly call?: CallJson | undefined;
  };

/** VS Code passes a wrapped line as one, up to about 2,000 characters. */
export function findTerminalLinks(line: string): ChainTerminalLink[] {
  const { l10n } = vscode;
  const tooltips: Readonly<Record<ChainLink['kind'], string>> = {
    address: l10n.t('Look Up Address'),
    transaction: l10n.t('Show Transaction'),
    hex: l10n.t('Decode'),
  };
  const call = findCall(line);
  return findChainLinks(line, { hashes: 'likely' }).map(({ kind, value, offset, length }) => {
    const isCall = kind === 'hex' && value === call?.input;
    return {
      ...{ kind, value, length },
      startIndex: offset,
      tooltip: isCall ? l10n.t('Simulate Call') : tooltips[kind],
      ...(isCall && { call: callToJson(call) }),
    };
  });
}

export async function openTerminalLink({ kind, value, call }: ChainTerminalLink): Promise<void> {
  if (call) await runCommand('chainside.simulateCall', call);
  else if (kind === 'address') await runCommand('chainside.lookUpAddress', value);
  else if (kind === 'transaction') await runCommand('chainside.showTransaction', value);
  else await runCommand('chainside.decode', value);
}
