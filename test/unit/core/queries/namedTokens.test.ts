import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import type { Address } from '../../../../src/core/eth/hex.ts';
import { createContractIndex } from '../../../../src/core/project/index/contractIndex.ts';
import { fetchNamedUnits, findNamedToken } from '../../../../src/core/queries/namedTokens.ts';
import { contractFacts, deploymentFacts, fileFacts, toAddress } from '../../../support/projectFacts.ts';

const TOKEN_ABI = ['function symbol() view returns (string)', 'function decimals() view returns (uint8)'];
const units = (symbol: string, decimals = 18) => ({ symbol, decimals });

interface Deployed {
  readonly contract: string;
  readonly digit: string;
  readonly time?: number;
}

function placeOf(deployed: readonly Deployed[], tokens: Record<string, ReturnType<typeof units>>) {
  const index = createContractIndex();
  for (const name of new Set(deployed.map(({ contract }) => contract))) {
    const abi = name === 'Vault' ? [] : TOKEN_ABI;
    index.put(
      `src/${name}.sol`,
      fileFacts({ contracts: [contractFacts(name, { source: `src/${name}.sol`, abi })] }),
    );
  }
  for (const { contract, digit, time } of deployed) {
    const deployment = deploymentFacts({ address: toAddress(digit), chainId: '1', contract, time });
    index.put(`broadcast/${digit}.json`, fileFacts({ deployments: [deployment] }));
  }
  const read: Address[] = [];
  const fetchTokenUnits = async (address: Address) => {
    read.push(address);
    return tokens[address[2] ?? ''];
  };
  return { client: { fetchTokenUnits }, chainId: 1, index, read };
}

describe('The token that a unit means', () => {
  it('is an address, a name of the project, or else a symbol', async () => {
    const place = placeOf(
      [
        { contract: 'Token', digit: 'a' },
        { contract: 'Vault', digit: 'b' },
      ],
      { a: units('PBL'), c: units('OTHER', 6) },
    );
    assert.deepEqual(await findNamedToken(toAddress('c'), place), {
      address: toAddress('c'),
      units: units('OTHER', 6),
    });
    for (const name of ['Token', 'token', 'PBL'])
      assert.deepEqual(
        await findNamedToken(name, place),
        { address: toAddress('a'), units: units('PBL') },
        name,
      );
    // The symbol of a contract that has none is not requested.
    assert.ok(!place.read.includes(toAddress('b')));
  });

  it('is the newest deployment of a contract, and none of several contracts', async () => {
    const runs = [
      { contract: 'Token', digit: 'a', time: 1000 },
      { contract: 'Token', digit: 'b', time: 2000 },
    ];
    const both = { a: units('PBL'), b: units('PBL') };
    for (const name of ['Token', 'PBL'])
      assert.deepEqual((await findNamedToken(name, placeOf(runs, both))) as object, {
        address: toAddress('b'),
        units: both.b,
      });
    const [first, second] = runs;
    const others = placeOf([first, { ...second, contract: 'Copy' }] as Deployed[], both);
    const { reason } = await findNamedToken('PBL', others);
    assert.match(
      reason ? formatMessage(reason) : '',
      /^2 addresses are called PBL: 0x.{40}, 0x.{40}\. Enter the address/,
    );
  });

  it('is none that returns no decimals, or that nothing is called', async () => {
    const place = placeOf([{ contract: 'Vault', digit: 'b' }], {});
    const reasonOf = async (name: string) => {
      const { reason } = await findNamedToken(name, place);
      return reason && formatMessage(reason);
    };
    assert.match(
      (await reasonOf('Vault')) ?? '',
      /^Vault at 0x.{40} is not a token: it returns no decimals\.$/,
    );
    assert.equal(await reasonOf('PBL'), 'No token on this chain is called PBL.');
    const unitsOf = await fetchNamedUnits(['PBL', 'Vault'], place);
    assert.deepEqual([unitsOf('PBL'), unitsOf('Vault')], [undefined, undefined]);
  });
});
