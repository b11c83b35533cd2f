import assert from 'node:assert/strict';
import {
  findEtherscanKey,
  listFoundryEtherscanKeys,
  listHardhatEtherscanKeys,
} from '../../../../src/core/index.ts';

const KEY = 'ABCDEFGH1JKLMNOPQRSTUVWXYZ23456789';
const OTHER_KEY = 'ZYXWVUTSRQ1234567890ABCDEFGHIJKLMN';
const DEFAULT = { variable: 'ETHERSCAN_API_KEY' };
const env = (name: string) => `\${${name}}`;

describe('Etherscan keys that a foundry.toml names', () => {
  const list = listFoundryEtherscanKeys;

  const forms: readonly (readonly [name: string, toml: string, expected: readonly object[]])[] = [
    ['a variable of a network', `[etherscan]\nmainnet = { key = "${env('SCAN')}" }`, [{ variable: 'SCAN' }]],
    ['a table of a network', `[etherscan.sepolia]\nkey = "${env(' SCAN ')}"`, [{ variable: 'SCAN' }]],
    ['a literal', `[etherscan]\nmainnet = { key = "${KEY}" }`, [{ literal: KEY }]],
    ['a top-level key', `etherscan_api_key = "${env('SCAN')}"`, [{ variable: 'SCAN' }]],
    ['a profile', `[profile.default]\netherscan_api_key = "${env('SCAN')}"`, [{ variable: 'SCAN' }]],
    ['the old default profile', `[default]\netherscan_api_key = "${KEY}"`, [{ literal: KEY }]],
    [
      'a profile before a network',
      `[profile.default]\netherscan_api_key = "${env('A')}"\n[etherscan]\nmainnet = { key = "${env('B')}" }`,
      [{ variable: 'A' }, { variable: 'B' }],
    ],
    [
      'an alias, which is no key',
      `[profile.default]\netherscan_api_key = "sepolia"\n[etherscan]\nsepolia = { key = "${KEY}" }`,
      [{ literal: KEY }],
    ],
    [
      'a chain by name and by ID',
      `[etherscan]\na = { key = "${env('A')}", chain = "mainnet" }\nb = { key = "${env('B')}", chain = 11155111 }`,
      [{ variable: 'A' }, { variable: 'B' }],
    ],
    [
      'one key for many networks',
      `[etherscan]\nbase = { key = "${env('MY_ETHERSCAN')}" }\narbitrum = { key = "${env('MY_ETHERSCAN')}" }`,
      [{ variable: 'MY_ETHERSCAN' }],
    ],
    [
      "Etherscan's own URLs",
      `[etherscan]
mainnet = { key = "${env('A')}", url = "https://api.etherscan.io/v2/api?chainid=1" }
sepolia = { key = "${env('B')}", url = "https://api-sepolia.etherscan.io/api" }`,
      [{ variable: 'A' }, { variable: 'B' }],
    ],
    ['nothing', '[profile.default]\nsrc = "src"', []],
  ];
  for (const [name, toml, expected] of forms) {
    it(`are read from ${name}`, () => assert.deepEqual(list(toml), [...expected, DEFAULT]));
  }

  it('are not those of other services', () => {
    const toml = `
[etherscan]
base = { key = "${env('BASESCAN_API_KEY')}" }
bsc = { key = "${KEY}" }
optimism = { key = "${env('OPTIMISTIC_ETHERSCAN_KEY')}" }
mainnet = { key = "${env('BLOCKSCOUT_KEY')}", url = "https://eth.blockscout.com/api" }
sepolia = { key = "${OTHER_KEY}", url = "https://api.etherscan.io.evil.example/v2/api" }
holesky = { key = "${KEY}", url = "https://api.etherscan.io@evil.example/" }
hoodi = { key = "${KEY}", url = "not a URL" }
`;
    assert.deepEqual(list(toml), [DEFAULT]);
  });

  it('are no mixtures, placeholders, or values of other types', () => {
    for (const key of [
      `"a${env('B')}"`,
      `"${env('A')}${env('B')}"`,
      '"$SCAN"',
      '"YOUR_ETHERSCAN_API_KEY"',
      '"YourApiKeyTokenYourApiKeyTokenYour"',
      '""',
      '5',
      '["a"]',
      `"${'7'.repeat(64)}"`,
      `"${env('a-b')}"`,
    ]) {
      assert.deepEqual(list(`[etherscan]\nmainnet = { key = ${key} }`), [DEFAULT], key);
    }
  });

  it('are none where the file is no TOML, and few where it has many', () => {
    assert.deepEqual(list('[etherscan'), []);
    assert.deepEqual(list('etherscan = 5\nprofile = "x"\ndefault = []'), [DEFAULT]);
    const many = Array.from({ length: 3_000 }, (_, n) => `n${n} = { key = "${env(`ETHERSCAN_${n}`)}" }`);
    assert.equal(list(`[etherscan]\n${many.join('\n')}`).length, 8);
  });
});

