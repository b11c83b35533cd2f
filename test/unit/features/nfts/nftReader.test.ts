import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import {
  AppError,
  type ChainClient,
  type Log,
  type LogFilter,
  MAX_TRANSFERS,
  type NftContract,
  type NftProvider,
  type NftTransfer,
  type ProviderLabel,
  systemClock,
} from '../../../../src/core/index.ts';
import { formatContractHeading, type NftFormatContext } from '../../../../src/features/nfts/formatNft.ts';
import { type NftProviders, NftReader } from '../../../../src/features/nfts/nftReader.ts';
import { createNftSnapshot } from '../../../../src/features/nfts/snapshot.ts';
import type { ProviderAccess } from '../../../../src/host/session/providerAccess.ts';
import { batchesMoved } from '../../../support/nftLogs.ts';
import { anyNetwork, l10n, verdictOf } from '../../../support/stubs.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';
const network = anyNetwork(5);
const known: NftContract = {
  ...{ contract: CONTRACT, name: 'Badge', symbol: 'BDG', standards: ['erc165', 'erc721'] },
  ...{ standard: 'erc721', supply: 0n, spam: undefined },
};
const complete = verdictOf({ toBlock: 1234n });

function transferAt(block: number): NftTransfer {
  return {
    ...{ standard: 'erc721', tokenId: 6n, amount: 1n, position: 0, logIndex: 0, time: 0 },
    ...{ from: `0x${'00'.repeat(20)}`, to: `0x${'11'.repeat(20)}` },
    ...{ blockNumber: BigInt(block), transactionHash: `0x${'22'.repeat(32)}` },
  };
}

interface Servers {
  readonly contract?: () => ReturnType<ChainClient['fetchNftContract']>;
  readonly nfts?: Partial<NftProvider> | 'noKey' | 'notServed';
  /** What is asked without a key. */
  readonly keyless?: Partial<NftProvider>;
  /** What the logs answer, in place of no log at all. */
  readonly logsFail?: AppError;
  /** What the server of the logs asks to wait first. */
  readonly logsWaitMs?: number;
  readonly logs?: readonly Log[];
}

function createAnswers(servers: Servers, tokenId: bigint | undefined = 6n) {
  const filters: LogFilter[] = [];
  const access = accessTo(servers.nfts ?? 'notServed');
  const client: NftProviders['client'] = {
    fetchNftContract: servers.contract ?? (async () => ({ state: 'known', contract: known })),
    openLogQuery(filter, { waits } = {}) {
      filters.push(filter);
      return {
        verdict: complete,
        nextPage: () => assert.fail('Pages are not asked for one by one.'),
        async *rest({ signal } = {}) {
          if (servers.logsFail) throw servers.logsFail;
          const { logsWaitMs, logs = [] } = servers;
          const isFirst = filters.length === 1;
          if (isFirst && logsWaitMs) await waits?.wait({ ms: logsWaitMs, byServer: true }, { signal });
          yield { logs, verdict: complete };
        },
      };
    },
  };
  const answers = new NftReader({
    ...{
      contract: CONTRACT,
      tokenId,
      http: { fetch: () => assert.fail('No picture is asked for.'), clock: systemClock },
    },
    sources: async () => ({
      network,
      client,
      nfts: access,
      keyless: accessTo(servers.keyless ?? 'notServed'),
    }),
    onDidChange() {},
  });
  const context: NftFormatContext = {
    ...{ reader: answers, activeNetwork: network, ipfsGateway: undefined, nameOf: () => undefined },
    ...{ l10n, locale: 'en' },
    nfts: access.state === 'ready' ? { state: 'ready', label, offers: access.provider.offers } : access,
  };
  const snapshot = () =>
    createNftSnapshot({ ...context, order: 0, hasTimes: false, describeError: () => undefined });
  return { answers, filters, snapshot };
}

const label = { name: 'covalent', origin: 'https://data.example', takesKey: true };

function accessTo(nfts: NonNullable<Servers['nfts']>): ProviderAccess<'nfts'> {
  if (nfts === 'notServed') return { state: nfts };
  if (nfts === 'noKey') return { state: nfts, offers: {} };
  const perEntry = { unit: 'credits', min: 0.1, max: 0.1, per: 'entry' } as const;
  const offers = { nftTransfers: perEntry, nftContract: 'unpublished', nftToken: 'unpublished' } as const;
  return { state: 'ready', provider: { label, offers, ...nfts } as NftProvider };
}

