import type { ProviderOptions, ProviderPorts } from '../provider.ts';
import { createEtherscanContracts } from './contracts.ts';
import { createEtherscanHistory } from './history.ts';
import { createEtherscanIdentity } from './identity.ts';
import { createEtherscanRequests } from './requests.ts';

/** @throws AppError `badInput` for `key`. */
export function createEtherscanPorts(options: ProviderOptions): Partial<ProviderPorts> {
  const requests = createEtherscanRequests(options);
  return {
    verified: createEtherscanContracts(requests, options),
    identity: createEtherscanIdentity(requests, options),
    history: createEtherscanHistory(requests, options),
  };
}
