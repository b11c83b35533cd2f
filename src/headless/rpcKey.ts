import {
  badInput,
  type HttpDeps,
  requireEndpointSecret,
  SECRET_MARK,
  type SecretEndpoint,
  takesSecret,
  withEndpointSecret,
} from '../core/index.ts';
import type { CommandLine } from './commandLine.ts';

/**
 * `http` with the key of the JSON-RPC endpoint in its place, read from the environment.
 *
 * @throws AppError `badInput` naming the argument that is missing or not usable; never with the key.
 */
export function withRpcKey(http: HttpDeps, { rpcUrl, rpcKeyEnv, rpcAuth }: CommandLine): HttpDeps {
  if (rpcUrl === undefined) return http;
  const endpoint: SecretEndpoint = { rpcUrl, rpcAuth };
  if (!takesSecret(endpoint)) {
    if (rpcKeyEnv === undefined) return http;
    throw badInput(
      'rpc-key-in',
      `Say where the key goes with --rpc-key-in bearer or header:NAME, or put ${SECRET_MARK} into --rpc.`,
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
  const key = requireEndpointSecret(written);
  const kept = { read: async () => key };
  return withEndpointSecret(http, endpoint, () => kept);
}
