import * as z from 'zod/mini';
import {
  type Network,
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

/** A setting that is not used as it was written, and why. */
export interface SettingProblem {
  readonly setting: SettingId;
  /** Follows the setting's name: "chainside.poll.seconds must be a number". */
  readonly message: string;
}

const PollSeconds = numberWithin(pollSecondsRange);
const LoadAllLimit = numberWithin(loadAllLimitRange);
const KeyInField = z.enum(['auto', 'header', 'query'], 'must be "auto", "header" or "query"');
const Enabled = z.boolean('must be true or false');
const Currency = z.pipe(
  z.custom<string>(
    (text) => parseQuoteCurrency(text) !== undefined,
    'must be one of the currency codes offered',
  ),
  z.transform((text) => parseQuoteCurrency(text) ?? settingDefaults['chainside.dataApi.quoteCurrency']),
);
const IpfsGateway = z
  .string('must be an https address')
  .check(
    z.refine((text) => text === '' || isIpfsGateway(text), 'must be an https address with a public name'),
  );
const NetworkId = z.string('must be the id of a network');

/**
 * Every setting out of `read`, which gives what a person or a tool wrote, of any shape. One that cannot be used
 * falls back to its default by itself and is told as a problem.
 */
export function parseSettings(read: (setting: SettingId) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const report = (setting: SettingId, message: string) => problems.push({ setting, message });

  function value<T>(setting: SettingId, schema: z.ZodMiniType<T>, fallback: T): T {
    const parsed = z.safeParse(schema, read(setting) ?? fallback);
    if (parsed.success) return parsed.data;
    report(setting, parsed.error.issues[0]?.message ?? 'is not usable');
    return fallback;
  }

  const resolved = resolveNetworks(read('chainside.networks'));
  for (const { networkId, field, message } of resolved.problems) {
    const path = [networkId, field].filter(Boolean).join('.');
    report('chainside.networks', path === '' ? message : `(${path}) ${message}`);
  }
  const defaults = settingDefaults;
  const networkId = value('chainside.network', NetworkId, defaults['chainside.network']);
  return {
    settings: {
      network: findNetwork(resolved.networks, networkId, report),
      networks: resolved.networks,
      quoteCurrency: value(
        'chainside.dataApi.quoteCurrency',
        Currency,
        defaults['chainside.dataApi.quoteCurrency'],
      ),
      keyIn: value('chainside.dataApi.keyIn', KeyInField, defaults['chainside.dataApi.keyIn']),
      loadAllLimit: value(
        'chainside.logs.loadAllLimit',
        LoadAllLimit,
        defaults['chainside.logs.loadAllLimit'],
      ),
      ipfsGateway: gatewayOf(
        value('chainside.nft.ipfsGateway', IpfsGateway, defaults['chainside.nft.ipfsGateway']),
      ),
      pollSeconds: value('chainside.poll.seconds', PollSeconds, defaults['chainside.poll.seconds']),
      statusBarEnabled: value(
        'chainside.statusBar.enabled',
        Enabled,
        defaults['chainside.statusBar.enabled'],
      ),
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

function numberWithin({ minimum, maximum }: { readonly minimum: number; readonly maximum: number }) {
  const range = `must be a number from ${minimum} to ${maximum}`;
  return z.number(range).check(z.minimum(minimum, range), z.maximum(maximum, range));
}

function findNetwork(
  networks: readonly Network[],
  id: string,
  report: (setting: SettingId, message: string) => void,
): Network {
  const find = (wanted: string) => networks.find((network) => network.id === wanted);
  const network = find(id);
  if (network) return network;
  report('chainside.network', `names a network that is not defined: ${plainText(id)}`);
  const fallback = find(settingDefaults['chainside.network']);
  if (!fallback) throw new Error('The default network is not built in.');
  return fallback;
}
