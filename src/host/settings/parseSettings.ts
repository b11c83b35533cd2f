import * as z from 'zod/mini';
import {
  type Network,
  type NetworkProblem,
  parseQuoteCurrency,
  plainText,
  type QuoteCurrency,
  requireIpfsGateway,
  resolveNetworks,
} from '../../core/index.ts';
import {
  type KeyIn,
  loadAllLimitRange,
  pollSecondsRange,
  type SettingId,
  type SettingValues,
  settingDefaults,
} from '../../manifest.ts';

/** The settings of a window, every one usable. */
export interface Settings {
  /** The active network. */
  readonly network: Network;
  readonly networks: readonly Network[];
  readonly quoteCurrency: QuoteCurrency;
  readonly keyIn: KeyIn;
  /** Rows after which loading all asks before it goes on. */
  readonly loadAllLimit: number;
  /** What `/ipfs/…` goes behind; undefined while none is chosen. */
  readonly ipfsGateway: string | undefined;
  readonly pollSeconds: number;
  readonly statusBarEnabled: boolean;
}

/** Why a setting is not used as it was written. */
export type SettingFault =
  | { readonly code: 'notNumber'; readonly minimum: number; readonly maximum: number }
  | { readonly code: 'notKeyIn' | 'notBoolean' | 'notCurrency' | 'notGateway' | 'notNetworkId' }
  /** The network that is chosen is not defined. */
  | { readonly code: 'unknownNetwork'; readonly id: string }
  /** A network, or a field of one, cannot be used. */
  | { readonly code: 'network'; readonly problem: NetworkProblem };

export interface SettingProblem {
  readonly setting: SettingId;
  readonly fault: SettingFault;
}

/** How a setting is read, and what is wrong where that fails. */
interface Reading<T> {
  readonly schema: z.ZodMiniType<T>;
  readonly fault: SettingFault;
}

const PollSeconds = numberWithin(pollSecondsRange);
const LoadAllLimit = numberWithin(loadAllLimitRange);
const KeyInField: Reading<KeyIn> = {
  schema: z.enum(['auto', 'header', 'query']),
  fault: { code: 'notKeyIn' },
};
const Enabled: Reading<boolean> = { schema: z.boolean(), fault: { code: 'notBoolean' } };
const Currency: Reading<QuoteCurrency> = {
  schema: z.pipe(
    z.custom<string>((text) => parseQuoteCurrency(text) !== undefined),
    z.transform((text) => parseQuoteCurrency(text) ?? settingDefaults['chainside.dataApi.quoteCurrency']),
  ),
  fault: { code: 'notCurrency' },
};
const IpfsGateway: Reading<string> = {
  schema: z.string().check(z.refine((text) => text === '' || isIpfsGateway(text))),
  fault: { code: 'notGateway' },
};
const NetworkId: Reading<string> = { schema: z.string(), fault: { code: 'notNetworkId' } };

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

  function value<Id extends SettingId>(
    setting: Id,
    { schema, fault }: Reading<SettingValues[Id]>,
  ): SettingValues[Id] {
    const fallback: SettingValues[Id] = settingDefaults[setting];
    const parsed = z.safeParse(schema, read(setting) ?? fallback);
    if (parsed.success) return parsed.data;
    report(setting, fault);
    return fallback;
  }

  const resolved = resolveNetworks(read('chainside.networks'));
  for (const problem of resolved.problems) report('chainside.networks', { code: 'network', problem });
  const networkId = value('chainside.network', NetworkId);
  // Read again where they count, for each document: here for what is wrong with them.
  value('chainside.hover.enabled', Enabled);
  value('chainside.codeLens.enabled', Enabled);
  return {
    settings: {
      network: findNetwork(resolved.networks, networkId, report),
      networks: resolved.networks,
      quoteCurrency: value('chainside.dataApi.quoteCurrency', Currency),
      keyIn: value('chainside.dataApi.keyIn', KeyInField),
      loadAllLimit: value('chainside.logs.loadAllLimit', LoadAllLimit),
      ipfsGateway: gatewayOf(value('chainside.nft.ipfsGateway', IpfsGateway)),
      pollSeconds: value('chainside.poll.seconds', PollSeconds),
      statusBarEnabled: value('chainside.statusBar.enabled', Enabled),
    },
    problems,
  };
}

function isIpfsGateway(text: string): boolean {
  try {
    return requireIpfsGateway(text) !== '';
  } catch {
    return false;
  }
}

function gatewayOf(text: string): string | undefined {
  return text === '' ? undefined : requireIpfsGateway(text);
}

function numberWithin(range: { readonly minimum: number; readonly maximum: number }): Reading<number> {
  const { minimum, maximum } = range;
  return {
    schema: z.number().check(z.minimum(minimum), z.maximum(maximum)),
    fault: { code: 'notNumber', minimum, maximum },
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
  const fallback = find(settingDefaults['chainside.network']);
  if (!fallback) throw new Error('The default network is not built in.');
  return fallback;
}
