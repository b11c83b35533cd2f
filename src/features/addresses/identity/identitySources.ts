import * as vscode from 'vscode';
import type { Clock, Identity, IdentityReason } from '../../../core/index.ts';
import { formatAge } from '../../../host/words/formatTime.ts';

/** Where what is known of an address comes from, and how old it is: `From explorer.example, 4 s ago`. */
export function identitySourceWords({ sources }: Identity, { now }: Pick<Clock, 'now'>): string | undefined {
  const telling = sources.filter(({ tells }) => tells.length > 0);
  const [first] = telling;
  if (!first) return undefined;
  const hosts = new Set(telling.map(({ source }) => source.origin.replace(/^https?:\/\//, '')));
  const age = formatAge(Math.max(0, now() - first.readAt));
  return vscode.l10n.t('From {0}, {1}', [...hosts].join(', '), age);
}

/** Why nobody tells what is at an address; undefined where somebody does. */
export function unknownIdentityWords({ kind, sources }: Identity): string | undefined {
  if (kind !== 'unknown') return undefined;
  const gaps = sources.map(({ gap }) => gap);
  const first = gaps.find((gap) => gap !== undefined && gap !== 'notOffered') ?? 'notOffered';
  return gapWords(first);
}

function gapWords(gap: IdentityReason): string {
  const { l10n } = vscode;
  switch (gap) {
    case 'notOffered':
      return l10n.t('Account or contract? The endpoint does not tell: it does not support eth_getCode.');
    case 'notIndexed':
      return l10n.t('Account or contract? The explorer has no record of this address.');
    case 'refused':
      return l10n.t(
        'Account or contract? The explorer does not tell this of this address, or not without a key.',
      );
    case 'failed':
      return l10n.t('Account or contract? The explorer could not say.');
  }
}
