import * as vscode from 'vscode';
import {
  type AppError,
  explorerApiUrl,
  getGatewayChain,
  isAppError,
  isLoopbackUrl,
  type Network,
  type ProviderLabel,
  requiresSecret,
} from '../../core/index.ts';

/**
 * Whose key a refusal is about: `source` has one of its own; `endpoint` is asked with the secret of the network. Asked
 * without one were a public explorer, `hostedExplorer` where Blockscout runs it and has a gateway to it, or `open`.
 */
export type KeyHolder = 'source' | 'endpoint' | 'hostedExplorer' | 'explorer' | 'open';

export function keyHolder(source: ProviderLabel | undefined, network: Network): KeyHolder {
  if (source?.takesKey) return 'source';
  const { rpcUrl } = network;
  // Elsewhere than at the endpoint neither its secret nor its gateway is of use.
  if (source && URL.canParse(rpcUrl) && new URL(rpcUrl).origin !== source.origin) return 'open';
  if (requiresSecret(network)) return 'endpoint';
  if (!isPublicExplorer(rpcUrl)) return 'open';
  return new URL(rpcUrl).hostname.endsWith('.blockscout.com') ? 'hostedExplorer' : 'explorer';
}

/** A key is missing or refused, or what it has is used up. */
export function isKeyRefusal(error: unknown): error is AppError {
  return isAppError(error, 'needsKey', 'unauthorized', 'forbidden', 'creditsUsedUp');
}

/** Why a server answered with 401, 402 or 403, in words that follow its name. */
export function keyRefusalText({ kind }: AppError, holder: KeyHolder): string {
  const { l10n } = vscode;
  const hasKey = holder === 'source' || holder === 'endpoint';
  const isExplorer = holder === 'hostedExplorer' || holder === 'explorer';
  switch (kind) {
    case 'unauthorized':
      if (hasKey) return l10n.t('does not accept the key');
      return isExplorer
        ? l10n.t('this explorer wants a key now (HTTP 401)')
        : l10n.t('needs a key (HTTP 401)');
    case 'creditsUsedUp':
      if (hasKey) return l10n.t('the credits of the key are used up');
      return isExplorer
        ? l10n.t('this explorer asks for payment now (HTTP 402)')
        : l10n.t('asks for payment (HTTP 402)');
    default:
      if (holder === 'source') return l10n.t('the key is not entitled to this data');
      if (holder === 'endpoint') return l10n.t('the key is not entitled to this (HTTP 403)');
      return isExplorer
        ? l10n.t('this explorer forbids requests without a key (HTTP 403)')
        : l10n.t('forbids this request (HTTP 403)');
  }
}

/** What helps where the endpoint of a network refuses a key or wants one; undefined where the remedies say it all. */
export function endpointKeyAdvice(error: AppError, holder: KeyHolder): string | undefined {
  const { l10n } = vscode;
  if (!isKeyRefusal(error)) return undefined;
  if (holder === 'hostedExplorer') {
    return l10n.t(
      'Explorers that Blockscout hosts no longer answer everyone without a key. Its gateway answers for them with one, which is free for some requests a day; other public endpoints answer without.',
    );
  }
  if (error.kind === 'creditsUsedUp' && holder === 'endpoint') {
    return l10n.t('Wait until the plan of the key renews its credits, or set another key.');
  }
  if (error.kind === 'forbidden' && holder === 'endpoint') {
    return l10n.t('The plan of the key does not include this: change the plan, or set a key of another one.');
  }
  return error.kind === 'needsKey' ? l10n.t('Nothing is sent to it before its key is set.') : undefined;
}

/** An explorer that anyone is meant to ask: by itself, and not on this machine. */
function isPublicExplorer(rpcUrl: string): boolean {
  if (!URL.canParse(rpcUrl) || isLoopbackUrl(rpcUrl)) return false;
  return explorerApiUrl(rpcUrl, '/api') !== undefined && getGatewayChain(rpcUrl) === undefined;
}
