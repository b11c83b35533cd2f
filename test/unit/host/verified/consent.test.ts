import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import { type SignatureServer, startSignatures } from '../../../../localnet/signatures/server.ts';
import { type SourcifyServer, startSourcify } from '../../../../localnet/sourcify/server.ts';
import { type Address, createChainClient, type Log, systemClock } from '../../../../src/core/index.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';
import { type AddressView, createAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { type OpenedDecoding, openDecoding } from '../../../support/host/openPanel.ts';
import {
  selectNetwork,
  useNetworks,
  useSettings,
  waitUntil,
  writeSettings,
} from '../../../support/host/settings.ts';
import { verifiedOf } from '../../../support/verifiedOf.ts';

const CHAIN = 7_700_077;
const DOCKS: Address = `0x${'d0'.repeat(20)}`;
const OTHER: Address = `0x${'d1'.repeat(20)}`;
const event = eventOf('event Moored(address indexed ship, uint256 berth)');
const abi = [
  {
    ...{ type: 'event', name: 'Moored', anonymous: false },
    inputs: [
      { name: 'ship', type: 'address', indexed: true },
      { name: 'berth', type: 'uint256', indexed: false },
    ],
  },
];
const mooredAt = (address: Address): Log => logOfEvent(event, [OTHER, 5n], { address });
const settingIds = {
  sourcify: 'chainside.sources.sourcify',
  signatures: 'chainside.sources.signatures',
  sourcifyUrl: 'chainside.sources.sourcifyUrl',
  signaturesUrl: 'chainside.sources.signaturesUrl',
} as const;

describe('services that have nothing to do with the network', () => {
  let sourcify: SourcifyServer;
  let signatures: SignatureServer;
  let view: AddressView;
  let opened: OpenedDecoding;
  const person = useDialogs();

  before(async () => {
    const registry = verifiedOf({ chainId: CHAIN, address: DOCKS, name: 'Docks', abi });
    sourcify = await startSourcify({ registry, chainId: CHAIN, ask: async () => '0x0' });
    signatures = await startSignatures({ registry });
  });
  after(() => Promise.all([sourcify, signatures].map((server) => server.stop())));
  useNetworks(() => ({ docks: { name: 'Docks', chainId: CHAIN, rpcUrl: 'http://127.0.0.1:1' } }));
  useSettings(() => ({
    ...{ [settingIds.sourcify]: undefined, [settingIds.signatures]: undefined },
    ...{ [settingIds.sourcifyUrl]: sourcify.url, [settingIds.signaturesUrl]: signatures.url },
  }));

  beforeEach(async () => {
    await selectNetwork('docks');
    view = createAddressView();
    opened = await openDecoding(view);
    for (const server of [sourcify, signatures]) server.forgetRequests();
  });
  afterEach(async () => {
    await opened.dispose();
    view.dispose();
  });

  const written = (id: keyof typeof settingIds): unknown =>
    workspace.getConfiguration().inspect(settingIds[id])?.globalValue;
  function see(...logs: readonly Log[]): void {
    const { network } = view.session;
    const client = createChainClient({ url: network.rpcUrl, fetch, clock: systemClock });
    opened.meaning.prefetchEvents(logs, { network, client });
  }
  const decoded = (address: Address) =>
    opened.meaning.decoder(view.session.network).decode(mooredAt(address));

  it('are asked where the user allows it, which their settings keep, and never where they say so', async () => {
    let changes = 0;
    opened.meaning.onDidChange((change) => {
      if (change === 'events') changes++;
    });
    person.presses = ['Allow', 'Never'];
    see(mooredAt(DOCKS));
    await waitUntil(() => written('signatures') !== undefined);
    assert.deepEqual([written('sourcify'), written('signatures')], ['allow', 'never']);
    // What is in sight is looked at again once more may be asked.
    await waitUntil(() => changes > 0 && view.settings.current.signaturesConsent === 'never');
    see(mooredAt(DOCKS));
    await waitUntil(() => 'event' in decoded(DOCKS));
    const found = decoded(DOCKS);
    assert.ok('origin' in found);
    assert.deepEqual([found.origin.trust, found.origin.contract], ['verified', 'Docks']);
    assert.deepEqual([person.told.length, signatures.requestCount], [2, 0]);
    assert.ok(sourcify.requests.every(({ url }) => url.includes(`/v2/contract/${CHAIN}/${DOCKS}`)));
  });

  it('are asked anew when what they told is cleared, on disk too', async () => {
    await writeSettings({ [settingIds.sourcify]: 'allow', [settingIds.signatures]: 'never' });
    const file = Uri.joinPath(opened.storageUri, 'verified.ndjson');
    const kept = async () => {
      const bytes = await workspace.fs.readFile(file).then(undefined, () => new Uint8Array());
      return new TextDecoder().decode(bytes);
    };
    see(mooredAt(DOCKS));
    await waitUntil(async () => (await kept()).includes(DOCKS));
    const before = sourcify.requestCount;
    await opened.meaning.clearVerified();
    assert.ok('reason' in decoded(DOCKS));
    assert.doesNotMatch(await kept(), /0xd0d0/);
    see(mooredAt(DOCKS));
    await waitUntil(() => 'event' in decoded(DOCKS));
    assert.ok(sourcify.requestCount > before);
  });
});
