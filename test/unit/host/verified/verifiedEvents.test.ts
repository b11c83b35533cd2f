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
} from '../../../../src/core/index.ts';
import { createConsent } from '../../../../src/host/verified/consent.ts';
import {
  createVerifiedEvents,
  createVerifiedProviders,
} from '../../../../src/host/verified/verifiedContracts.ts';
import { l10n } from '../../../support/english.ts';
import { type ScriptedAnswer, scriptedFetch } from '../../../support/scriptedFetch.ts';
import { createTestClock } from '../../../support/testClock.ts';

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
function setUp(
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
  const window = { isTrusted: true, words: [] as string[], changes: 0 };
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
    session: { verifiedOf: async (of) => ({ state: 'ready', source: await explorerOf(of) }) },
    settings: { current: current as never },
    ...{ http, consent, kept },
  });
  async function explorerOf({ rpcUrl, chainId }: Network) {
    const { providers } = await import('../../../../src/core/index.ts');
    const kind = providers.find(({ name }) => name === 'blockscout') ?? assert.fail();
    const options = { ...http, url: rpcUrl, chainId, key: undefined, revoked: new AbortController().signal };
    const { verified } = await kind.open({ ...options, rateLimit: kind.createRateLimit(http) });
    return verified ?? assert.fail();
  }
  const events = createVerifiedEvents({
    ...{ sources, consent, beside: mergeLookups(), kept, log: { debug: () => undefined } },
    onDidChange: () => window.changes++,
  });
  const trust = (at: Address = address) =>
    events.lookup.events(paid, { address: at, chainId: 5 })[0]?.origin.trust;
  return { events, current, window, hosts, trust, kept: () => text };
}

const missing = () => Response.json({ message: 'Not found' }, { status: 404 });

