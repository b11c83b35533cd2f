import assert from 'node:assert/strict';
import { compileJson } from '../../../../localnet/chain/solidity.ts';
import type { Address, IndexedDeployment } from '../../../../src/core/index.ts';
import {
  formatAddressesJson,
  formatAddressesMarkdown,
  formatAddressesSolidity,
  nameDeployments,
} from '../../../../src/features/contracts/addressFormats.ts';
import { toAddress as address, deploymentFacts } from '../../../support/projectFacts.ts';

const CHECKSUMMED = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

function deployment(fields: Partial<IndexedDeployment>): IndexedDeployment {
  const file = 'broadcast/run-latest.json';
  return { ...deploymentFacts({ address: address('1'), contract: 'Vault', ...fields }), file };
}

const chains = new Map([
  [1, 'Ethereum'],
  [11155111, 'Ethereum Sepolia'],
  [5, '5|<b>`x`'],
]);
const arranged = (deployments: readonly IndexedDeployment[]) =>
  nameDeployments(deployments, (chainId) => chains.get(chainId) ?? `chain ${chainId}`);

const many = arranged([
  deployment({
    chainId: '11155111',
    address: CHECKSUMMED.toLowerCase() as Address,
    block: 12n,
    commit: 'abcdef0123',
  }),
  deployment({ block: 3n, address: address('3') }),
  deployment({ block: 7n, address: address('7') }),
  deployment({ contract: 'myToken2', address: address('8') }),
  deployment({ contract: undefined, address: address('9') }),
]);

/** Names that a file may give to a contract. */
const hostile = arranged(
  [
    'vault',
    'VAULT',
    '',
    '9Lives',
    '…',
    'a"b\\c',
    '} contract Evil {',
    'x | y\nz',
    '*/',
    'constant',
    'ÄÖ',
    'Vault_2',
  ].map((contract, at) =>
    deployment({ contract, address: address('0123456789ab'[at] ?? '0'), chainId: at % 2 ? '5' : '77' }),
  ),
);

describe('exported addresses', () => {
  it('are JSON by chain id and name, the newest of one name first', () => {
    assert.deepEqual(JSON.parse(formatAddressesJson(many)), {
      1: {
        Vault: address('7'),
        Vault_2: address('3'),
        myToken2: address('8'),
        Unnamed_99999999: address('9'),
      },
      11155111: { Vault: CHECKSUMMED },
    });
    assert.deepEqual(JSON.parse(formatAddressesJson([])), {});
    assert.equal(
      Object.values<object>(JSON.parse(formatAddressesJson(hostile))).flatMap(Object.keys).length,
      12,
    );
  });

  it('are constants of Solidity that the compiler takes, a library for each chain', () => {
    const source = formatAddressesSolidity(many);
    assert.match(
      source,
      /^library EthereumSepoliaAddresses \{\n {4}address internal constant VAULT = 0x5FbD\w+;\n\}$/m,
    );
    assert.match(source, /constant VAULT_2 = 0x3+;/);
    const names = {
      local: 'Local',
      '31337': 'Chain1',
    };
    for (const [chain, name] of Object.entries(names)) {
      const found = formatAddressesSolidity(nameDeployments([deployment({})], () => chain));
      assert.ok(found.includes(`\nlibrary ${name}Addresses {\n`), found);
    }
    assert.match(source, /constant MY_TOKEN2 = 0x8+;/);
    // Not even a warning.
    for (const content of [source, formatAddressesSolidity(hostile)]) {
      const output = compileJson<{ errors?: unknown }>({ sources: { 'a.sol': { content } }, settings: {} });
      assert.equal(output.errors, undefined);
    }
  });

  it('are a table of Markdown in which names stay text', () => {
    const table = formatAddressesMarkdown(many).split('\n');
    assert.equal(table[0], '| Network | Chain ID | Contract | Address | Block | Commit |');
    assert.ok(
      table.includes(`| Ethereum Sepolia | 11155111 | Vault | \`${CHECKSUMMED}\` | 12 | abcdef01 |`),
      table.join('\n'),
    );
    const rows = formatAddressesMarkdown(hostile).trimEnd().split('\n');
    assert.equal(rows.length, 14);
    for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)?.length, 7, row);
    assert.ok(!/(?<!\\)<b>/.test(rows.join('')));
  });
});
