import assert from 'node:assert/strict';
import { type Address, emptyForm, type QueryForm } from '../../../../../src/core/index.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import { type OpenedDecoding, openDecoding, openFormHelp } from '../../../../support/host/openPanel.ts';
import { answerCalls, useRecordedServer } from '../../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import type { RpcRequest } from '../../../../support/loopbackServer.ts';
import { deploymentFacts } from '../../../../support/projectFacts.ts';

const CONTRACT: Address = `0x${'c0'.repeat(20)}`;
const ACCOUNT: Address = `0x${'c1'.repeat(20)}`;
const CREATION = `0x${'cc'.repeat(32)}`;

describe('the first block of a query that names none', () => {
  /** Addresses of which a node was asked who created them. */
  let asked: unknown[];
  let fails: boolean;
  let opened: OpenedDecoding;
  let form: ReturnType<typeof openFormHelp>;

  const answer = answerCalls(resultOf);
  const server = useRecordedServer((asked) => (fails ? { status: 403, body: '' } : answer(asked)));
  useNetworks(() => ({
    here: { name: 'Here', chainId: 7_700_080, rpcUrl: server.url },
    there: { name: 'There', chainId: 7_700_081, rpcUrl: server.url },
  }));
  const view = useAddressView('here');

  beforeEach(async () => {
    asked = [];
    fails = false;
    opened = await openDecoding(view);
    form = openFormHelp(view, opened.meaning);
  });
  afterEach(async () => {
    form.dispose();
    await opened.dispose();
  });

  /** A node that tells who created what, as one with an index of it does. */
  function resultOf({ method, params: [subject] }: RpcRequest): unknown {
    switch (method) {
      case 'eth_getCode':
        asked.push(subject);
        return subject === CONTRACT ? '0x6001' : '0x';
      case 'eth_getStorageAt':
        return '0x0';
      case 'eth_call':
        return '0x';
      case 'ots_getContractCreator':
        return subject === CONTRACT ? { hash: CREATION, creator: ACCOUNT } : null;
      case 'eth_getTransactionByHash':
        return { blockNumber: '0x4d2' };
      default:
        return '0x1000';
    }
  }
  const factsOf = (typed: Partial<QueryForm>) => form.help.getFacts({ ...emptyForm, ...typed });

  it('is the one in which the network says that the contract was created', async () => {
    const before = form.told.changes;
    assert.equal(factsOf({ address: CONTRACT }).firstBlock, undefined);
    await waitUntil(() => factsOf({ address: CONTRACT }).firstBlock !== undefined);
    assert.ok(form.told.changes > before, 'The form is not told.');
    const { firstBlock, sent } = factsOf({ address: CONTRACT });
    assert.deepEqual(firstBlock, { block: '1,234', why: 'Deployment block' });
    assert.equal(JSON.parse(sent ?? '{}').fromBlock, '0x4d2');
    assert.deepEqual(asked, [CONTRACT]);
  });

  it('is that of a deployment in the workspace, of which nobody is asked', () => {
    const deployment = { contract: 'Cove', address: CONTRACT, chainId: '7700080', block: 77n };
    view.contracts.put('broadcast/run-latest.json', { deployments: [deploymentFacts(deployment)] });
    assert.deepEqual(factsOf({ address: CONTRACT }).firstBlock, {
      block: '77',
      why: 'Deployment block of Cove',
    });
    assert.deepEqual(asked, []);
  });

  it('is asked of nobody where one is typed, nor on a network that is not the active one', async () => {
    assert.equal(factsOf({ address: CONTRACT, fromBlock: '5' }).firstBlock, undefined);
    assert.equal(await opened.meaning.prefetchCreations([], view.session.network), false);
    assert.deepEqual(asked, []);
    const here = view.session.network;
    form.network.pin();
    await selectNetwork('there');
    assert.equal(await opened.meaning.prefetchCreations([CONTRACT], here), false);
    assert.deepEqual(asked, []);
  });

  it('is the beginning of the chain for an account, which is asked about once', async () => {
    factsOf({ address: ACCOUNT });
    await waitUntil(() => asked.length > 0);
    const want = () => opened.meaning.prefetchCreations([ACCOUNT], view.session.network);
    // The one that is on its way may tell what it is.
    await want();
    assert.equal(await want(), false);
    const { firstBlock, sent } = factsOf({ address: ACCOUNT });
    assert.deepEqual([firstBlock, JSON.parse(sent ?? '{}').fromBlock], [undefined, 'earliest']);
    assert.deepEqual(asked, [ACCOUNT]);
  });

  it('is asked for again where the network failed to tell', async () => {
    fails = true;
    assert.equal(await opened.meaning.prefetchCreations([CONTRACT], view.session.network), false);
    fails = false;
    factsOf({ address: CONTRACT });
    await waitUntil(() => factsOf({ address: CONTRACT }).firstBlock?.block === '1,234');
  });
});
