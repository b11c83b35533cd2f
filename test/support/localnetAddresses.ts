import type { Localnet } from '../../localnet/start.ts';

/** What a test in another process needs to know of the local network. */
export type LocalnetAddresses = Pick<Localnet, 'anvilUrl' | 'rpcUrl' | 'chain'> & {
  readonly dataApi: Pick<Localnet['dataApi'], 'url' | 'keys'>;
};

const variable = 'CHAINSIDE_LOCALNET';

export function localnetToEnv({ anvilUrl, rpcUrl, chain, dataApi }: Localnet): Record<string, string> {
  const { url, keys } = dataApi;
  const addresses: LocalnetAddresses = { anvilUrl, rpcUrl, chain, dataApi: { url, keys } };
  return { [variable]: JSON.stringify(addresses) };
}

export function localnetFromEnv(): LocalnetAddresses {
  const text = process.env[variable];
  if (text === undefined) throw new Error('No local network: run the tests by npm run test:host.');
  return JSON.parse(text);
}
