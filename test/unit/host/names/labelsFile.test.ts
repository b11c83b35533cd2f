import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Address, toChecksumAddress } from '../../../../src/core/index.ts';
import {
  editLabelsFile,
  editUnits,
  findUnits,
  parseLabelsFile,
} from '../../../../src/host/names/labelsFile.ts';
import { address, readLabels as labelled } from '../../../support/projectFacts.ts';

const treasury: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const TREASURY = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const other: Address = `0x${'22'.repeat(20)}`;

const written = `{
  "$schema": "kept",
  "labels": [
    { "name": "Old \\"one\\"", "address": "${TREASURY}", "note": [1, { "name": "not this" }] },
    { "address": "${other}", "name": "Other", "chainId": 5 }
  ],
  "more": { "labels": [] }
}
`;

describe('labels of a team', () => {
  it('are read with their lines; entries that are none are counted', () => {
    const text = `{\n"labels": [\n{"address":"${TREASURY}","name":"A"},\n{"address":"0x1","name":"B"}, 7,\n{"address":"${other}","name":"C","chainId":1}]}`;
    assert.deepEqual(parseLabelsFile(text), {
      labels: [
        { address: treasury, name: 'A', chainId: undefined, line: 3 },
        { address: other, name: 'C', chainId: 1, line: 5 },
      ],
      skipped: 2,
    });
  });

  it('are the first 10,000 of a file; the others are counted', () => {
    const entry = `{"address":"${other}","name":"Other"}`;
    const text = `{"labels":[${Array.from({ length: 10_003 }, () => entry).join()}]}`;
    const { labels = [], skipped } = parseLabelsFile(text) ?? {};
    assert.deepEqual([labels.length, skipped], [10_000, 3]);
  });

  for (const broken of ['', '{', '[]', '{"labels":{}}', '{"labels":[}', 'null', '{"labels":[1,]}']) {
    it(`are none in ${broken || 'an empty file'}`, () => {
      assert.equal(parseLabelsFile(broken), undefined);
      if (broken !== '')
        assert.equal(editLabelsFile(broken, { address: other, chainId: 1, name: 'A' }), undefined);
    });
  }

  it('are written into a new file as a person would', () => {
    assert.equal(
      editLabelsFile('', { address: treasury, chainId: 1, name: 'Tre"asury' }),
      `{\n  "labels": [\n    { "address": "${TREASURY}", "name": "Tre\\"asury", "chainId": 1 }\n  ]\n}\n`,
    );
  });

  it('are renamed in place, with all else as it stood', () => {
    assert.equal(
      editLabelsFile(written, { address: treasury, chainId: undefined, name: 'New' }),
      written.replace('"Old \\"one\\""', '"New"'),
    );
  });

  it('are added at the end, as those before are written', () => {
    const entry = `{ "address": "${TREASURY}", "name": "Here", "chainId": 1 }`;
    assert.equal(
      editLabelsFile(written, { address: treasury, chainId: 1, name: 'Here' }),
      written.replace('"chainId": 5 }', `"chainId": 5 },\n    ${entry}`),
    );
    assert.equal(
      editLabelsFile('{"labels":[]}', { address: treasury, chainId: 1, name: 'Here' }),
      `{"labels":[\n    ${entry}\n  ]}`,
    );
  });

  it('are taken away with their comma', () => {
    const without = (text: string, address: Address, chainId?: number) =>
      parseLabelsFile(editLabelsFile(text, { address, chainId, name: undefined }) ?? '')?.labels.map(
        ({ name }) => name,
      );
    assert.deepEqual(without(written, treasury), ['Other']);
    assert.deepEqual(without(written, other, 5), ['Old "one"']);
    assert.deepEqual(without(written, other, 6), ['Old "one"', 'Other']);
  });

  it('are beside what is deployed there, which is chosen, changed and removed without them', () => {
    const place = { address: treasury, chainId: 1 };
    const choose = (text: string, contract: string | undefined) =>
      editLabelsFile(text, { ...place, field: 'contract', name: contract }) ?? assert.fail();
    const chosen = choose('', 'Token');
    assert.equal(
      chosen,
      `{\n  "labels": [\n    { "address": "${TREASURY}", "contract": "Token", "chainId": 1 }\n  ]\n}\n`,
    );
    assert.deepEqual(parseLabelsFile(chosen), { labels: [], skipped: 0 });
    assert.equal(choose(chosen, 'src/Vault.sol:Vault'), chosen.replace('Token', 'src/Vault.sol:Vault'));
    assert.deepEqual(JSON.parse(choose(chosen, undefined)), { labels: [] });
    assert.equal(choose('', undefined), '');

    const both = editLabelsFile(chosen, { ...place, name: 'Mine' }) ?? assert.fail();
    assert.equal(parseLabelsFile(both)?.labels.length, 1);
    assert.equal(parseLabelsFile(choose(both, undefined))?.labels[0]?.name, 'Mine');
    // Both in one entry, as a person may write it.
    const one = chosen.replace('"contract"', '"name": "Mine", "contract"');
    assert.equal(parseLabelsFile(choose(one, undefined))?.labels[0]?.name, 'Mine');
    const nameless = editLabelsFile(one, { ...place, name: undefined }) ?? assert.fail();
    assert.deepEqual(JSON.parse(nameless), JSON.parse(chosen));
  });

  it('are what was said last, whatever was said before in whatever spaces', () => {
    const change = fc.record({
      address: fc.constantFrom(treasury, other),
      chainId: fc.constantFrom(undefined, 1, 5),
      name: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.constantFrom(0, 1, 4, '\t'), (changes, indent) => {
        let text = JSON.stringify({ labels: [], after: '],}' }, undefined, indent);
        const expected = new Map<string, string>();
        for (const each of changes) {
          text = editLabelsFile(text, each) ?? assert.fail(text);
          const key = `${each.address} ${each.chainId}`;
          if (each.name === undefined) expected.delete(key);
          else expected.set(key, each.name);
        }
        const read = parseLabelsFile(text)?.labels.map(({ address, chainId, name }) => [
          `${address} ${chainId}`,
          name,
        ]);
        assert.deepEqual(read, [...expected]);
        assert.equal(JSON.parse(text).after, '],}');
      }),
    );
  });
});