describe('Etherscan keys that a hardhat.config names', () => {
  const list = listHardhatEtherscanKeys;
  const ofHardhat2 = (apiKey: string) => list(`module.exports = { etherscan: { apiKey: ${apiKey} } };`);

  // The other forms of an expression are those of the URLs of endpoints.
  const forms: readonly (readonly [name: string, apiKey: string, expected: readonly object[]])[] = [
    ['a literal', `"${KEY}"`, [{ literal: KEY }]],
    ['the environment', 'process.env.SCAN', [{ variable: 'SCAN' }]],
    [
      'the environment or a literal',
      `process.env.SCAN ?? "${KEY}"`,
      [{ variable: 'SCAN' }, { literal: KEY }],
    ],
    [
      'a map by network',
      `{ mainnet: process.env.SCAN, sepolia: process.env.SCAN, bsc: process.env.BSCSCAN, base: "${KEY}" }`,
      [{ variable: 'SCAN' }],
    ],
    ['a map of one key', '{ polygon: process.env.ETHERSCAN_KEY }', [{ variable: 'ETHERSCAN_KEY' }]],
    ['a mixture', '"a" + process.env.SCAN', []],
    ['a placeholder', '"YOUR_API_KEY_OF_ETHERSCAN_IS_HERE"', []],
  ];
  for (const [name, apiKey, expected] of forms) {
    it(`are read from ${name}`, () => assert.deepEqual(ofHardhat2(apiKey), expected));
  }

  it('are read from Hardhat 3', () => {
    const ofHardhat3 = (apiKey: string) =>
      list(`
import { configVariable, defineConfig } from "hardhat/config";
export default defineConfig({ verify: { blockscout: { enabled: false }, etherscan: { apiKey: ${apiKey} } } });`);
    assert.deepEqual(ofHardhat3('configVariable("ETHERSCAN_API_KEY")'), [DEFAULT]);
    assert.deepEqual(ofHardhat3(`"${KEY}"`), [{ literal: KEY }]);
    assert.deepEqual(ofHardhat3('configVariable("A", "Bearer {variable}")'), []);
  });

  it('are none in a text of another kind or length', () => {
    for (const text of ['', `module.exports = { etherscan: { apiKey: "${KEY}" } }`.padEnd(2_000_000)])
      assert.deepEqual(list(text), []);
  });
});

describe('The value of an Etherscan key', () => {
  const values: Readonly<Record<string, string>> = {
    SET: KEY,
    PADDED: ` ${KEY}\n`,
    EMPTY: '',
    PLACEHOLDER: 'YOUR_ETHERSCAN_API_KEY',
    PRIVATE_KEY: `0x${'7'.repeat(64)}`,
    TOKEN: 'ghp_123456789012345678901234567890123456',
  };
  const find = (...references: Parameters<typeof findEtherscanKey>[0]) =>
    findEtherscanKey(references, (name) => values[name]);

  it('is that of the first reference that has one', () => {
    assert.deepEqual(
      find({ variable: 'UNSET' }, { variable: 'EMPTY' }, { variable: 'SET' }, { literal: OTHER_KEY }),
      {
        reference: { variable: 'SET' },
        key: KEY,
      },
    );
    assert.equal(find({ variable: 'PADDED' })?.key, KEY);
    assert.deepEqual(find({ literal: OTHER_KEY }), { reference: { literal: OTHER_KEY }, key: OTHER_KEY });
  });

  it('is none that cannot be a key of Etherscan', () => {
    for (const variable of ['UNSET', 'EMPTY', 'PLACEHOLDER', 'PRIVATE_KEY', 'TOKEN']) {
      assert.equal(find({ variable }), undefined, variable);
    }
  });
});
