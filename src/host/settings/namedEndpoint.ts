import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { findWellKnownChain, type Network, resolveEndpoint } from '../../core/index.ts';
import { environmentVariable } from './environment.ts';
import { endpointsOfWorkspace, type FoundEndpoint } from './foundryFiles.ts';
import type { NamedEndpoint } from './parseSettings.ts';

const KEPT = 'foundryEndpoints';
const keptSchema = z.record(
  z.string(),
  z.object({ template: z.string(), chainId: z.int().check(z.positive()) }),
);
type Kept = z.infer<typeof keptSchema>;

/**
 * The network of an endpoint that the settings name: its URL out of the file and the environment as they are now, its
 * chain id as it was when the user chose it. Asks no server; one whose URL is written otherwise since is to be chosen
 * again.
 */
export async function namedEndpoint(id: string, memento: vscode.Memento): Promise<NamedEndpoint> {
  const { endpoints } = await endpointsOfWorkspace(new AbortController().signal);
  const endpoint = endpoints.find((each) => each.id === id);
  if (!endpoint) return { id, fault: { code: 'noEndpoint', id } };
  const resolved = resolveEndpoint(endpoint.template, environmentVariable);
  if ('missing' in resolved) return { id, fault: { code: 'endpointVariables', names: resolved.missing } };
  const kept = readKept(memento)[id];
  if ('fault' in resolved || kept?.template !== endpoint.template) {
    return { id, fault: { code: 'endpointUnasked', id } };
  }
  return { id, network: networkOfEndpoint(endpoint, { url: resolved.url, chainId: kept.chainId }) };
}

/** An endpoint as a network, with what is known of its chain. */
export function networkOfEndpoint(
  { id, alias }: FoundEndpoint,
  { url, chainId }: { readonly url: string; readonly chainId: number },
): Network {
  const { symbol = 'ETH', explorerUrl, dataApiUrl } = findWellKnownChain(chainId) ?? {};
  const name = `${alias} (foundry.toml)`;
  return { id, name, chainId, rpcUrl: url, explorerUrl, dataApiUrl, symbol, decimals: 18 };
}

/** Keeps the chain id of an endpoint beside its URL as it is written, without what the environment puts in. */
export async function keepEndpoint(
  memento: vscode.Memento,
  { id, chainId }: Network,
  template: string,
): Promise<void> {
  await memento.update(KEPT, { ...readKept(memento), [id]: { template, chainId } });
}

function readKept(memento: vscode.Memento): Kept {
  return keptSchema.safeParse(memento.get(KEPT)).data ?? {};
}