describe('labels', () => {
  it('are those of a token list', () => {
    const tokens = [
      { chainId: 1, address: address('A'), symbol: 'HUSD', name: 'Harbour Dollar', decimals: 6 },
      { chainId: 1, address: '0x1', symbol: 'BAD' },
      { address: address('b'), symbol: 'NOCHAIN' },
      7,
    ];
    const expected = [`1 HUSD ${address('a')}`];
    assert.deepEqual(labelled('tokens.json', { name: 'List', tokens }), expected);
    assert.deepEqual(labelled('tokens.json', tokens), expected);
  });

  it('are those of the team’s own file, and of no other in its folder', () => {
    const labels = [
      { address: address('A'), name: 'Treasury (ops)' },
      { address: address('b'), name: 'Vault', chainId: 31337 },
      { address: address('c'), name: 'Nowhere', chainId: 'main' },
      { address: address('c'), name: 'Text', chainId: '1' },
      { address: address('c'), name: 'Zero', chainId: 0 },
      { address: '0x1', name: 'BAD' },
      { address: address('d'), name: '' },
      7,
    ];
    const told = labelled('.chainside/labels.json', { labels });
    assert.deepEqual(told, [`undefined Treasury (ops) ${address('a')}`, `31337 Vault ${address('b')}`]);
    // The one that names are shown and written by takes the same entries.
    const shown = parseLabelsFile(JSON.stringify({ labels }))?.labels ?? [];
    assert.deepEqual(
      shown.map(({ chainId, name, address: at }) => `${chainId} ${name} ${at}`),
      told,
    );
    assert.deepEqual(labelled('.chainside/labels.json', { labels: 7 }), []);
    assert.deepEqual(labelled('.chainside/others.json', { labels }), []);
    assert.deepEqual(labelled('src/.chainside/labels.json', { labels }), []);
  });
});

describe('units of a team', () => {
  const set = (text: string, field: string, unit: string | undefined) => editUnits(text, { field, unit });
  const AMOUNT = 'Vault.Deposited.amount';

  it('are written into a new file, and beside labels, as a person would', () => {
    const units = `"units": {\n    "${AMOUNT}": "PBL"\n  }`;
    assert.equal(set('', AMOUNT, 'PBL'), `{\n  "labels": [],\n  ${units}\n}\n`);
    assert.equal(
      set(written, AMOUNT, 'PBL'),
      written.replace('"more": { "labels": [] }', `"more": { "labels": [] },\n  ${units}`),
    );
    assert.equal(set('{}', AMOUNT, 'PBL'), `{\n  ${units}}`);
    assert.equal(set('', AMOUNT, undefined), '');
  });

  it('are added, replaced and removed in place, with all else as it stood', () => {
    const one = set('', AMOUNT, 'PBL') ?? assert.fail();
    const two = set(one, 'Vault.total', 'a "b"') ?? assert.fail();
    assert.equal(two, one.replace('"PBL"', '"PBL",\n    "Vault.total": "a \\"b\\""'));
    assert.equal(set(two, 'Vault.total', undefined), one);
    assert.equal(set(two, AMOUNT, 'ether'), two.replace('"PBL"', '"ether"'));
    assert.deepEqual(JSON.parse(set(two, AMOUNT, undefined) ?? ''), {
      labels: [],
      units: { 'Vault.total': 'a "b"' },
    });
    assert.equal(set(one, 'Vault.none', undefined), one);
    const empty = set(one, AMOUNT, undefined) ?? assert.fail();
    assert.deepEqual(JSON.parse(set(empty, AMOUNT, 'wei') ?? ''), { labels: [], units: { [AMOUNT]: 'wei' } });
    assert.deepEqual(
      findUnits(two).map(({ field, unit, start, end }) => [field, unit, two.slice(start, end)]),
      [
        [AMOUNT, 'PBL', '"PBL"'],
        ['Vault.total', 'a "b"', '"a \\"b\\""'],
      ],
    );
  });

  it('stay with labels that are added, also to a file without any', () => {
    const text = editLabelsFile('{ "units": { "Vault.total": "PBL" } }', {
      address: other,
      chainId: undefined,
      name: 'A',
    });
    assert.deepEqual(JSON.parse(text ?? ''), {
      labels: [{ address: toChecksumAddress(other), name: 'A' }],
      units: { 'Vault.total': 'PBL' },
    });
  });

  it('are not written into what is no file of labels', () => {
    for (const broken of ['{', '[]', '{"labels":{}}', '{"units":[]}'])
      assert.equal(set(broken, AMOUNT, 'PBL'), undefined, broken);
    assert.deepEqual([findUnits('{'), findUnits('{}'), findUnits('{"units":7}')], [[], [], []]);
  });
});
