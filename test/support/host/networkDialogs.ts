import { builtInNetworks, type Network } from '../../../src/core/index.ts';
import type { addNetwork } from '../../../src/features/network/addNetwork.ts';
import { createHttp } from '../../../src/host/session/http.ts';
import type { User } from './dialogs.ts';
import { useNode } from './recordedServer.ts';

type Services = Parameters<typeof addNetwork>[0];

/** What dialogs about networks work with: settings in memory, in which `mine` is the user's own. */
export function networkDialogs(more: object = {}, http = createHttp(() => undefined)) {
  const settings = {
    networks: builtInNetworks as readonly Network[],
    /** What was done with which network. */
    done: [] as (readonly [what: string, network: Network])[],
    named: (id: string) => settings.networks.find((network) => network.id === id),
  };
  const note = (what: string) => async (network: Network) => {
    settings.done.push([what, network]);
    if (what === 'select') return;
    const others = settings.networks.filter(({ id }) => id !== network.id);
    settings.networks = what === 'save' ? [...others, network] : others;
  };
  const deps = {
    ...{ http, keys: { get: async () => undefined }, secrets: { get: async () => undefined } },
    session: {
      ...{ isChosen: true, network: settings.networks[0], choose: async () => true },
      ...{ httpFor: () => http, canUseEtherscan: async () => false },
    },
    settings: {
      get current() {
        return { networks: settings.networks };
      },
      ...{ writtenIds: ['mine'], invalidSettings: [], getApprovedChain: async () => undefined },
      ...{ saveNetwork: note('save'), removeNetwork: note('remove'), selectNetwork: note('select') },
      ...{
        isSendingAllowed: async () => true,
        allowSending: async () => undefined,
        selectEndpoint: note('select'),
      },
    },
    ...more,
  } as never as Services;
  return { settings, deps };
}

/** A node of chain 1337 at block 7, for the tests of a suite. */
export function useNodeOf1337() {
  const results = new Map([
    ['eth_chainId', '0x539'],
    ['web3_clientVersion', 'Testnode/v1.2.3'],
  ]);
  return useNode(({ method }) => results.get(method) ?? '0x7');
}

/** Has the first of these labels that is offered chosen, each time. */
export function chooseFirstOf(words: Pick<User, 'choose'>, wanted: readonly string[]): void {
  words.choose = (labels) => labels.indexOf(wanted.find((each) => labels.includes(each)) ?? '');
}
