import * as z from 'zod/mini';
import { type Network, requireIpfsGateway, resolveNetworks, sanitizeText } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import type { SettingFault, SettingProblem } from './settingFault.ts';
import { FOUNDRY, type Setting, type SettingValues, settingTable } from './settingTable.ts';

/** The settings of a window, every one usable. */
export interface Settings extends Omit<SettingValues, 'networkId' | 'writtenNetworks' | 'writtenGateway'> {
  /** The active network; while none is chosen, the one that would be read by default. */
  readonly network: Network;
  /** Whether a setting names the network, and it is there: nothing is asked of any before. */
  readonly isNetworkChosen: boolean;
  readonly networks: readonly Network[];
  /** What `/ipfs/…` goes behind; undefined while none is chosen. */
  readonly ipfsGateway: string | undefined;
}

/** An endpoint of a `foundry.toml` that the settings name by its id, or why it cannot be used. */
export type NamedEndpoint = { readonly id: string } & (
  | { readonly network: Network }
  | { readonly fault: SettingFault }
);

/**
 * Every setting out of `read`, which gives what a person or a tool wrote, of any shape. One that cannot be used
 * falls back to its default by itself and is a problem.
 *
 * @param named the endpoint that was last looked for in the files of the workspace.
 */
export function parseSettings(
  read: (setting: SettingId) => unknown,
  named?: NamedEndpoint,
): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
  /** The endpoint to look for in the files of the workspace. */
  readonly wanted: string | undefined;
} {
  const problems: SettingProblem[] = [];
  const report = (setting: SettingId, fault: SettingFault) => problems.push({ setting, fault });

  function readOne({ id, schema, fallback, fault }: Setting<unknown>): unknown {
    const parsed = z.safeParse(schema, read(id) ?? fallback);
    if (parsed.success) return parsed.data;
    report(id, fault);
    return fallback;
  }

  const entries = Object.entries<Setting<unknown>>(settingTable);
  const values = Object.fromEntries(entries.map(([name, each]) => [name, readOne(each)])) as SettingValues;
  const { networkId, writtenNetworks, writtenGateway, ...others } = values;
  const { networks: defined, problems: faulty } = resolveNetworks(writtenNetworks);
  for (const problem of faulty) report('chainside.networks', { code: 'network', problem });
  const networks = named && 'network' in named ? [...defined, named.network] : defined;
  const isWritten = read('chainside.network') === networkId;
  const chosen = isWritten ? networks.find(({ id }) => id === networkId) : undefined;
  const wanted = networkId.startsWith(FOUNDRY) ? networkId : undefined;
  if (named && named.id === wanted && 'fault' in named) report('chainside.network', named.fault);
  else if (isWritten && !chosen && wanted === undefined) {
    report('chainside.network', { code: 'unknownNetwork', id: sanitizeText(networkId) });
  }
  return {
    settings: {
      ...others,
      networks,
      network: chosen ?? byDefault(networks),
      isNetworkChosen: chosen !== undefined,
      ipfsGateway: writtenGateway === '' ? undefined : requireIpfsGateway(writtenGateway),
    },
    problems,
    wanted,
  };
}

function byDefault(networks: readonly Network[]): Network {
  const network = networks.find(({ id }) => id === settingTable.networkId.fallback);
  if (!network) throw new Error('The default network is not built in.');
  return network;
}
