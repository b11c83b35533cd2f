import assert from 'node:assert/strict';
import { toEventSelector } from 'viem';
import {
  type Address,
  createTimeSlices,
  createVerifiedContractStore,
  type Log,
  mergeLookups,
  type Network,
  systemClock,
  type VerifiedContract,
} from '../../../../src/core/index.ts';
import type { Session } from '../../../../src/host/session/session.ts';
import { createConsent } from '../../../../src/host/verified/consent.ts';
import {
  createCreationCache,
  createVerifiedEvents,
  createVerifiedProviders,
} from '../../../../src/host/verified/verifiedContracts.ts';
import { createTestClock } from '../../../support/clocks.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/fakeFetch.ts';
import { l10n } from '../../../support/stubs.ts';

const at = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`;
const explorerNetwork: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18, rpcUrl: 'https://e.example' },
};

/** Of which somebody tells. */
let chains: number[];
beforeEach(() => {
  chains = [5];
});

function createCreationsOf(
  identity: (address: Address) => Promise<unknown>,
  verified?: Partial<VerifiedContract>,
) {
  const asked: Address[] = [];
  const creations = createCreationCache({
    contractAt: () => verified as VerifiedContract | undefined,
    identityOf: async ({ chainId }) =>
      chains.includes(chainId)
        ? {
            identity: (address) => {
              asked.push(address);
              return identity(address) as never;
            },
          }
        : undefined,
  });
  return { creations, asked };
}

describe('The creation of contracts', () => {
  it('is asked for once, and is of one chain', async () => {
    const { creations, asked } = createCreationsOf(async () => ({ created: { block: 7n } }));
    assert.equal(creations.at(at(1), explorerNetwork), undefined);
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), true);
    assert.deepEqual(creations.at(at(1), explorerNetwork), {
      block: 7n,
      contract: undefined,
      transaction: undefined,
    });
    assert.equal(creations.at(at(1), { ...explorerNetwork, chainId: 6 }), undefined);
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), false);
    assert.equal(await creations.prefetch([at(1)], { ...explorerNetwork, chainId: 6 }), false);
    assert.deepEqual(asked, [at(1)]);
  });

  it('is that of who verified the contract, where that is known', async () => {
    const { creations, asked } = createCreationsOf(async () => undefined, {
      created: { block: 9n },
      name: 'Shop',
    });
    await creations.prefetch([at(1)], explorerNetwork);
    assert.deepEqual(
      [creations.at(at(1), explorerNetwork), asked],
      [{ block: 9n, contract: 'Shop', transaction: undefined }, []],
    );
  });

  it('stays unknown where nobody tells, and is asked for again after a failure', async () => {
    let fails = true;
    const { creations, asked } = createCreationsOf(async () => {
      if (fails) throw new Error('no');
      return { kind: 'contract', created: undefined };
    });
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), false);
    fails = false;
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), true);
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), false);
    assert.equal(asked.length, 3);
    assert.equal(creations.at(at(1), explorerNetwork), undefined);
  });

  it('is asked for again where it was only not told, as by a server at its limit', async () => {
    let created: { block: bigint | undefined } | undefined = { block: undefined };
    const { creations } = createCreationsOf(async () => ({ kind: 'contract', created }));
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), true);
    created = { block: 7n };
    assert.equal(await creations.prefetch([at(1)], explorerNetwork), true);
    assert.deepEqual(creations.at(at(1), explorerNetwork), {
      block: 7n,
      contract: undefined,
      transaction: undefined,
    });
  });

  it('is told to all who want it at the same time', async () => {
    const { creations, asked } = createCreationsOf(async () => ({ created: { block: 7n } }));
    const both = [creations.prefetch([at(1)], explorerNetwork), creations.prefetch([at(1)], explorerNetwork)];
    assert.deepEqual(await Promise.all(both), [true, true]);
    assert.equal(asked.length, 1);
  });

  it('is asked for once somebody can be asked', async () => {
    const elsewhere = { ...explorerNetwork, chainId: 6 };
    const { creations, asked } = createCreationsOf(async () => ({ created: { block: 7n } }));
    await creations.prefetch([at(1)], elsewhere);
    chains.push(6);
    assert.equal(await creations.prefetch([at(1)], elsewhere), true);
    assert.equal(asked.length, 1);
  });

  it('is of one endpoint: a fork on this machine has contracts of its own', async () => {
    const fork = { ...explorerNetwork, rpcUrl: 'http://127.0.0.1:8545' };
    const { creations } = createCreationsOf(async () => ({ created: { block: 7n } }));
    await creations.prefetch([at(1)], explorerNetwork);
    assert.equal(creations.at(at(1), fork), undefined);
    assert.equal(await creations.prefetch([at(1)], fork), true);
  });
});

const address = `0x${'ab'.repeat(20)}` as const;
const paid = toEventSelector('Paid(uint256)');
const abi = [{ type: 'event', name: 'Paid', inputs: [{ name: 'amount', type: 'uint256' }] }];
const log = { address, topics: [paid], data: `0x${'1'.padStart(64, '0')}` } as unknown as Log;
const network: Network = {
  ...{ id: 'n', name: 'N', chainId: 5, symbol: 'ETH', decimals: 18 },
  rpcUrl: 'https://explorer.example/api/eth-rpc',
};
const minimal = { match: 'exact_match', chainId: '5', matchId: '1', address, abi };

type Press = 'Allow' | 'Never' | undefined;

/** A window in which somebody looks at logs, and presses what `press` says. */
function createEventsOf(
  answers: Readonly<Record<string, () => ScriptedAnswer>>,
  press: (words: string) => Press = () => undefined,
) {
  const hosts: string[] = [];
  const { fetch } = scriptedFetch((_, url) => {
    hosts.push(url.hostname);
    return (answers[url.hostname] ?? missing)();
  });
  const clock = createTestClock();
  const http = { clock, fetch };
  const current = {
    ...{ explorerSource: true, sourcifyConsent: 'ask', signaturesConsent: 'ask' },
    ...{ sourcifyUrl: 'https://sourcify.example/server', signaturesUrl: 'https://names.example' },
  };
  const window = { isTrusted: true, words: [] as string[], changes: 0, keyOffers: 0 };
  const etherscan = { state: 'notServed' as 'ready' | 'noKey' | 'notServed', asked: [] as Address[] };
  const consent = createConsent({
    settings: {
      current: current as never,
      saveConsent: async (setting, chosen) => {
        Object.assign(current, { [`${setting.split('.')[2]}Consent`]: chosen });
      },
    },
    isTrusted: () => window.isTrusted,
    showMessage: async (_, words) => {
      window.words.push(words);
      return press(words);
    },
    l10n,
  });
  let text: string | undefined;
  const slices = createTimeSlices(systemClock);
  const kept = createVerifiedContractStore({
    text: {
      load: async () => text,
      save: async (saved) => {
        text = saved;
      },
    },
    slices,
  });
  const sources = createVerifiedProviders({
    session: {
      async provider(_port: string, { network, name }: { readonly network: Network; readonly name: string }) {
        if (name === 'etherscan') return { state: etherscan.state, provider: etherscanProvider };
        return { state: 'ready', provider: await explorerOf(network) };
      },
    } as unknown as Pick<Session, 'provider'>,
    settings: { current: current as never },
    ...{ http, consent, store: kept },
  });
  async function explorerOf({ rpcUrl, chainId }: Network) {
    const { providers } = await import('../../../../src/core/index.ts');
    const kind = providers.find(({ name }) => name === 'blockscout') ?? assert.fail();
    const options = { ...http, url: rpcUrl, chainId, key: undefined, revoked: new AbortController().signal };
    const { verified } = await kind.open({ ...options, throttle: kind.createThrottle(http) });
    return verified ?? assert.fail();
  }
  const events = createVerifiedEvents({
    ...{
      providers: sources,
      consent,
      localLookup: mergeLookups(),
      store: kept,
      log: { debug: () => undefined },
    },
    onDidChange: () => window.changes++,
    offerEtherscanKey: () => window.keyOffers++,
  });
  const etherscanProvider = {
    label: { name: 'etherscan', origin: 'https://etherscan.example', takesKey: true },
    async verifiedContract(address: Address): Promise<VerifiedContract> {
      etherscan.asked.push(address);
      const { label: source } = etherscanProvider;
      return {
        address,
        name: 'Till',
        abi: ['event Paid(uint256 amount)'],
        match: 'exact',
        source,
        readAt: 7,
      };
    },
    proxyAt: async () => undefined,
  };
  const trust = (at: Address = address) =>
    events.lookup.events(paid, { address: at, chainId: 5 })[0]?.origin.trust;
  return { events, sources, current, window, hosts, trust, etherscan, kept: () => text };
}

const explorer = () => ({ is_verified: true, is_fully_verified: true, name: 'Shop', abi });
const missing = () => Response.json({ message: 'Not found' }, { status: 404 });

describe('Logs in sight', () => {
  it('are decoded by the explorer of their network, without a question and without third parties', async () => {
    const { events, window, hosts, trust } = createEventsOf({ 'explorer.example': explorer });
    await events.prefetch([log], network);
    assert.equal(trust(), 'verified');
    assert.deepEqual([new Set(hosts), window.words, window.changes], [new Set(['explorer.example']), [], 1]);
    await events.prefetch([log], network);
    assert.equal(hosts.length, 1);
  });

  it('lead to no question while an answer is on its way that may explain them', async () => {
    const { events, window, trust } = createEventsOf({ 'explorer.example': explorer });
    await Promise.all([events.prefetch([log], network), events.prefetch([log], network)]);
    assert.deepEqual([trust(), window.words], ['verified', []]);
  });

  it('lead to a question for each host, once, that says what would be told to whom', async () => {
    const { events, window, hosts } = createEventsOf({});
    await events.prefetch([log], network);
    await events.prefetch([log], network);
    assert.equal(window.words.length, 2);
    assert.match(window.words[0] ?? '', /sourcify\.example.*chain and the addresses.*0xaB/i);
    assert.match(window.words[1] ?? '', new RegExp(`names\\.example.*topic0.*${paid}`));
    assert.ok(!hosts.includes('sourcify.example') && !hosts.includes('names.example'));
  });

  it('name unknown selectors by whom the user allows, once each, and ask on request alone', async () => {
    const answers = {
      'names.example': () => ({
        ok: true,
        result: { event: {}, function: { '0xa9059cbb': [{ name: 'transfer(address,uint256)' }] } },
      }),
    };
    const { events, window, hosts, current } = createEventsOf(answers, () => 'Allow');
    const prefetch = (mayAsk: boolean) => events.prefetchSelectors(['0xa9059cbb'], network, { mayAsk });
    assert.equal(await prefetch(false), false);
    assert.deepEqual([window.words, hosts], [[], []]);
    assert.equal(await prefetch(true), false);
    assert.match(window.words[0] ?? '', /names\.example.*functions and errors.*selector.*0xa9059cbb/);
    await Promise.resolve();
    assert.equal(current.signaturesConsent, 'allow');
    assert.equal(await prefetch(false), true);
    assert.deepEqual(
      events.lookup.functions('0xa9059cbb').map(({ item, origin }) => [item.signature, origin.trust]),
      [['transfer(address,uint256)', 'signatures']],
    );
    assert.equal(events.signatures.errors('0xa9059cbb')[0]?.item.kind, 'error');
    assert.equal(await prefetch(true), false);
    assert.deepEqual(hosts, ['names.example']);
  });

  it('are decoded by whom the user allows, and by nobody else', async () => {
    const answers = { 'sourcify.example': () => minimal };
    const { events, current, hosts, trust, kept } = createEventsOf(answers, (words) =>
      words.includes('sourcify') ? 'Allow' : 'Never',
    );
    await events.prefetch([log], network);
    assert.deepEqual([current.sourcifyConsent, current.signaturesConsent], ['allow', 'never']);
    events.clear();
    await events.prefetch([log], network);
    assert.equal(trust(), 'verified');
    assert.ok(hosts.includes('sourcify.example') && !hosts.includes('names.example'));
    assert.match(kept() ?? '', /^https:\/\/sourcify\.example 5 0xabab/);
    const before = hosts.length;
    events.clear();
    await events.prefetch([log], network);
    assert.ok(!hosts.slice(before).includes('sourcify.example'));
  });

  it('are told to no other host than the one that the user allowed', async () => {
    const { events, current, hosts } = createEventsOf({ 'sourcify.example': () => minimal }, () => {
      current.sourcifyUrl = 'https://other.example/server';
      return 'Allow';
    });
    await events.prefetch([log], network);
    assert.equal(current.sourcifyConsent, 'ask');
    assert.ok(!hosts.includes('other.example') && !hosts.includes('sourcify.example'));
  });

  it('of a development chain of this machine are told to no service of verified contracts elsewhere', async () => {
    const { events, current, window, hosts } = createEventsOf({ 'sourcify.example': () => minimal });
    const own = { ...network, chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    await events.prefetch([log], own);
    assert.deepEqual([window.words.length, /names\.example/.test(window.words[0] ?? '')], [1, true]);
    current.sourcifyConsent = 'allow';
    await events.prefetch([log], { ...own, chainId: 1337 });
    assert.ok(!hosts.includes('sourcify.example'));
    // A fork has the id of the chain that it is of, on which the service may well know the contract.
    await events.prefetch([log], { ...own, chainId: 5 });
    assert.ok(hosts.includes('sourcify.example'));
  });

  it('of a development chain of this machine have no verified source but that of an explorer there', async () => {
    const { sources, current } = createEventsOf({});
    const own = { ...network, chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    assert.equal(await sources.mayKnow(own), true);
    current.explorerSource = false;
    const known = () => Promise.all([own, { ...own, chainId: 5 }, network].map(sources.mayKnow));
    assert.deepEqual(await known(), [false, true, true]);
    current.sourcifyUrl = 'http://127.0.0.1:5555';
    assert.deepEqual(await known(), [true, true, true]);
  });

  it('ask no third party in a workspace that is not trusted, whatever is allowed', async () => {
    const { events, current, window, hosts } = createEventsOf(
      { 'sourcify.example': () => minimal },
      () => 'Allow',
    );
    Object.assign(current, { sourcifyConsent: 'allow', signaturesConsent: 'ask' });
    window.isTrusted = false;
    await events.prefetch([log], network);
    assert.deepEqual([new Set(hosts), window.words], [new Set(['explorer.example']), []]);
  });

  it('are decoded by Etherscan where no other provider has the contract, once its key is stored', async () => {
    const { events, etherscan, window, trust } = createEventsOf({});
    etherscan.state = 'ready';
    await events.prefetch([log], network);
    assert.deepEqual([trust(), etherscan.asked, window.words], ['verified', [address], []]);
    const own = { ...network, chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    await events.prefetch([log], own);
    assert.equal(etherscan.asked.length, 1);
  });

  it('leave Etherscan alone where the explorer or Sourcify has the contract', async () => {
    for (const [host, answer] of Object.entries({
      'explorer.example': explorer,
      'sourcify.example': () => minimal,
    })) {
      const { events, etherscan, trust, current } = createEventsOf({
        [host]: answer as () => ScriptedAnswer,
      });
      current.sourcifyConsent = 'allow';
      etherscan.state = 'ready';
      await events.prefetch([log], network);
      assert.deepEqual([trust(), etherscan.asked], ['verified', []], host);
    }
  });

  it('lead to the offer of a key of Etherscan, once, after the user has decided about Sourcify', async () => {
    const { events, etherscan, window, current } = createEventsOf({});
    etherscan.state = 'noKey';
    await events.prefetch([log], network);
    assert.equal(window.keyOffers, 0);
    Object.assign(current, { sourcifyConsent: 'never', signaturesConsent: 'never' });
    await events.prefetch([log], { ...network, chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' });
    assert.equal(window.keyOffers, 0);
    await events.prefetch([log], network);
    await events.prefetch([log], network);
    assert.equal(window.keyOffers, 1);
  });

  it('lead to no such offer where Etherscan is turned off, or they are explained', async () => {
    const off = createEventsOf({});
    off.current.sourcifyConsent = 'never';
    await off.events.prefetch([log], network);
    const explained = createEventsOf({ 'explorer.example': explorer });
    Object.assign(explained.current, { sourcifyConsent: 'never' });
    explained.etherscan.state = 'noKey';
    await explained.events.prefetch([log], network);
    assert.deepEqual([off.window.keyOffers, explained.window.keyOffers], [0, 0]);
  });

  it('ask nobody where all is turned off', async () => {
    const { events, current, window, hosts } = createEventsOf({});
    Object.assign(current, { explorerSource: false, sourcifyConsent: 'never', signaturesConsent: 'never' });
    await events.prefetch([log], network);
    assert.deepEqual([hosts, window.words], [[], []]);
  });

  it('have code behind a proxy that is kept as soon as it is found', async () => {
    const { events, current, kept } = createEventsOf({ 'sourcify.example': () => minimal });
    Object.assign(current, { sourcifyConsent: 'allow' });
    assert.equal(await events.prefetchAbis(new Set([address]), network), true);
    assert.match(kept() ?? '', new RegExp(address, 'i'));
  });

  it('are decoded by names where nothing else knows them, each asked for once', async () => {
    const names = () => ({
      ok: true,
      result: { event: { [paid]: [{ name: 'Paid(uint256)', hasVerifiedContract: true }] }, function: {} },
    });
    const { events, current, hosts, trust } = createEventsOf({ 'names.example': names });
    Object.assign(current, { sourcifyConsent: 'never', signaturesConsent: 'allow' });
    await events.prefetch([log], network);
    await events.prefetch([log], network);
    assert.equal(trust(), 'signatures');
    assert.equal(hosts.filter((host) => host === 'names.example').length, 1);
  });

  it('stay as they are where servers fail, and send nothing once it is over', async () => {
    const { events, trust, hosts } = createEventsOf({
      'explorer.example': () => new Response('<html>', { status: 400 }),
    });
    await events.prefetch([log], network);
    assert.equal(trust(), undefined);
    events.dispose();
    const before = hosts.length;
    await events.prefetch([log], network);
    assert.equal(hosts.length, before);
  });

  it('are told to nobody any further once all is forgotten, as when somebody may not be asked any more', async () => {
    const asked: string[] = [];
    const found = createEventsOf({
      'sourcify.example': () => {
        asked.push('asked');
        found.current.sourcifyConsent = 'never';
        found.events.clear();
        return missing();
      },
    });
    Object.assign(found.current, {
      ...{ explorerSource: false, sourcifyConsent: 'allow', signaturesConsent: 'never' },
    });
    const logs = Array.from(
      { length: 40 },
      (_, n) => ({ ...log, address: `0x${(n + 1).toString(16).padStart(40, '0')}` }) as Log,
    );
    await found.events.prefetch(logs, network);
    assert.ok(asked.length <= 4, `${asked.length} were told.`);
  });

  it('tell chains on which an address is verified, of whom may be asked', async () => {
    const results = [
      { ...minimal, chainId: '1' },
      { ...minimal, chainId: '5' },
    ];
    const { events, current, hosts } = createEventsOf({ 'sourcify.example': () => ({ results }) });
    assert.deepEqual(await events.verifiedOn(address, network), []);
    assert.deepEqual(hosts, []);
    current.sourcifyConsent = 'allow';
    assert.deepEqual(await events.verifiedOn(address, network), [1]);
  });
});
