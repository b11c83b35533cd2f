import * as vscode from 'vscode';
import { groupDigits, safeUrl } from '../../core/index.ts';
import { FEW_CREDITS } from '../../host/session/credits.ts';
import { holdsKey } from '../../host/settings/keyInSettings.ts';
import type { TreeRow } from '../../host/surface/tree.ts';
import { setSecret } from '../../host/words/remedies.ts';
import { row, tokensOf } from '../../host/words/treeRow.ts';
import type { ChainFacts } from './chainFacts.ts';

/** Whether there is a row about the key of the endpoint. */
export function tellsSecret({ secret, session }: Pick<ChainFacts, 'secret' | 'session'>): boolean {
  return secret !== 'notTaken' || holdsKey(session.network);
}

/** Whether the secret of the endpoint is set, and what is left of its credits where the server says so; never the secret. */
export function secretRow(known: ChainFacts): TreeRow {
  const { l10n } = vscode;
  const label = l10n.t('Endpoint key');
  const { secret } = known;
  const isSet = secret === 'set';
  const state = secret === 'notTaken' ? l10n.t('in settings.json, as plain text') : l10n.t('not set');
  const description = [isSet ? l10n.t('set') : state, creditsWords(known)].filter(Boolean).join(' · ');
  const { rpcUrl } = known.session.network;
  return {
    ...row(label, 'lock', {
      description,
      tooltip: [`${label}: ${description}`, l10n.t('Sent to {0} only', safeUrl(rpcUrl))],
    }),
    id: 'secret',
    spoken: `${label}: ${description}`,
    tokens: tokensOf(isSet ? { 'secret:set': true } : { 'secret:missing': true }),
    ...(!isSet && { command: setSecret }),
  };
}

/** What is left of the credits of the endpoint's key, where the server says so. */
export function creditsWords({
  session,
  credits,
}: Pick<ChainFacts, 'session' | 'credits'>): string | undefined {
  const left = credits.of(session.network.rpcUrl);
  return left === undefined ? undefined : vscode.l10n.t('{0} credits left', groupDigits(BigInt(left)));
}

/** The same where they are soon used up. */
export function fewCreditsWords(known: Pick<ChainFacts, 'session' | 'credits'>): string | undefined {
  const left = known.credits.of(known.session.network.rpcUrl);
  return left !== undefined && left < FEW_CREDITS ? creditsWords(known) : undefined;
}
