import assert from 'node:assert/strict';
import type { Origin } from '../../../src/core/index.ts';
import { formatOriginLabel } from '../../../src/host/formatting.ts';
import { l10n } from '../../support/stubs.ts';

const source = { name: 'sourcify', origin: 'https://sourcify.dev', takesKey: false };
const address = `0x${'ab'.repeat(20)}` as const;
const verified = { chainId: 1, address, source };
const origin: Origin = {
  ...{ trust: 'verified', from: 'sourcify.dev 0xAb', contract: 'Shop', line: undefined, verified },
};

describe('The words for where an item is known from', () => {
  it('say who has verified a contract, how surely, and which', () => {
    const twin = `0x${'0'.repeat(39)}1` as const;
    const texts = (
      [
        {},
        { contract: undefined },
        { trust: 'partlyVerified' },
        { trust: 'partlyVerified', verified: { ...verified, changedBytecode: true } },
        { trust: 'twin', verified: { ...verified, twin } },
        { trust: 'twin' },
      ] satisfies Partial<Origin>[]
    ).map((more) => formatOriginLabel({ ...origin, ...more }, l10n));
    assert.deepEqual(texts, [
      'verified Shop at sourcify.dev 0xAb',
      'verified sourcify.dev 0xAb',
      'verified except for metadata: Shop at sourcify.dev 0xAb',
      'verified Shop at sourcify.dev 0xAb; its code has changed since',
      'Shop at sourcify.dev 0xAb: verified for a contract with the same code, 0x0000000000000000000000000000000000000001',
      'Shop at sourcify.dev 0xAb: verified for another contract with the same code',
    ]);
  });

  it('say that a name is all that is known', () => {
    const { verified: _, ...others } = origin;
    assert.equal(
      formatOriginLabel({ ...others, trust: 'signatures', from: 'n.example', contract: undefined }, l10n),
      'name only, from n.example',
    );
  });
});
