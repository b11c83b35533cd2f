import type { Abortable } from '../../base/concurrency.ts';
import { type AppError, asAppError, badInput, isAppError, withProvider } from '../../base/errors.ts';
import type { ProviderLabel } from '../../base/provenance.ts';
import { createEtherscanApi, type EtherscanApi, type EtherscanParams } from '../../etherscan/etherscanApi.ts';
import { SECRET_PLACEHOLDER } from '../../networks/network.ts';
import { withEndpointSecret } from '../../secrets/withEndpointSecret.ts';
import type { ProviderOptions } from '../provider.ts';

export interface EtherscanRequests {
  readonly label: ProviderLabel;
  /**
   * The unvalidated `result` of an action of API V2. Once the key is refused, nothing more is sent, and after `forbidden`
   * or `notServed` no more requests of that action: Etherscan blocks who repeats a wrong key.
   *
   * @throws AppError as {@link EtherscanApi.get} does.
   */
  get(params: EtherscanParams, options: Abortable): Promise<unknown>;
}

/**
 * Requests to Etherscan's API V2 for one chain. The API takes the key in the URL only; it appears in no error, cause or
 * response.
 *
 * @throws AppError `badInput` for `key`.
 */
export function createEtherscanRequests(options: Omit<ProviderOptions, 'throttle'>): EtherscanRequests {
  const { chainId, revoked } = options;
  const key = requireKey(options.key?.text ?? '');
  const url = `${options.url}?chainid=${chainId}&apikey=${SECRET_PLACEHOLDER}`;
  const secret = { read: async () => key };
  const http = withEndpointSecret(options, { rpcUrl: url }, () => secret);
  const api: EtherscanApi = createEtherscanApi({ ...http, url });
  const label: ProviderLabel = { name: 'etherscan', origin: api.origin, takesKey: true };
  const refusals = new Map<string, AppError>();

  return {
    label,
    async get(params, { signal }) {
      const { action = '' } = params;
      const refusal = refusals.get(EVERY_ACTION) ?? refusals.get(action);
      if (refusal) throw refusal;
      try {
        return await api.get(params, { signal: signal ? AbortSignal.any([signal, revoked]) : revoked });
      } catch (cause) {
        const error = withProvider(asAppError(cause), label);
        // A status is that of a proxy in between, and may pass.
        if (error.details.status === undefined) {
          if (error.kind === 'unauthorized') refusals.set(EVERY_ACTION, error);
          if (isAppError(error, 'forbidden', 'notServed')) refusals.set(action, error);
        }
        throw error;
      }
    },
  };
}

const EVERY_ACTION = '*';

/** Etherscan's keys have 34 letters and digits. */
function requireKey(text: string): string {
  const key = text.trim();
  if (/^[A-Za-z0-9_-]{8,100}$/.test(key)) return key;
  throw badInput('key', 'This is not an API key of Etherscan. Enter its 34 letters and digits.');
}
