import type { DeploymentFacts, FileFacts } from '../facts.ts';

/** What a file tells that tells nothing. */
export const emptyFacts: FileFacts = { contracts: [], deployments: [], labels: [] };

/** A deployment of which a file tells the place only. */
export function bareDeployment(
  place: Pick<DeploymentFacts, 'chainId' | 'address' | 'contract'>,
): DeploymentFacts {
  return { ...place, block: undefined, transaction: undefined, commit: undefined };
}
