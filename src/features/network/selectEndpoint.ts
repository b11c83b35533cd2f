import * as vscode from 'vscode';
import { type Network, probeEndpoint } from '../../core/index.ts';
import { cancellable } from '../../host/commands/progress.ts';
import type { FoundEndpoint } from '../../host/settings/foundryFiles.ts';
import { networkOfEndpoint } from '../../host/settings/namedEndpoint.ts';
import { showError } from '../../host/words/showError.ts';
import type { NetworkDeps } from './deps.ts';
import { askForField } from './networkFields.ts';

/** Asks an endpoint of a `foundry.toml` for its chain, and makes it the active network. Its URL is written nowhere. */
export async function selectEndpoint(deps: NetworkDeps, endpoint: FoundEndpoint, url: string): Promise<void> {
  const { http, settings, log } = deps;
  const title = vscode.l10n.t('Asking {0}', endpoint.alias);
  try {
    const facts = await cancellable(title, ({ signal }) => probeEndpoint(http, url, { signal }));
    if (facts === 'cancelled') return;
    const chainId = facts.chainId ?? (await askForField(endpoint.alias, 'chainId', { rpcUrl: url }))?.value;
    if (typeof chainId !== 'number') return;
    const network = networkOfEndpoint(endpoint, { url, chainId });
    await settings.selectEndpoint(network, endpoint.template);
  } catch (error) {
    const network: Network = networkOfEndpoint(endpoint, { url, chainId: 0 });
    const again = await showError(error, { service: 'endpoint', network, log }, true);
    if (again) await selectEndpoint(deps, endpoint, url);
  }
}
