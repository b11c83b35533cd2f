import * as vscode from 'vscode';
import { type Clock, type Identity, toChecksumAddress } from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { row } from '../../../host/words/treeRow.ts';
import type { IdentityFact } from './identityFacts.ts';
import { identitySourceWords } from './identitySources.ts';

interface ShownFact {
  readonly fact: IdentityFact;
  /** What it is of. */
  readonly identity: Identity;
}

/** The row of a fact; a click on one that is about another address looks that up. */
export function factRow(
  { fact, identity }: ShownFact,
  { clock, onTooltip }: { readonly clock: Pick<Clock, 'now'>; readonly onTooltip: () => void },
): TreeRow {
  const { label, detail, icon, about, isWarning } = fact;
  const written = about && toChecksumAddress(about);
  return {
    ...row(label, icon, {
      description: detail,
      tooltip: () => {
        onTooltip();
        return [detail === '' ? label : `${label}: ${detail}`, written, identitySourceWords(identity, clock)];
      },
    }),
    ...(isWarning && {
      iconPath: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    }),
    ...(written && {
      command: commandOf('chainside.lookUpAddress', vscode.l10n.t('Look Up'), written),
    }),
  };
}
