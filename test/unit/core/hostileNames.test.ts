import assert from 'node:assert/strict';
import { sanitizeText } from '../../../src/core/index.ts';
import { hostileNames } from '../../fixtures/hostileNames.ts';
import { HOLDER, responseWithItems, withDataApi } from '../../support/dataApi.ts';
import { findHiddenCharacters } from '../../support/untrustedText.ts';

/** Spaces that a reader cannot count. */
const ODD_SPACES = /[^\P{Zs} ]| {2}|^ | $/u;
const MAX_CHARS = 65;

/** What becomes of some, to the letter. */
const shown: Readonly<Record<string, string>> = {
  'right-to-left override': 'USD<U+202E>CDSU',
  'zero-width joiner': 'US<U+200D>DC',
  'Hangul filler': '<U+3164>',
  'blank Braille pattern': '<U+2800><U+2800>',
  'variation selector supplement': 'DAI<U+E0100>',
  newlines: 'USDC<U+000D><U+000A>Verified: yes<U+000A>',
  backspaces: 'SCAM<U+0008><U+0008><U+0008><U+0008>USDC',
  'em spaces for padding': 'USDC (fake)',
  'no-break and ideographic spaces': 'USDC',
  'nothing but spaces': '',
  'lone high surrogate': 'A\ufffdB',
  'emoji joined': '👨\u200d👩\u200d👧\u200d👦 Coin',
  'emoji with variation selectors': '⚠\ufe0f Safe ❤\ufe0f\u200d🔥 1\ufe0f\u20e3',
  'parts of emoji outside of one': '👩<U+200D>x <U+200D>👩<U+200D><U+200D>👩 ⚠\ufe0f<U+FE0F> 1<U+FE0F>',
  'variation selector': 'DAI<U+FE0F>',
  // Text that means something elsewhere stays as it is: to keep it from meaning anything is for who renders it.
  'HTML script': '"><script>alert(1)</script>',
  'Markdown command link': '[Run](command:workbench.action.terminal.new)',
  'Hebrew, right to left by nature': 'שקל דיגיטלי',
  'Cyrillic homoglyphs': 'UЅDС',
};

describe('Hostile names', () => {
  it('are many', () => assert.ok(Object.keys(hostileNames).length >= 40));

  for (const [what, name] of Object.entries(hostileNames)) {
    it(`lose what hides, and keep their length in bounds: ${what}`, () => {
      const plain = sanitizeText(name);
      assert.deepEqual(findHiddenCharacters(plain), []);
      assert.doesNotMatch(plain, ODD_SPACES);
      assert.ok([...plain].length <= MAX_CHARS, `${[...plain].length} characters`);
      assert.equal(sanitizeText(plain), plain, 'plain text is plain already');
      if (shown[what] !== undefined) assert.equal(plain, shown[what]);
    });
  }

  it('are not left with half an emoji where they are cut', () => {
    const family = '👨\u200d👩\u200d👧\u200d👦';
    for (const text of [family.repeat(3), 'ab1\ufe0f\u20e31\ufe0f\u20e3', '❤\ufe0f\u200d🔥'.repeat(4)]) {
      for (let longest = 1; longest <= 12; longest++) {
        const plain = sanitizeText(text, longest);
        assert.deepEqual(findHiddenCharacters(plain), [], `${longest}`);
        assert.equal(sanitizeText(plain, longest), plain);
        assert.ok([...plain].length <= longest + 1);
      }
    }
  });

  it('come out of every answer of the data API as plain text', async () => {
    const names = Object.values(hostileNames);
    const items = names.map((name, index) => ({
      ...{ contract_address: `0x${index.toString(16).padStart(40, '0')}`, balance: '1', type: name },
      ...{ contract_name: name, contract_ticker_symbol: name },
    }));
    await withDataApi(
      () => responseWithItems(items),
      async ({ client }) => {
        const { tokens, skipped } = await client.tokenBalances(HOLDER, { quoteCurrency: 'USD' });
        assert.deepEqual([tokens.length, skipped], [names.length, 0]);
        for (const [index, { name, symbol, category }] of tokens.entries()) {
          // Zeros fill up a name of fixed length.
          const plain = sanitizeText(names[index]?.replace(/\0+$/, '') ?? '') || undefined;
          assert.deepEqual([name, symbol, category], [plain, plain, plain]);
        }
      },
    );
  });
});
