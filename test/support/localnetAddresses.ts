import type { Localnet } from '../../localnet/start.ts';

/** What a test in another process needs to know of the local network. */
export type LocalnetAddresses = Pick<Localnet, 'anvilUrl' | 'rpcUrl' | 'chain'>;

const variable = 'CHAINSIDE_LOCALNET';

export function localnetToEnv({ anvilUrl, rpcUrl, chain }: LocalnetAddresses): Record<string, string> {
  return { [variable]: JSON.stringify({ anvilUrl, rpcUrl, chain }) };
}

export function localnetFromEnv(): LocalnetAddresses {
  const text = process.env[variable];
  if (text === undefined) throw new Error('No local network: run the tests by npm run test:host.');
  return JSON.parse(text);
}
