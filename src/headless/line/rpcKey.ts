import {
  badInput,
  explorerApiUrl,
  getGatewayChain,
  type HttpDeps,
  requireEndpointSecret,
  requiresSecret,
  SECRET_PLACEHOLDER,
  type SecretEndpoint,
  withEndpointSecret,
} from '../../core/index.ts';
import type { CommandLine } from './commandLine.ts';

/**
 * `http` with the key of the JSON-RPC endpoint in its place: that which stood in its URL, or out of the environment.
 *
 * @throws AppError `badInput` naming the argument that is missing or not usable; never with the key.
 */
export function withRpcKey(http: HttpDeps, { rpcUrl, rpcKey, rpcKeyEnv, rpcAuth }: CommandLine): HttpDeps {
  if (rpcUrl === undefined) return http;
  const endpoint: SecretEndpoint = { rpcUrl, rpcAuth };
  if (rpcKey !== undefined) return withKey(rpcKey);
  if (!requiresSecret(endpoint)) {
    if (rpcKeyEnv === undefined) return http;
    throw badInput(
      'rpc-key-in',
      `Say where the key goes with --rpc-key-in bearer or header:NAME, or put ${SECRET_PLACEHOLDER} into --rpc.`,
    );
  }
  if (rpcKeyEnv === undefined) {
    throw badInput(
      'rpc-key-env',
      'Name the environment variable that holds the key of --rpc with --rpc-key-env NAME.',
    );
  }
  const written = process.env[rpcKeyEnv];
  if (!written) throw badInput('rpc-key-env', `The environment variable ${rpcKeyEnv} is not set.`);
  return withKey(requireEndpointSecret(written));

  function withKey(key: string): HttpDeps {
    const kept = { read: async () => key };
    return withEndpointSecret(http, endpoint, () => kept);
  }
}

/**
 * What helps where an explorer that was asked without a key refuses, as those that Blockscout hosts do since 2026:
 * https://docs.blockscout.com/devs/apis/requests-and-limits. Undefined where that is not the matter.
 */
export function keyHint({ rpcUrl, rpcKey, rpcKeyEnv, chainId }: CommandLine): string | undefined {
  if (rpcUrl === undefined || rpcKey !== undefined || rpcKeyEnv !== undefined) return undefined;
  if (getGatewayChain(rpcUrl) !== undefined)
    return 'The gateway takes a key: --rpc-key-env NAME --rpc-key-in bearer';
  if (!explorerApiUrl(rpcUrl, '/api')) return undefined;
  const gateway = `https://api.blockscout.com/${chainId ?? 'CHAIN_ID'}/json-rpc`;
  return `An explorer may want a key by now. Blockscout's gateway takes one: --rpc ${gateway} --rpc-key-env NAME --rpc-key-in bearer`;
}
