import assert from 'node:assert/strict';
import { parseHardhatEndpoints, resolveProjectEndpoint } from '../../../../src/core/index.ts';
import { byTurns, isFullRun } from '../../../support/fullRun.ts';

const KEY = `0x${'7'.repeat(64)}`;
const env = (name: string) => `\${${name}}`;
const networks = (body: string, before = '') =>
  parseHardhatEndpoints(`${before}\nmodule.exports = { networks: { ${body} } };`);
/** Of a network with the URL that an expression has. */
const readUrl = (url: string, before?: string) => {
  const [endpoint] = networks(`n: { url: ${url} }`, before);
  return endpoint && [endpoint.template, ...(endpoint.fallback === undefined ? [] : [endpoint.fallback])];
};

describe('Networks of a hardhat.config', () => {
  it('are read from TypeScript of Hardhat 2', () => {
    const text = `
import { HardhatUserConfig, vars } from "hardhat/config";
import "@nomicfoundation/hardhat-toolbox";
import * as dotenv from "dotenv";
dotenv.config();

// networks: { fake: { url: "http://fake.example" } }
const INFURA_API_KEY = vars.get("INFURA_API_KEY");
const PRIVATE_KEY = process.env.PRIVATE_KEY ?? "${KEY}"
const { ALCHEMY_KEY, GOERLI_URL: goerli = "http://127.0.0.1:1" } = process.env;
const help = "networks: { fake: { url: 'http://fake.example' } }", pattern = /networks: {"/;
const networksHelp = \`module.exports = { networks: { fake: { url: "x" } } } \${INFURA_API_KEY ? \`{\${1}\` : "}"} {\`;

task("accounts", "Prints", async (_, hre) => {
  const config = { networks: { fake: { url: "http://fake.example" } } };
  for (const a of await hre.ethers.getSigners()) { console.log(a.address); }
});

const config: HardhatUserConfig = {
  solidity: { version: "0.8.28", settings: { optimizer: { enabled: true, runs: 200 } } },
  defaultNetwork: "hardhat",
  networks: {
    hardhat: { forking: { url: \`https://fork.example/\${ALCHEMY_KEY}\`, blockNumber: 1_000 }, chainId: 31337 },
    /* sepolia: { url: "http://old.example" }, */
    sepolia: {
      url: \`https://sepolia.infura.io/v3/\${INFURA_API_KEY}\`, // trailing
      accounts: [PRIVATE_KEY, "${KEY}"],
      chainId: 11_155_111,
      verify: { etherscan: { apiUrl: "https://api.example", url: "http://inner.example" } },
    },
    "arbitrum-one": { url: 'https://arb.example/' + process.env.ARB_KEY, chainId: 0xa4b1, accounts: { mnemonic: "test test" } },
    base: { url: process.env.BASE_URL || "https://mainnet.base.org", chainId: Number(process.env.CHAIN) },
    goerli: { url: goerli as string },
    97: { url: process.env["BSC_URL"]!, },
  },
  etherscan: { apiKey: { sepolia: "secret" }, customChains: [{ network: "x", urls: { apiURL: "y" } }] },
};

export default config;
`;
    const endpoints = parseHardhatEndpoints(text);
    assert.deepEqual(endpoints, [
      {
        alias: 'sepolia',
        template: `https://sepolia.infura.io/v3/${env('HARDHAT_VAR_INFURA_API_KEY')}`,
        chainId: 11155111,
      },
      { alias: 'arbitrum-one', template: `https://arb.example/${env('ARB_KEY')}`, chainId: 42161 },
      { alias: 'base', template: env('BASE_URL'), fallback: 'https://mainnet.base.org' },
      { alias: 'goerli', template: env('GOERLI_URL'), fallback: 'http://127.0.0.1:1' },
      { alias: '97', template: env('BSC_URL') },
    ]);
    assert.ok(!JSON.stringify(endpoints).includes(KEY));
  });

  it('are read from JavaScript of Hardhat 2', () => {
    const text = `
require("@nomiclabs/hardhat-waffle");
require('dotenv').config()
const fs = require('fs')
const mnemonic = fs.readFileSync(".secret").toString().trim()
const ALCHEMY = 'abc'
const PORT = 8545
const shared = { accounts: { mnemonic }, url: 'http://shared.example' }
const networks = {
  local: { url: "http://127.0.0.1:" + PORT, chainId: 31337 },
  polygon: { ...shared, url: \`https://polygon-mainnet.g.alchemy.com/v2/\${ALCHEMY}\` },
  shared,
  ...more,
}

/** @type import('hardhat/config').HardhatUserConfig */
module.exports = {
  solidity: "0.8.4",
  networks,
}
`;
    assert.deepEqual(parseHardhatEndpoints(text), [
      { alias: 'local', template: 'http://127.0.0.1:8545', chainId: 31337 },
      { alias: 'polygon', template: 'https://polygon-mainnet.g.alchemy.com/v2/abc' },
      { alias: 'shared', template: 'http://shared.example' },
    ]);
  });

  it('are read from Hardhat 3, with its configuration variables', () => {
    const text = `
import hardhatToolboxViemPlugin from "@nomicfoundation/hardhat-toolbox-viem";
import { configVariable, defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [hardhatToolboxViemPlugin],
  networks: {
    hardhatMainnet: { type: "edr-simulated", chainType: "l1" },
    sepolia: {
      type: "http", chainType: "l1",
      url: configVariable("SEPOLIA_RPC_URL"),
      accounts: [configVariable("SEPOLIA_PRIVATE_KEY")],
    },
    main: { type: "http", url: configVariable("KEY", { format: "https://eth.example/v2/{variable}" }) },
    older: { type: "http", url: configVariable("KEY", "https://old.example/{variable}"), },
    spare: { type: "http", url: configVariable("URL", { default: "http://127.0.0.1:8545" }) },
    unknown: { type: "http", url: configVariable("KEY", { format: toFormat("x") }) },
  },
});
`;
    assert.deepEqual(parseHardhatEndpoints(text), [
      { alias: 'sepolia', template: env('SEPOLIA_RPC_URL') },
      { alias: 'main', template: `https://eth.example/v2/${env('KEY')}` },
      { alias: 'older', template: `https://old.example/${env('KEY')}` },
      { alias: 'spare', template: env('URL'), fallback: 'http://127.0.0.1:8545' },
    ]);
  });

  it('are those of the exported object, or of the one with the type of a configuration', () => {
    const object = '{ networks: { n: { url: "http://x.example" } } }';
    for (const text of [
      `export default ${object}`,
      `export default ${object} satisfies HardhatUserConfig;`,
      `export = ${object}`,
      `const c = ${object} as const\nexport default c as HardhatUserConfig`,
      `const c = defineConfig(${object});\nmodule.exports = (c);`,
      `const config: import("hardhat/config").HardhatUserConfig = ${object};\nexport default withExtras(config);`,
      `const config: HardhatUserConfig & { more?: () => { [name: string]: string } } = ${object}`,
    ]) {
      assert.deepEqual(parseHardhatEndpoints(text), [{ alias: 'n', template: 'http://x.example' }], text);
    }
    for (const text of [
      object,
      `const config = ${object}`,
      `foo.module.exports = ${object}`,
      `f(${object})`,
    ]) {
      assert.deepEqual(parseHardhatEndpoints(text), [], text);
    }
  });

  it('have URLs of literals, variables and constants', () => {
    const before = `
const A = process.env.A;
const B = process.env.B || "";
const { C } = process.env
const E = process.env
const URLS = { main: \`https://main.example/\${A}\` }
const HOST = "https://x.example" as const`;
    for (const [url, ...expected] of [
      ['"https://x.example/\\u0061"', 'https://x.example/a'],
      ['process.env.X', env('X')],
      ['process?.env?.X', env('X')],
      ['(process.env.X as string)', env('X')],
      ['process.env.X! as string | undefined', env('X')],
      ['process.env.X ?? ""', env('X')],
      ['process.env.X || process.env.Y || "http://x"', env('X'), env('Y')],
      [`process.env.X ?? \`https://x.example/\${A}\``, env('X'), `https://x.example/${env('A')}`],
      ['vars.get("X", "http://x")', env('HARDHAT_VAR_X'), 'http://x'],
      [`\`\${HOST}/\${B}?k=\${process.env.K ?? "demo"}\``, `https://x.example/${env('B')}?k=${env('K')}`],
      [`\`https://x.example/${env(`\`v${env('2')}\``)}/\` + C`, `https://x.example/v2/${env('C')}`],
      ['URLS.main', `https://main.example/${env('A')}`],
      ['URLS["main"]', `https://main.example/${env('A')}`],
      ['E.X', env('X')],
    ] as const) {
      assert.deepEqual(readUrl(url, before), expected, url);
    }
  });

  it('are left out where something would have to be run or guessed', () => {
    const before = `
import { IMPORTED } from './urls';
let changed = "http://x.example";
const a = b, b = a;
const self = self + "x"
const picked = process.env.CI ? "http://ci.example" : "http://x.example"
const joined = ["http://x.example"]
  .join("/")
const { from } = other()`;
    for (const url of [
      'getUrl("sepolia")',
      `\`https://x.example/${env('getKey()')}\``,
      'process.env.X || getUrl()',
      'process.env.X ? "http://x.example" : "http://y.example"',
      'process.env[name]',
      'process.env["not a name"]',
      'process.env.X.replace("a", "b")',
      '"https://x.example".concat("/a")',
      'IMPORTED',
      'changed',
      'a',
      'self',
      'picked',
      'joined',
      'from',
      'missing',
      '5',
      '1 + 2',
      'true',
      '""',
      '["http://x.example"]',
      '{ a: "http://x.example" }',
      '"http://x.example',
      // Foundry's syntax would make variables of these.
      '"https://x.example/$KEY"',
      `'https://x.example/${env('KEY')}'`,
      `\`https://x.example/\\${env('KEY')}\``,
      `"https://x.example/${'a'.repeat(2_048)}"`,
    ]) {
      assert.deepEqual(readUrl(url, before), undefined, url);
    }
    assert.deepEqual(networks('"a b": { url: "http://x.example" }, [n]: { url: "http://x.example" }'), []);
    assert.deepEqual(
      networks('n: { url: "http://x.example", url() { return "" } }, get m() { return {} }'),
      [],
    );
    assert.deepEqual(networks('n: { url: "http://x.example", chainId: "5" }, n: { url: f() }'), []);
    assert.deepEqual(networks('n: { url: "http://x.example", chainId: 1 + 1 }'), [
      { alias: 'n', template: 'http://x.example' },
    ]);
  });

  it('resolve as those of Foundry do, with the fallback while a variable is not set', () => {
    const [endpoint] = networks('n: { url: process.env.URL ?? "http://127.0.0.1:8545" }');
    assert.ok(endpoint);
    const resolve = (url?: string) => resolveProjectEndpoint(endpoint, () => url).resolved;
    assert.deepEqual(resolve(), { url: 'http://127.0.0.1:8545', variables: [] });
    assert.deepEqual(resolve('https://x.example/key'), {
      url: `https://x.example/${env('env:URL')}`,
      variables: ['URL'],
    });
    assert.deepEqual(
      resolveProjectEndpoint({ alias: 'n', template: env('URL') }, () => undefined),
      { template: env('URL'), resolved: { missing: ['URL'] } },
    );
  });

  it('are none or some of a hostile text, which is never run and never throws', () => {
    const start = 'module.exports = { networks: { n: { url: ';
    const pieces = [
      ...[
        '{',
        '[',
        '(',
        '`',
        '`${',
        '`${`',
        '"',
        "'",
        '/*',
        '//',
        '/',
        '\\',
        '\n',
        'a',
        '1',
        '}',
        ')',
        '...',
      ],
      ...[
        'a:{',
        'a+',
        '(a+',
        '!',
        'as ',
        'as X<',
        'const ',
        'const a=',
        'const {a}=',
        'a||',
        'a.',
        "a['b']",
        '`}',
      ],
    ];
    for (const [nth, piece] of pieces.entries()) {
      const many = piece.repeat((isFullRun ? 1_000_000 : 200_000) / piece.length);
      const texts = [start + many, `networks ${many}`, many.slice(0, 90_000) + start];
      for (const text of byTurns(texts, 3, nth)) assert.ok(parseHardhatEndpoints(text).length <= 1, piece);
    }
    const chain = Array.from({ length: 10_000 }, (_, at) => `const a${at + 1} = a${at} + a${at}\n`).join('');
    assert.equal(readUrl('a9999', `const a0 = "x"\n${chain}`), undefined);
    assert.equal(readUrl(`${'('.repeat(10_000)}"http://x"${')'.repeat(10_000)}`), undefined);
    assert.deepEqual(parseHardhatEndpoints(`${' '.repeat(1_048_577)}${start}"http://x" } } }`), []);
    assert.equal(
      networks(Array.from({ length: 300 }, (_, at) => `n${at}: { url: "http://x" },`).join('')).length,
      200,
    );
  });
});
