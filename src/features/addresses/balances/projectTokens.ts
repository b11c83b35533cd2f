import type { Address, ContractIndex } from '../../../core/index.ts';
import { createDeploymentComparator } from '../../../host/contracts/knownEvents.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { Session } from '../../../host/session/session.ts';
import type { AddressIdentityCache } from '../identityCache.ts';

/** Every balance of an address is one more call of the same batch. */
const MAX_PROJECT_TOKENS = 20;

/** The ERC-20 tokens that the workspace's own projects deployed on the active network, the newest first. */
export interface ProjectTokens {
  /** Those that are known to be on the network: sends no request. */
  list(): readonly Address[];
  /** As {@link list}, after a glance at those that are not known yet. Never rejects. */
  find(): Promise<readonly Address[]>;
}

export function createProjectTokens({
  contracts,
  session,
  identities,
}: {
  readonly contracts: Pick<WorkspaceContracts, 'known'>;
  readonly session: Pick<Session, 'network' | 'isChosen'>;
  readonly identities: Pick<AddressIdentityCache, 'get' | 'loadListed'>;
}): ProjectTokens {
  let found: { readonly key: string; readonly tokens: readonly Address[] } | undefined;

  function listDeployed(): readonly Address[] {
    const { known } = contracts;
    if (!known || !session.isChosen) return [];
    const key = `${session.network.chainId} ${known.version}`;
    if (found?.key !== key) found = { key, tokens: findDeployedTokens(known, session.network.chainId) };
    return found.tokens;
  }
  const list = () => listDeployed().filter((token) => identities.get(token)?.kind === 'contract');

  return {
    list,
    async find() {
      await identities.loadListed(listDeployed());
      return list();
    },
  };
}

function findDeployedTokens(
  { deployments, contractOf }: Pick<ContractIndex, 'deployments' | 'contractOf'>,
  chainId: number,
): readonly Address[] {
  return deployments
    .filter((deployment) => deployment.chainId === String(chainId) && isErc20(contractOf(deployment)?.abi))
    .sort(createDeploymentComparator(chainId))
    .slice(0, MAX_PROJECT_TOKENS)
    .map(({ address }) => address);
}

/** `transfer` tells it from an NFT contract. */
const required = [
  /^function balanceOf\(address\b[^,]*\)/,
  /^function transfer\(address\b[^,]*,\s*uint256\b[^,]*\)/,
];

function isErc20(abi: readonly string[] = []): boolean {
  return required.every((item) => abi.some((text) => item.test(text)));
}
