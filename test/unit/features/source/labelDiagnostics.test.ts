import assert from 'node:assert/strict';
import { type Uri, workspace } from 'vscode';
import { createContractIndex } from '../../../../src/core/index.ts';
import { findLabelDiagnostics } from '../../../../src/features/source/labelDiagnostics.ts';
import { contractFacts, fileFacts, toAddress } from '../../../support/projectFacts.ts';

const TOKEN = toAddress('a');

describe('Problems in the labels of a team', () => {
  async function find(
    units: unknown,
    { labels = [] as readonly object[], path = '.chainside/labels.json', isChosen = true } = {},
  ) {
    const index = createContractIndex();
    const facts = contractFacts('Vault', {
      source: 'src/Vault.sol',
      abi: ['event Paid(address to, uint256 amount)'],
    });
    index.put('src/Vault.sol', fileFacts({ contracts: [facts] }));
    const fetchTokenUnits = async (address: string) => {
      return address === TOKEN ? { symbol: 'PBL', decimals: 6 } : undefined;
    };
    const connection = { client: { fetchTokenUnits }, network: { chainId: 1 } };
    const context = {
      session: { isChosen, connection },
      names: { contracts: { index: async () => index }, pathOf: (_: Uri) => path },
      signal: new AbortController().signal,
    };
    const document = await workspace.openTextDocument({ content: JSON.stringify({ labels, units }) });
    const found = await findLabelDiagnostics(
      document,
      context as unknown as Parameters<typeof findLabelDiagnostics>[1],
    );
    return found.map(({ severity, message, range }) => [severity, document.getText(range), message]);
  }

  it('are at a contract that the project does not have, and at a second one of an address', async () => {
    const entry = (contract: string, chainId = 1) => ({ address: TOKEN, contract, chainId });
    const labels = [
      { address: TOKEN, name: 'Mine' },
      entry('Vault'),
      entry('src/Vault.sol:Vault', 10),
      entry('Vault'),
      entry('lib/Vault.sol:Vault', 7),
    ];
    assert.deepEqual(await find({}, { labels }), [
      ['error', '"Vault"', 'An entry above has the contract of this address.'],
      [
        ...['error', '"lib/Vault.sol:Vault"'],
        'The project has no contract lib/Vault.sol:Vault. Build it, or write the name of another.',
      ],
    ]);
  });

  it('are at the unit, and say what is wrong with the field, the unit or the token', async () => {
    const units = {
      'Vault.Paid.amount': TOKEN,
      'Vault.Paid.to': 'ether',
      'Volt.Paid.amount': 'PBL',
      'Vault.Paid.amount ': toAddress('b'),
    };
    const found = await find(units);
    assert.deepEqual(found.slice(0, 2), [
      [
        'error',
        '"ether"',
        'Vault.Paid.to: Vault has no such integer. Enter Contract.Event.parameter, or Contract.function for what it returns.',
      ],
      ['error', '"PBL"', 'Volt.Paid.amount: no contract of the project is called Volt.'],
    ]);
    assert.deepEqual(found[2]?.slice(0, 2), ['warning', `"${toAddress('b')}"`]);
    assert.match(String(found[2]?.[2]), /is not a token: it returns no decimals\.$/);
    assert.equal(found.length, 3);
  });

  it('are none of other files, and none of tokens while no network is chosen', async () => {
    const units = { 'Vault.Paid.amount': 'Nobody' };
    assert.deepEqual(await find(units, { path: 'data/labels.json' }), []);
    assert.deepEqual(await find(units, { isChosen: false }), []);
    assert.deepEqual(
      (await find(units)).map(([severity]) => severity),
      ['warning'],
    );
    assert.deepEqual(await find('PBL'), []);
  });
});
