import assert from 'node:assert/strict';
import {
  type Address,
  type CompletenessReason,
  type TokenTransfer,
  ZERO_ADDRESS,
} from '../../../../../src/core/index.ts';
import {
  formatCompletenessReasons,
  formatNoTokenData,
} from '../../../../../src/features/addresses/balances/missingData.ts';
import { createTransferItem } from '../../../../../src/features/addresses/commands/transferItem.ts';
import { l10n } from '../../../../support/stubs.ts';

const ME: Address = '0x7e57000000000000000000000000000000000001';
const BOB: Address = '0x7e57000000000000000000000000000000000002';

const usual: TokenTransfer = {
  ...{
    transactionHash: `0x${'22'.repeat(32)}`,
    blockNumber: 1234n,
    logIndex: 0,
    position: 0,
    time: undefined,
  },
  ...{ from: BOB, to: ME, contract: `0x${'33'.repeat(20)}`, standard: 'erc20', name: 'Harbor Dollar' },
  ...{ symbol: 'HUSD', decimals: 6, tokenId: undefined, amount: 1_500_000n, spam: undefined },
};
const choice = (fields: Partial<TokenTransfer>) =>
  createTransferItem(
    { ...usual, ...fields },
    {
      ...{ address: ME, l10n },
      nameOf: (address) => (address === BOB ? 'Bob' : undefined),
    },
  );

describe('transfers in a list', () => {
  it('say which way it went, how much, and who was on the other side', () => {
    assert.deepEqual(choice({}), {
      ...{ direction: 'in', label: '+1.5 HUSD', description: 'from Bob · block 1,234' },
      detail: usual.transactionHash,
    });
    const out = choice({ from: ME, to: BOB, time: Date.UTC(2026, 10, 21, 14, 3, 9), spam: true });
    assert.equal(out.label, '−1.5 HUSD');
    assert.match(out.description, /^to Bob · .*2026.* · spam$/);
    assert.equal(choice({ from: ME }).label, '±1.5 HUSD');
    assert.match(choice({ from: ZERO_ADDRESS }).description, /^minted · /);
    assert.match(choice({ from: ME, to: ZERO_ADDRESS }).description, /^burned · /);
  });

  it('name an NFT by its id, with the copies where there are several', () => {
    assert.equal(choice({ tokenId: 7n, amount: 1n, decimals: undefined }).label, '+HUSD #7');
    assert.equal(choice({ tokenId: 7n, amount: 2000n }).label, '+2,000 × HUSD #7');
  });

  it('keep unknown apart from nothing', () => {
    assert.equal(choice({ amount: undefined }).label, '+HUSD, amount unknown');
    assert.equal(choice({ decimals: undefined }).label, '+1,500,000 smallest units of HUSD');
    assert.equal(choice({ symbol: undefined, name: undefined }).label, '+1.5 0x3333…3333');
    assert.equal(choice({ amount: 0n }).label, '+0 HUSD');
  });
});

describe('words for what a list may lack', () => {
  it('say in the row no less than behind it where nobody tells of tokens: who could have', () => {
    for (const words of Object.values(formatNoTokenData(l10n))) {
      assert.match(words, /either a data API nor an explorer/);
    }
  });

  it('are there for every reason, each once', () => {
    const reasons: readonly CompletenessReason[] = [
      { code: 'scamHidden', listed: 3, counted: 4 },
      { code: 'indexing', ratio: 0.99999 },
      { code: 'indexing', ratio: undefined },
      { code: 'indexingUnknown' },
      { code: 'pageRepeated', list: 'nfts' },
      { code: 'pageRepeated', list: 'tokens' },
      { code: 'listBroken', list: 'nfts' },
      { code: 'bound', list: 'nfts', most: 2000 },
      { code: 'unreadable', count: 2 },
      { code: 'coinUnread' },
      { code: 'recentDays', days: 10 },
      { code: 'recentDays', days: undefined },
    ];
    const texts = formatCompletenessReasons(reasons, l10n);
    assert.equal(texts.length, reasons.length);
    assert.ok(texts.every((text) => text.endsWith('.') && !text.includes('undefined')));
    assert.ok(texts.includes('The explorer has indexed 99.99 % of the blocks.'));
  });
});