describe('Logs in sight', () => {
  it('are decoded by the explorer of their network, without a question and without third parties', async () => {
    const explorer = () => ({ is_verified: true, is_fully_verified: true, name: 'Shop', abi });
    const { events, window, hosts, trust } = setUp({ 'explorer.example': explorer });
    await events.want([log], network);
    assert.equal(trust(), 'verified');
    assert.deepEqual([new Set(hosts), window.words, window.changes], [new Set(['explorer.example']), [], 1]);
    await events.want([log], network);
    assert.equal(hosts.length, 1);
  });

  it('lead to no question while an answer is on its way that may explain them', async () => {
    const explorer = () => ({ is_verified: true, is_fully_verified: true, name: 'Shop', abi });
    const { events, window, trust } = setUp({ 'explorer.example': explorer });
    await Promise.all([events.want([log], network), events.want([log], network)]);
    assert.deepEqual([trust(), window.words], ['verified', []]);
  });

  it('lead to a question for each host, once, that says what would be told to whom', async () => {
    const { events, window, hosts } = setUp({});
    await events.want([log], network);
    await events.want([log], network);
    assert.equal(window.words.length, 2);
    assert.match(window.words[0] ?? '', /sourcify\.example.*chain and the addresses.*0xaB/i);
    assert.match(window.words[1] ?? '', new RegExp(`names\\.example.*topic0.*${paid}`));
    assert.ok(!hosts.includes('sourcify.example') && !hosts.includes('names.example'));
  });

  it('are decoded by whom the user allows, and by nobody else', async () => {
    const answers = { 'sourcify.example': () => minimal };
    const { events, current, hosts, trust, kept } = setUp(answers, (words) =>
      words.includes('sourcify') ? 'Allow' : 'Never',
    );
    await events.want([log], network);
    assert.deepEqual([current.sourcifyConsent, current.signaturesConsent], ['allow', 'never']);
    events.clear();
    await events.want([log], network);
    assert.equal(trust(), 'verified');
    assert.ok(hosts.includes('sourcify.example') && !hosts.includes('names.example'));
    assert.match(kept() ?? '', /^https:\/\/sourcify\.example 5 0xabab/);
    const before = hosts.length;
    events.clear();
    await events.want([log], network);
    assert.ok(!hosts.slice(before).includes('sourcify.example'));
  });

  it('are told to no other host than the one that the user allowed', async () => {
    const { events, current, hosts } = setUp({ 'sourcify.example': () => minimal }, () => {
      current.sourcifyUrl = 'https://other.example/server';
      return 'Allow';
    });
    await events.want([log], network);
    assert.equal(current.sourcifyConsent, 'ask');
    assert.ok(!hosts.includes('other.example') && !hosts.includes('sourcify.example'));
  });

  it('of a development chain of this machine are told to no service of verified contracts elsewhere', async () => {
    const { events, current, window, hosts } = setUp({ 'sourcify.example': () => minimal });
    const own = { ...network, chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
    await events.want([log], own);
    assert.deepEqual([window.words.length, /names\.example/.test(window.words[0] ?? '')], [1, true]);
    current.sourcifyConsent = 'allow';
    await events.want([log], { ...own, chainId: 1337 });
    assert.ok(!hosts.includes('sourcify.example'));
    // A fork has the id of the chain that it is of, on which the service may well know the contract.
    await events.want([log], { ...own, chainId: 5 });
    assert.ok(hosts.includes('sourcify.example'));
  });

  it('ask no third party in a workspace that is not trusted, whatever is allowed', async () => {
    const { events, current, window, hosts } = setUp({ 'sourcify.example': () => minimal }, () => 'Allow');
    Object.assign(current, { sourcifyConsent: 'allow', signaturesConsent: 'ask' });
    window.isTrusted = false;
    await events.want([log], network);
    assert.deepEqual([new Set(hosts), window.words], [new Set(['explorer.example']), []]);
  });

  it('ask nobody where all is turned off', async () => {
    const { events, current, window, hosts } = setUp({});
    Object.assign(current, { explorerSource: false, sourcifyConsent: 'never', signaturesConsent: 'never' });
    await events.want([log], network);
    assert.deepEqual([hosts, window.words], [[], []]);
  });

  it('have code behind a proxy that is kept as soon as it is found', async () => {
    const { events, current, kept } = setUp({ 'sourcify.example': () => minimal });
    Object.assign(current, { sourcifyConsent: 'allow' });
    assert.equal(await events.wantCode(new Set([address]), network), true);
    assert.match(kept() ?? '', new RegExp(address, 'i'));
  });

  it('are decoded by names where nothing else knows them, each asked for once', async () => {
    const names = () => ({
      ok: true,
      result: { event: { [paid]: [{ name: 'Paid(uint256)', hasVerifiedContract: true }] }, function: {} },
    });
    const { events, current, hosts, trust } = setUp({ 'names.example': names });
    Object.assign(current, { sourcifyConsent: 'never', signaturesConsent: 'allow' });
    await events.want([log], network);
    await events.want([log], network);
    assert.equal(trust(), 'signatures');
    assert.equal(hosts.filter((host) => host === 'names.example').length, 1);
  });

  it('stay as they are where servers fail, and send nothing once it is over', async () => {
    const { events, trust, hosts } = setUp({
      'explorer.example': () => new Response('<html>', { status: 400 }),
    });
    await events.want([log], network);
    assert.equal(trust(), undefined);
    events.dispose();
    const before = hosts.length;
    await events.want([log], network);
    assert.equal(hosts.length, before);
  });

  it('are told to nobody any further once all is forgotten, as when somebody may not be asked any more', async () => {
    const asked: string[] = [];
    const found = setUp({
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
    await found.events.want(logs, network);
    assert.ok(asked.length <= 4, `${asked.length} were told.`);
  });

  it('tell chains on which an address is verified, of whom may be asked', async () => {
    const results = [
      { ...minimal, chainId: '1' },
      { ...minimal, chainId: '5' },
    ];
    const { events, current, hosts } = setUp({ 'sourcify.example': () => ({ results }) });
    assert.deepEqual(await events.verifiedOn(address, network), []);
    assert.deepEqual(hosts, []);
    current.sourcifyConsent = 'allow';
    assert.deepEqual(await events.verifiedOn(address, network), [1]);
  });
});
