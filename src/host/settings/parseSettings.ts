import * as z from 'zod/mini';
import { type Network, plainText, requireIpfsGateway, resolveNetworks } from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import type { SettingFault, SettingProblem } from './settingFault.ts';
import { type Setting, type SettingValues, settingTable } from './settingTable.ts';

/** The settings of a window, every one usable. */
export interface Settings extends Omit<SettingValues, 'networkId' | 'writtenNetworks' | 'writtenGateway'> {
  /** The active network. */
  readonly network: Network;
  readonly networks: readonly Network[];
  /** What `/ipfs/…` goes behind; undefined while none is chosen. */
  readonly ipfsGateway: string | undefined;
}

/**
 * Every setting out of `read`, which gives what a person or a tool wrote, of any shape. One that cannot be used
 * falls back to its default by itself and is a problem.
 */
export function parseSettings(read: (setting: SettingId) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
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
  const { networks, problems: faulty } = resolveNetworks(writtenNetworks);
  for (const problem of faulty) report('chainside.networks', { code: 'network', problem });
  return {
    settings: {
      ...others,
      networks,
      network: findNetwork(networks, networkId, report),
      ipfsGateway: writtenGateway === '' ? undefined : requireIpfsGateway(writtenGateway),
    },
    problems,
  };
}

function findNetwork(
  networks: readonly Network[],
  id: string,
  report: (setting: SettingId, fault: SettingFault) => void,
): Network {
  const find = (wanted: string) => networks.find((network) => network.id === wanted);
  const network = find(id);
  if (network) return network;
  report('chainside.network', { code: 'unknownNetwork', id: plainText(id) });
  const fallback = find(settingTable.networkId.fallback);
  if (!fallback) throw new Error('The default network is not built in.');
  return fallback;
}
