import { isDevelopmentChain, isLoopbackUrl, type Network } from '../../core/index.ts';
import type { Localizer } from '../l10n.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { ConsentSetting } from '../settings/settingTable.ts';
import type { showMessage } from '../ui/dialogs.ts';

/** Whether third parties may receive requests, by the user's settings. In an untrusted workspace, none may. */
export interface ThirdPartyConsent {
  /** The URL of the service; undefined unless it is allowed. */
  urlOf(service: ThirdParty): string | undefined;
  /**
   * Lets the user decide about a service, unless they have: once per service and host while the window is open.
   * Stores the decision in their settings.
   *
   * @param example an address or a hash that the service would receive.
   * @param network the network of the logs.
   */
  requestConsent(service: ThirdParty, example: string, network: Network): Promise<void>;
  /**
   * Lets the user decide about Sourcify, unless they have, each time that they request the source of one contract.
   * Resolves to whether it is allowed now.
   */
  requestSourceConsent(contract: string, network: Network): Promise<boolean>;
}

/** A service that is independent of the network. */
export type ThirdParty = 'sourcify' | 'signatures';

export function createConsent(deps: {
  readonly settings: Pick<SettingsService, 'current' | 'saveConsent'>;
  readonly isTrusted: () => boolean;
  readonly showMessage: typeof showMessage;
  readonly l10n: Localizer;
}): ThirdPartyConsent {
  const { settings, isTrusted, l10n } = deps;
  const prompted = new Set<string>();
  const promptKeyOf = (service: ThirdParty, url: string) => `${service} ${new URL(url).host}`;
  let openPrompt: Promise<void> | undefined;

  const settingsOf = (service: ThirdParty) => {
    const { sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl } = settings.current;
    return service === 'sourcify'
      ? { consent: sourcifyConsent, url: sourcifyUrl }
      : { consent: signaturesConsent, url: signaturesUrl };
  };

  async function choose(service: ThirdParty, url: string, message: string): Promise<void> {
    const allow = l10n.t('Allow');
    const never = l10n.t('Never');
    const chosen = await deps.showMessage('information', message, allow, never);
    // The message named another server.
    if (chosen === undefined || settingsOf(service).url !== url) return;
    await settings.saveConsent(consentSettings[service], chosen === allow ? 'allow' : 'never');
  }

  return {
    urlOf(service) {
      const { consent, url } = settingsOf(service);
      return consent === 'allow' && isTrusted() ? url : undefined;
    },
    async requestConsent(service, example, network) {
      const { consent, url } = settingsOf(service);
      const { host } = new URL(url);
      const promptKey = promptKeyOf(service, url);
      // Event names are the same on every chain.
      if (service === 'sourcify' && isUnknownToService(url, network)) return;
      if (consent !== 'ask' || !isTrusted() || prompted.has(promptKey) || openPrompt) return;
      prompted.add(promptKey);
      openPrompt = choose(service, url, createConsentMessage({ service, host, example }, l10n)).finally(
        () => {
          openPrompt = undefined;
        },
      );
      await openPrompt;
    },
    async requestSourceConsent(contract, network) {
      const { consent, url } = settingsOf('sourcify');
      if (consent !== 'ask' || !isTrusted() || isUnknownToService(url, network)) return false;
      prompted.add(promptKeyOf('sourcify', url));
      const message = l10n.t(
        'Allow requests to {0}? It may have the source of {1}. It receives the chain and this address, and later the addresses of contracts whose logs you view.',
        new URL(url).host,
        contract,
      );
      await choose('sourcify', url, message);
      return settingsOf('sourcify').consent === 'allow';
    },
  };
}

const consentSettings: Readonly<Record<ThirdParty, ConsentSetting>> = {
  sourcify: 'chainside.sources.sourcify',
  signatures: 'chainside.sources.signatures',
};

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
      'Allow requests to {0} to decode logs with verified contracts? It receives the chain and the addresses of contracts whose logs you view, such as {1}.',
      host,
      example,
    );
  }
  return l10n.t(
    'Allow requests to {0} for the names of unknown events, functions and errors? It receives their topic0 or selector when you view them, such as {1}.',
    host,
    example,
  );
}

/** Whether a remote service cannot know a network, because it is a development chain on this machine. */
export function isUnknownToService(
  serviceUrl: string,
  { chainId, rpcUrl }: Pick<Network, 'chainId' | 'rpcUrl'>,
): boolean {
  return isDevelopmentChain(chainId) && isLoopbackUrl(rpcUrl) && !isLoopbackUrl(serviceUrl);
}
