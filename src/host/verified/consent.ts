import { isLoopbackUrl, type Network } from '../../core/index.ts';
import type { Localizer } from '../l10n.ts';
import type { ConsentSetting, SettingsService } from '../settings/settings.ts';
import type { showMessage } from '../ui/dialogs.ts';

/** A service that has nothing to do with the network. */
export type ThirdParty = 'sourcify' | 'signatures';

const consentSettings: Readonly<Record<ThirdParty, ConsentSetting>> = {
  sourcify: 'chainside.sources.sourcify',
  signatures: 'chainside.sources.signatures',
};

/** Whether third parties may be asked: as the user has said, nobody in a workspace that is not trusted. */
export interface ThirdPartyConsent {
  /** Where it may be asked; undefined where it may not. */
  urlOf(service: ThirdParty): string | undefined;
  /**
   * Has the user choose, if they have not: once for each service and host as long as the window is open. The answer goes into their
   * settings.
   *
   * @param example an address or a hash that would be told.
   * @param network whose logs they are.
   */
  ask(service: ThirdParty, example: string, network: Network): Promise<void>;
  /**
   * Has the user choose, if they have not, where they want the source of one contract: each time that they do. Resolves
   * to whether Sourcify may be asked from now on.
   */
  askForSource(contract: string, network: Network): Promise<boolean>;
}

export function createConsent(deps: {
  readonly settings: Pick<SettingsService, 'current' | 'saveConsent'>;
  /** Of the workspace. */
  readonly isTrusted: () => boolean;
  readonly showMessage: typeof showMessage;
  readonly l10n: Localizer;
}): ThirdPartyConsent {
  const { settings, isTrusted, l10n } = deps;
  const asked = new Set<string>();
  const onceFor = (service: ThirdParty, url: string) => `${service} ${new URL(url).host}`;
  let open: Promise<void> | undefined;

  const stateOf = (service: ThirdParty) => {
    const { sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl } = settings.current;
    return service === 'sourcify'
      ? { consent: sourcifyConsent, url: sourcifyUrl }
      : { consent: signaturesConsent, url: signaturesUrl };
  };

  async function choose(service: ThirdParty, url: string, words: string): Promise<void> {
    const allow = l10n.t('Allow');
    const never = l10n.t('Never');
    const chosen = await deps.showMessage('information', words, allow, never);
    // The server of another address is not the one that the user read of.
    if (chosen === undefined || stateOf(service).url !== url) return;
    await settings.saveConsent(consentSettings[service], chosen === allow ? 'allow' : 'never');
  }

  return {
    urlOf(service) {
      const { consent, url } = stateOf(service);
      return consent === 'allow' && isTrusted() ? url : undefined;
    },
    async ask(service, example, network) {
      const { consent, url } = stateOf(service);
      const { host } = new URL(url);
      const once = onceFor(service, url);
      // Names of events are the same on every chain.
      if (service === 'sourcify' && isUnknownToService(url, network)) return;
      if (consent !== 'ask' || !isTrusted() || asked.has(once) || open) return;
      asked.add(once);
      open = choose(service, url, createConsentMessage({ service, host, example }, l10n)).finally(() => {
        open = undefined;
      });
      await open;
    },
    async askForSource(contract, network) {
      const { consent, url } = stateOf('sourcify');
      if (consent !== 'ask' || !isTrusted() || isUnknownToService(url, network)) return false;
      asked.add(onceFor('sourcify', url));
      const words = l10n.t(
        '{0} may have the source of {1}. It would be told the chain and this address, and from now on the addresses of contracts whose logs you look at.',
        new URL(url).host,
        contract,
      );
      await choose('sourcify', url, words);
      return stateOf('sourcify').consent === 'allow';
    },
  };
}

function createConsentMessage(
  {
    service,
    host,
    example,
  }: { readonly service: ThirdParty; readonly host: string; readonly example: string },
  l10n: Localizer,
): string {
  if (service === 'sourcify') {
    return l10n.t(
      'Logs that nothing here explains may be decoded by verified contracts of {0}. It would be told the chain and the addresses of contracts whose logs you look at, such as {1}.',
      host,
      example,
    );
  }
  return l10n.t(
    'Events that nothing here knows may have a name at {0}. It would be told the topic0 of events that you look at, such as {1}.',
    host,
    example,
  );
}

/** Chain ids that development nodes have by default. */
const developmentChains: readonly number[] = [1337, 31337];

/** Whether a service elsewhere cannot know of a network: it is a development chain of this machine. */
export function isUnknownToService(
  serviceUrl: string,
  { chainId, rpcUrl }: Pick<Network, 'chainId' | 'rpcUrl'>,
): boolean {
  return developmentChains.includes(chainId) && isLoopbackUrl(rpcUrl) && !isLoopbackUrl(serviceUrl);
}
