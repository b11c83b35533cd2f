import assert from 'node:assert/strict';
import type { Identity } from '../../../src/core/index.ts';
import { formatIdentity } from '../../../src/features/logs/form/readForm.ts';
import { l10n } from '../../support/english.ts';

const IMPLEMENTATION = `0x${'22'.repeat(20)}` as const;

function wordsOf(told: Partial<Identity>, name?: string): string | undefined {
  const identity: Identity = {
    ...{ address: `0x${'11'.repeat(20)}`, kind: 'contract', name: undefined, sources: [] },
    ...{ token: undefined, proxy: undefined, created: undefined },
    ...told,
  };
  return formatIdentity(identity, { l10n, nameOf: () => name });
}

describe('what is at an address, in words', () => {
  it('says of an account that it emits no logs', () => {
    assert.equal(wordsOf({ kind: 'account' }), 'An account: it emits no logs.');
    assert.match(wordsOf({ kind: 'delegated' }) ?? '', /EIP-7702/);
    assert.equal(wordsOf({ kind: 'unknown' }), undefined);
  });

  it('names a token by its symbol, else by its standard alone', () => {
    const token = { standard: 'ERC-20', name: 'Harbor', symbol: 'HUSD', decimals: 6, supply: 1n } as const;
    assert.equal(wordsOf({ token }), 'HUSD: ERC-20 token contract');
    assert.equal(
      wordsOf({ token: { ...token, symbol: undefined, name: undefined } }),
      'ERC-20 token contract',
    );
  });

  it('names what a proxy runs by its name here, else by that of its source, else by its address', () => {
    const proxy = (name?: string) => ({
      ...({ type: 'eip1967', left: 0, conflict: [], admin: undefined, beacon: undefined } as const),
      implementations: [{ address: IMPLEMENTATION, ...(name === undefined ? {} : { name }) }],
    });
    assert.equal(wordsOf({ proxy: proxy('Vault') as never }, 'Mine'), 'Proxy of Mine');
    assert.equal(wordsOf({ proxy: proxy('Vault') as never }), 'Proxy of Vault');
    assert.match(wordsOf({ proxy: proxy() as never }) ?? '', /^Proxy of 0x2222/);
    assert.equal(wordsOf({ name: 'Vault' }), 'Contract Vault');
    assert.equal(wordsOf({}), undefined);
  });
});
