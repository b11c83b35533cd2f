import assert from 'node:assert/strict';
import { abi, address, readDeployments, readFactsOf } from '../../../support/projectFacts.ts';

describe('assets of safe-deployments', () => {
  const path = 'src/assets/v1.3.0/safe.json';
  const asset = (more: object) => ({ contractName: 'Safe', version: '1.3.0', ...more, abi });

  it('have, by chain, the names of addresses', () => {
    const deployments = { canonical: { address: address('A') }, eip155: { address: address('b') } };
    const networkAddresses = {
      1: 'canonical',
      10: ['eip155', 'canonical', 'toString'],
      x: 'eip155',
      0: 'eip155',
    };
    assert.deepEqual(readDeployments(path, asset({ deployments, networkAddresses })), [
      `1 Safe ${address('a')}`,
      `10 Safe ${address('b')}`,
      `10 Safe ${address('a')}`,
    ]);
  });

  it('had the address itself', () => {
    const networkAddresses = { 4: address('a'), 5: '0x12', 6: null };
    const before = asset({ defaultAddress: address('a'), networkAddresses });
    assert.deepEqual(readDeployments(path, before), [`4 Safe ${address('a')}`]);
    assert.deepEqual(readFactsOf(path, before).contracts[0]?.name, 'Safe');
  });

  it('end somewhere', () => {
    const deployments = { canonical: { address: address('a') } };
    const networkAddresses = { 1: new Array(20_000).fill('canonical') };
    assert.equal(readFactsOf(path, asset({ deployments, networkAddresses })).deployments.length, 5_000);
  });
});
