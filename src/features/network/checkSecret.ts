import * as vscode from 'vscode';
import { createChainClient, isAppError, type Network, withEndpointSecret } from '../../core/index.ts';
import { errorText } from '../../host/log.ts';
import { describeError } from '../../host/words/describeError.ts';
import type { NetworkDeps } from './deps.ts';
import type { CheckedKey } from './keyInput.ts';

const TIMEOUT_MS = 15_000;

/** What of a network says how its endpoint is asked; its chain where that is known. */
export type Asked = Pick<Network, 'rpcUrl' | 'rpcAuth'> & { readonly chainId?: number | undefined };

/** Tries a secret by asking the endpoint for its latest block and its chain. */
export async function checkSecret(
  { http, log }: NetworkDeps,
  { endpoint, secret }: { readonly endpoint: Asked; readonly secret: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<CheckedKey> {
  const { l10n } = vscode;
  const kept = { read: async () => secret };
  const asked = withEndpointSecret(http, endpoint, () => kept);
  const client = createChainClient({ ...asked, url: endpoint.rpcUrl, timeoutMs: TIMEOUT_MS });
  try {
    await client.latestBlock({ signal, retries: 0 });
    const chainId = await client.chainId({ signal, retries: 0 });
    if (chainId === undefined || endpoint.chainId === undefined || chainId === endpoint.chainId) return {};
    const problem = l10n.t('The key is right, but the endpoint is of chain {0}.', chainId);
    return { doubt: { problem, canSave: true } };
  } catch (error) {
    if (isAppError(error, 'badInput')) return { doubt: { problem: notASecretWords(), canSave: false } };
    log.warn(errorText(error));
    const { message } = describeError(error, { service: 'endpoint', network: networkOf(endpoint) });
    if (isAppError(error, 'unauthorized')) {
      return { doubt: { problem: l10n.t('{0}.', message), canSave: false } };
    }
    return { doubt: { problem: l10n.t('The key could not be tested ({0}).', message), canSave: true } };
  }
}

function notASecretWords(): string {
  return vscode.l10n.t('Not a key: expected up to 512 letters, digits and signs without spaces.');
}

function networkOf({ rpcUrl, rpcAuth, chainId = 0 }: Asked): Network {
  return { id: '', name: '', symbol: '', decimals: 0, chainId, rpcUrl, rpcAuth };
}
