import assert from 'node:assert/strict';
import { toAbiWord } from '../../../../src/core/abi/encode.ts';
import { looksLikeAddress, sanitizeName } from '../../../../src/core/base/names.ts';
import { sanitizeText } from '../../../../src/core/base/text.ts';
import { textField } from '../../../../src/core/http/fields.ts';
import { parseLayout } from '../../../../src/core/project/layout.ts';
import { decodeText } from '../../../../src/core/rpc/ethCall.ts';
import { toAddressName } from '../../../../src/host/names/addressName.ts';
import { toTeamNames, toUserNames } from '../../../../src/host/names/addressNames.ts';
import { parseLabelsFile } from '../../../../src/host/names/labelsFile.ts';
import { addressLikeNames, ordinaryNames } from '../../../fixtures/addressLikeNames.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { createRandom } from '../../../support/logDataSets.ts';
import { readFacts } from '../../../support/projectFacts.ts';

const ADDRESS = `0x${'a1'.repeat(20)}` as const;

describe('a name that looks like an address', () => {
  for (const [what, name] of Object.entries(addressLikeNames)) {
    it(`is none: ${what}`, () => {
      assert.ok(looksLikeAddress(name));
      assert.equal(sanitizeName(name), undefined);
      assert.deepEqual(throughDoors(name), []);
    });
  }

  it('has no NULs that fill up a text of fixed length', () => {
    for (const [text, name] of [
      ['MKR\0\0\0', 'MKR'],
      ['\0\0USD', 'USD'],
      ['A\0B\0', 'A<U+0000>B'],
      ['\0\0', undefined],
    ] as const)
      assert.equal(sanitizeName(text), name);
  });

  it('is no ordinary name', () => {
    for (const name of ordinaryNames) {
      assert.ok(!looksLikeAddress(name), name);
      assert.equal(sanitizeName(name) ?? '', sanitizeText(name));
    }
    const name = '0xSplits';
    assert.deepEqual(
      throughDoors(name),
      Array.from({ length: 10 }, () => name),
    );
  });

  it('is one with any of the characters of UTS 39 for its signs', () => {
    const random = createRandom(39);
    const pick = (characters: string) => {
      const all = [...characters];
      return all[random(all.length)] ?? '';
    };
    const digits = (count: number) =>
      Array.from({ length: count }, () => pick(LOOKALIKE_DIGITS[pick('0123456789abcdef')] ?? '')).join('');
    const words = ['', 'A ', 'to ', 'Казна: ', '財 ', 'pay (', '🔒'];
    for (let run = 0; run < 200; run++) {
      const start = `${words[run % words.length]}${pick('0OoОοθⲞꓳⵔΟ')}${pick('xXхҳⵝᚷꓫ×Χ')}`;
      const name = run % 2 === 0 ? `${start}${digits(4)}…${digits(4)}` : `${start}${digits(12)}`;
      assert.ok(looksLikeAddress(name), name);
    }
  });

  it('is no word of another script', () => {
    const random = createRandom(21);
    const scripts = [
      [0x410, 64],
      [0x391, 57],
      [0x531, 38],
      [0x4e00, 2000],
      [0xac00, 2000],
      [0x5d0, 27],
    ] as const;
    for (let run = 0; run < 2000; run++) {
      const [first, count] = scripts[run % scripts.length] ?? [0, 0];
      const word = () =>
        Array.from({ length: 2 + random(9) }, () => String.fromCodePoint(first + random(count))).join('');
      const name = `${word()} ${word()}`;
      assert.ok(!looksLikeAddress(name), name);
    }
  });

  it('comes through a door as plain text only', () => {
    // TOML cannot hold the others, nor are its files that large.
    const namesOfToml = Object.values(hostileNames).filter((each) => !/[\p{Cs}\x7f]|.{9999}/u.test(each));
    for (const name of namesOfToml)
      for (const found of throughDoors(name)) assert.equal(found, sanitizeText(found ?? '', 200));
  });

  it('may be that of a file with an ABI, but labels no address', () => {
    const name = addressLikeNames['in full'] ?? '';
    const abi = [{ type: 'event', name: 'Paid', inputs: [] }];
    const { contracts, labels, deployments } = readFacts(
      {
        path: `deployments/mainnet/${name}.json`,
        text: JSON.stringify({ abi, address: ADDRESS, chainId: 1 }),
      },
      parseLayout({}),
    );
    assert.deepEqual(
      [contracts.map((contract) => contract.name), labels, deployments.map(({ contract }) => contract)],
      [[name], [], [undefined]],
    );
  });

  it('is found in one pass over a name of any length', () => {
    for (const part of ['0x', '0', '.', ':', ' ', '0x1…', '\u0301', '\ufdfa']) {
      looksLikeAddress(part.repeat(300_000));
    }
  });
});

/** Some of the characters that look like each hex digit. */
const LOOKALIKE_DIGITS: Readonly<Record<string, string>> = {
  ...{ 0: '0OοОՕ', 1: '1lІꓲ', 2: '2ᒿƧ', 3: '3ЗƷⲜ', 4: '4Ꮞ', 5: '5Ƽ', 6: '6бᏮ', 7: '7', 8: '8Ȣ', 9: '9Ꝯ' },
  ...{ a: 'aаΑᎪꓮ', b: 'bВꓐᏏ', c: 'cсᏟꓚⲥ', d: 'dԁᎠꓓ', e: 'eеΕᎬꓰ', f: 'fϜꓝք' },
};

/** A name as it comes from each place that gives one to an address or a token. */
function throughDoors(name: string): readonly string[] {
  const labels = JSON.stringify({ labels: [{ address: ADDRESS, name }] });
  const token = { chainId: 1, address: ADDRESS, symbol: name, name, decimals: 6 };
  return [
    ...labelsIn('foundry.toml', `[labels]\n${ADDRESS} = ${JSON.stringify(name)}`),
    ...labelsIn('.chainside/labels.json', labels),
    ...toTeamNames(parseLabelsFile(labels)?.labels ?? [], 'labels.json').map((label) => label.name),
    ...labelsIn('addresses.json', JSON.stringify({ [name]: ADDRESS })),
    ...labelsIn('deployments/1.json', JSON.stringify({ 1: { [name]: ADDRESS } })),
    ...labelsIn('list.tokenlist.json', JSON.stringify({ tokens: [token] })),
    ...toUserNames([[ADDRESS, name]], 1).map((label) => label.name),
    ...[toAddressName(name), textField.parse(name), decodeText(encodeText(name))],
  ].filter((found) => found !== undefined);
}

/** The names that a file gives to addresses, by labels and by deployments. */
function labelsIn(path: string, text: string): readonly (string | undefined)[] {
  const { labels, deployments } = readFacts({ path, text }, parseLayout({}));
  return [...labels.map(({ name }) => name), ...deployments.flatMap(({ contract }) => contract ?? [])];
}

function encodeText(text: string): `0x${string}` {
  const bytes = Buffer.from(text).toString('hex');
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
  return `${toAbiWord(32n)}${toAbiWord(BigInt(bytes.length / 2)).slice(2)}${padded}` as `0x${string}`;
}
