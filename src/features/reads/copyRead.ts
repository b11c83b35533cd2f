import * as vscode from 'vscode';
import { type CopyRead, copyReadTargets } from '../../core/index.ts';
import { createOffer, pickCopy } from '../../host/copyPick.ts';

/** Copies a read in a format for another tool. */
export async function copyReadAs(read: CopyRead): Promise<void> {
  const { l10n } = vscode;
  const offers = copyReadTargets.map(({ label, purpose, copy }) =>
    createOffer({ label, purpose: l10n.t(purpose) }, () => copy(read)),
  );
  await pickCopy(offers, [], { title: l10n.t('Copy {0} As', read.item.name), tables: '' });
}
