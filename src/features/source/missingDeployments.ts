import type * as vscode from 'vscode';
import { type Address, type Identity, type IndexedDeployment, isLoopbackUrl } from '../../core/index.ts';
import type { Session } from '../../host/session/session.ts';

/** What is known of addresses on the active network. */
export interface DeploymentIdentities {
  get(address: Address): Pick<Identity, 'kind'> | undefined;
  /** Looks up those that are not known. Never rejects. */
  loadListed(addresses: readonly Address[]): Promise<void>;
  readonly onDidChange: vscode.Event<Address>;
}

/** The deployments that the active node lacks, although its chain has their chain ID. */
export interface MissingDeployments extends vscode.Disposable {
  has(deployment: IndexedDeployment): boolean;
  /** Asks a node on this machine for these: a chain that was started anew lacks earlier deployments. */
  lookUp(deployments: readonly IndexedDeployment[]): void;
}

interface MissingDeploymentsDeps {
  readonly session: Pick<Session, 'isChosen' | 'network'>;
  /** Loaded with the first look-up. */
  readonly identities: () => Promise<DeploymentIdentities>;
}

export function createMissingDeployments(
  { session, identities: load }: MissingDeploymentsDeps,
  onDidChange: () => void,
): MissingDeployments {
  const shown = new Set<Address>();
  let identities: DeploymentIdentities | undefined;
  let subscription: vscode.Disposable | undefined;
  let isDisposed = false;

  const isOnChain = ({ chainId }: IndexedDeployment) =>
    session.isChosen && chainId === String(session.network.chainId);

  async function lookUp(addresses: readonly Address[]): Promise<void> {
    identities ??= await load();
    if (isDisposed) return;
    subscription ??= identities.onDidChange((address) => {
      if (shown.has(address)) onDidChange();
    });
    await identities.loadListed(addresses);
  }

  return {
    has: (deployment) => isOnChain(deployment) && identities?.get(deployment.address)?.kind === 'account',
    lookUp(deployments) {
      const addresses = deployments.filter(isOnChain).map(({ address }) => address);
      if (addresses.length === 0 || !isLoopbackUrl(session.network.rpcUrl)) return;
      for (const address of addresses) shown.add(address);
      // The lenses show what the files say if the addresses cannot be loaded.
      void lookUp(addresses).catch(() => undefined);
    },
    dispose() {
      isDisposed = true;
      subscription?.dispose();
    },
  };
}