const transactions = (transfers: readonly NftTransfer[]) => ({
  ...{ source: label, readAt: 0, contract: known, updatedAt: Date.UTC(2026, 10, 21, 14, 3, 9) },
  ...{ transfers, failedTransactions: 0, skipped: 0 },
});

describe('answers of an NFT panel', () => {
  it('have the contract as it is at the latest block, unknown apart from zero', async () => {
    const { answers, snapshot } = createAnswers({
      contract: async () => ({ state: 'known', contract: { ...known, symbol: undefined } }),
    });
    await answers.loadContract('chain');
    const { heading, contract } = snapshot();
    assert.equal(heading, 'Badge');
    const facts = Object.fromEntries(contract.facts.map(({ name, value }) => [name, value]));
    assert.equal(facts.Ticker, 'Unknown');
    assert.equal(facts.Supply, '0');
    assert.equal(facts.Standards, 'ERC-165, ERC-721');
    assert.equal(facts.Network, 'Test, chain ID 5');
    assert.equal(contract.status, 'Read from the contract at the latest block.');
  });

  it('ask the data API for a contract only by a button that says what is known of the price', async () => {
    const { answers, snapshot } = createAnswers({
      contract: async () => ({ state: 'notOffered' }),
      nfts: { nftContract: async () => known },
    });
    await answers.loadContract('chain');
    const [offer] = snapshot().contract.offers;
    assert.equal(offer?.action, 'contractFromDataApi');
    assert.equal(offer?.note, 'The provider does not publish its cost in credits.');
    await answers.loadContract('source');
    assert.equal(snapshot().contract.status, 'From the data API.');
    assert.equal(formatContractHeading(answers, { l10n, nameOf: () => undefined }), 'Badge (BDG)');
  });

  it('tell the price of transfers beside the button, and the source behind the count', async () => {
    const { answers, snapshot } = createAnswers({
      nfts: { nftTransfers: async () => transactions([transferAt(9), transferAt(3)]) },
    });
    const [first, second] = snapshot().transfers.offers;
    assert.equal(first?.note, 'From the data API. It costs 0.1 credits of your key for each entry.');
    assert.equal(second?.action, 'transfersFromLogs');
    await answers.loadTransfers('any');
    const { status, tone, rows } = snapshot().transfers;
    assert.match(status, /^2 transfers of token 6 on Test from the data API, as of 2026-11-21 \d+:03:09/);
    assert.deepEqual([tone, rows], ['plain', 2]);
  });

  const explorer = { name: 'blockscout', origin: 'https://explorer.example', takesKey: false };
  const refusal = (kind: 'notServed' | 'tooHeavy', source: ProviderLabel | undefined) => ({
    nftTransfers: () => Promise.reject(new AppError(kind, 'gone', source && { provider: source })),
  });
  const reasons = [
    ['noKey', 'no data API key is set'],
    ['notServed', 'neither a data API nor an explorer provides transfers on this network'],
    [refusal('notServed', label), 'the data API does not support this chain'],
    [refusal('notServed', explorer), 'the explorer does not provide transfers'],
    [refusal('tooHeavy', explorer), 'the explorer does not provide all transfers'],
    [
      refusal('notServed', undefined),
      'neither a data API nor an explorer provides transfers on this network',
    ],
  ] as const;
  for (const [nfts, reason] of reasons) {
    it(`are read out of logs because ${reason}`, async () => {
      const { answers, snapshot } = createAnswers({ nfts });
      await answers.loadTransfers('any');
      assert.equal(
        snapshot().transfers.status,
        `Complete. 0 transfers of token 6 on Test in blocks 0 to 1,234, from the chain's logs, because ${reason}.`,
      );
      assert.equal(answers.lastRequested.transfers, 'endpoint');
    });
  }

  it('pass over the data API when logs are chosen', async () => {
    const { answers, snapshot } = createAnswers({
      nfts: { nftTransfers: () => assert.fail('The data API is asked.') },
    });
    await answers.loadTransfers('logs');
    assert.match(snapshot().transfers.status, /because you chose the logs\.$/);
  });

  for (const standards of [
    ['erc165', 'erc721'],
    ['erc165', 'erc1155'],
  ] as const) {
    it(`read the logs of both standards, as an upgrade may have changed it: ${standards}`, async () => {
      const contract = { ...known, standards, standard: standards[1] };
      const { answers, filters } = createAnswers({ contract: async () => ({ state: 'known', contract }) });
      await answers.loadContract('chain');
      await answers.loadTransfers('any');
      // The newest blocks of all but the last query are read again at the end.
      assert.deepEqual(
        filters.map(({ topics }) => topics[0]?.length),
        [1, 3, 1, 1, 3],
      );
    });
  }

  it('are not certain where no event of the contract is a transfer and nothing tells that it is an NFT', async () => {
    const { answers, snapshot } = createAnswers({ contract: async () => ({ state: 'notAnNft' }) });
    await answers.loadTransfers('logs');
    const { status, tone, reasons } = snapshot().transfers;
    assert.match(status, /^May be incomplete\. 0 transfers/);
    assert.equal(tone, 'uncertain');
    assert.match(reasons[0] ?? '', /^The contract emitted no transfer event/);
  });

  it('keep the transfers that are loaded when asking again fails', async () => {
    let fails = false;
    const failure = new AppError('creditsUsedUp', 'used up');
    const { answers, snapshot } = createAnswers({
      nfts: {
        nftTransfers: async () => {
          if (fails) throw failure;
          return transactions([transferAt(9)]);
        },
      },
    });
    await answers.loadTransfers('any');
    fails = true;
    await answers.loadTransfers('any');
    assert.equal(answers.transfers.error, failure);
    assert.equal(answers.lastRequested.transfers, 'source');
    assert.match(snapshot().transfers.status, /^Stopped by an error\. 1 transfer of token 6/);
  });

  it('keep the transfers that are loaded while fewer have come anew, and take a whole answer of fewer', async () => {
    const { answers } = createAnswers({
      nfts: { nftTransfers: async () => transactions([transferAt(9)]) },
    });
    await answers.loadTransfers('any');
    const again = answers.loadTransfers('logs');
    assert.equal(answers.transfers.value?.transfers.length, 1);
    await again;
    assert.equal(answers.transfers.value?.transfers.length, 0);
  });

  it('say until when the server of the logs is waited for, and ask it at once when told to', async () => {
    const { answers, snapshot } = createAnswers({ logsWaitMs: 50_000 });
    const reading = answers.loadTransfers('logs');
    await turn();
    const waiting = snapshot().transfers;
    assert.match(
      waiting.status,
      /^Reading the transfers from the logs of Test… The server requested a pause\. Retrying at .+\.$/,
    );
    assert.deepEqual([waiting.isLoading, waiting.canSkipWait], [true, true]);
    answers.reading.skipWait();
    await reading;
    const { status, canSkipWait } = snapshot().transfers;
    assert.match(status, /^Complete\. 0 transfers/);
    assert.equal(canSkipWait, false);
  });

  it('count as cancelled when what they are asked with goes, as a forgotten key does', async () => {
    const { answers } = createAnswers({
      contract: () => Promise.reject(new AppError('aborted', 'Cancelled.')),
    });
    await answers.loadContract('chain');
    assert.deepEqual(answers.contract.state, { state: 'cancelled', previous: undefined });
  });

  it('can be cancelled during such a wait, which then is told no more', async () => {
    const { answers, snapshot } = createAnswers({ logsWaitMs: 50_000 });
    const reading = answers.loadTransfers('logs');
    await turn();
    answers.transfers.cancel();
    await reading;
    const { status, canSkipWait } = snapshot().transfers;
    assert.match(status, /^Cancelled\. 0 transfers/);
    assert.equal(canSkipWait, false);
  });

  it('say where there are more than are kept', async () => {
    const logs = batchesMoved(5, MAX_TRANSFERS + 1);
    const { answers, snapshot } = createAnswers({ logs }, 17n);
    await answers.loadTransfers('logs');
    const { status, tone, rows, reasons: why } = snapshot().transfers;
    assert.match(status, /^Stopped early\. 100,000 transfers of token 17 on Test in blocks 0 to 1,234/);
    assert.deepEqual([tone, rows], ['more', MAX_TRANSFERS]);
    assert.match(
      why[0] ?? '',
      /^Reading stopped at the limit of 100,000 transfers, .* newer ones are missing\./,
    );
    assert.ok(!why.some((reason) => reason.startsWith('Some blocks are not read yet')));
  });

  it('drop what was loaded of another token, not of the contract', async () => {
    const { answers } = createAnswers({});
    await answers.loadContract('chain');
    await answers.loadTransfers('any');
    const { resultId } = answers;
    answers.setToken(7n);
    assert.notEqual(answers.resultId, resultId);
    assert.equal(answers.transfers.value, undefined);
    assert.equal(answers.contract.value?.state, 'known');
  });

  it('forget everything but the question when the network changes, and say so', async () => {
    const { answers, snapshot } = createAnswers({});
    await answers.loadContract('chain');
    answers.clear('networkChanged');
    const { heading, contract } = snapshot();
    assert.equal(heading, 'NFT contract');
    assert.match(contract.status, /^The network changed\./);
    assert.deepEqual([answers.network, answers.tokenId], [undefined, 6n]);
  });

  const ofToken = { contract: known, tokenId: 6n, tokenUrl: undefined, owner: undefined } as const;
  const bare = { ...ofToken, originalOwner: undefined, metadata: undefined };
  const byCalls = { name: 'calls', origin: 'http://127.0.0.1:1', takesKey: false };
  const files = { ipfsGateway: undefined, mayLoad: () => false };
  const free = { nftToken: 'free' } as const;

  const calledBy = (token: object | undefined, label: ProviderLabel = byCalls) =>
    createAnswers({ nfts: { label, offers: free, nftToken: async () => token as never } });
  for (const [more, words] of [
    [
      { noMetadataReason: 'noUri' },
      /^Token 6\. Read from the contract at the latest block\. .* no metadata URI/,
    ],
    [{ noMetadataReason: 'uriRefused' }, /from this kind of URI\.$/],
    [{ noMetadataReason: 'uriRefused', isPlainHttp: true }, /because it is http and not https\.$/],
    [{ noMetadataReason: 'notMetadata' }, /not valid JSON\.$/],
    [undefined, /^The contract has no token 6\. It was never minted, or was burned\.$/],
  ] as const) {
    it(`say of a token read from its contract: ${words.source}`, async () => {
      const { answers, snapshot } = calledBy(more && { ...bare, ...more });
      await answers.loadToken('any', files);
      assert.match(snapshot().token.status, words);
    });
  }

  it('say of a token that an explorer told of that it did, though it takes no key', async () => {
    for (const [token, words] of [
      [{ ...bare, noMetadataReason: undefined }, /^Token 6, from https:\/\/explorer\.example\./],
      [undefined, /^Token 6 is not indexed by https:\/\/explorer\.example\. Check the network\.$/],
    ] as const) {
      const { answers, snapshot } = calledBy(token, explorer);
      await answers.loadToken('any', files);
      assert.match(snapshot().token.status, words);
    }
  });

  it('say that the provider has no eth_call, in place of an error', async () => {
    const nftToken = () => Promise.reject(new AppError('notServed', 'no calls'));
    const { answers, snapshot } = createAnswers({ nfts: { label: byCalls, offers: free, nftToken } });
    await answers.loadToken('any', files);
    assert.match(snapshot().token.status, /^Cannot read the token: the endpoint does not support eth_call/);
    assert.equal(answers.token.error, undefined);
  });

  it('have a token from its contract where the key does not serve the chain', async () => {
    const { answers, snapshot } = createAnswers({
      nfts: { nftToken: () => Promise.reject(new AppError('notServed', 'not this chain')) },
      keyless: { label: byCalls, nftToken: async () => ({ ...bare, noMetadataReason: 'noUri' }) },
    });
    await answers.loadToken('any', files);
    assert.match(snapshot().token.status, /^Token 6\. Read from the contract at the latest block\./);
  });

  it('load metadata from another host by a button that names it', async () => {
    const tokenUrl = { kind: 'https', url: 'https://meta.example.com/6' } as const;
    const { answers, snapshot } = calledBy({ ...bare, tokenUrl, noMetadataReason: undefined });
    await answers.loadToken('any', files);
    const [offer] = snapshot().token.offers;
    assert.deepEqual([offer?.action, offer?.title], ['metadata', 'Load Metadata from meta.example.com']);
  });

  it('doubt a history of which entries could not be read', async () => {
    const { answers, snapshot } = createAnswers({
      nfts: {
        nftTransfers: async () => ({ ...transactions([transferAt(9)]), skipped: 2, failedTransactions: 1 }),
      },
    });
    await answers.loadTransfers('any');
    const { tone, status, reasons: why } = snapshot().transfers;
    assert.equal(tone, 'uncertain');
    assert.match(status, /^May be incomplete\./);
    assert.deepEqual(why, [
      'Entries that are unreadable or beyond the first 100,000: 2. Their transfers may be missing.',
      'Failed transactions, which transferred nothing and are not shown: 1.',
    ]);
  });
});
