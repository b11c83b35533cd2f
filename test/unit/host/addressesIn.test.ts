import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimeSlices, toChecksumAddress } from '../../../src/core/index.ts';
import { findFileAddresses } from '../../../src/host/places/workspaceAddresses.ts';
import { createTestClock } from '../../support/testClock.ts';

const A = `0x${'ab'.repeat(20)}`;
const B = toChecksumAddress('0x00000000219ab540356cbb839cbe05303d7705fa');

async function found(text: string, path = 'a.json'): Promise<readonly string[]> {
  const slices = createTimeSlices(createTestClock());
  const all = await findFileAddresses(text, path, slices);
  return all.map(({ address, line, name, lines }) => [address, line, name, lines.join('+')].join(' '));
}

describe('the addresses in a text', () => {
  it('stand where they are named, with all their lines', async () => {
    const text = `${A}\n"x": "${B}"\n"treasury": "${A}" "${A}"\n${A}\n`;
    assert.deepEqual(await found(text), [`${A} 2 treasury 0+2+3`, `${B.toLowerCase()} 1 x 1`]);
  });

  it('are not special ones, masks, code or parts of longer hex', async () => {
    for (const text of [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(39)}9`,
      `0x${'0'.repeat(37)}100`,
      `0x${'f'.repeat(40)}`,
      `${A}ab`,
      `0x12${A.slice(2)}`,
      `"6080604052${A}"`,
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      `0x60806040${'5'.repeat(32)}`,
    ]) {
      assert.deepEqual(await found(text), [], text);
    }
  });

  it('are not numbers of assembly, where Solidity has no address', async () => {
    assert.deepEqual(await found(`mstore(ptr, ${A})`, 'a.sol'), []);
    assert.deepEqual(await found(`x := shl(96, ${A})`, 'a.yul'), []);
    assert.equal((await found(`mstore(ptr, ${B})`, 'a.sol')).length, 1);
    assert.equal((await found(`// and ${A}`, 'a.sol')).length, 1);
    assert.equal((await found(`vm.parseAddress("and ${A}")`, 'a.sol')).length, 1);
    assert.equal((await found(`add(${A})`, 'a.ts')).length, 1);
  });

  it('of OpenZeppelin’s Clones are none, and of its ERC-4337 those that are deployed', async () => {
    const read = (path: string) => readFileSync(join('node_modules/@openzeppelin/contracts', path), 'utf8');
    assert.deepEqual(await found(read('proxy/Clones.sol'), 'Clones.sol'), []);
    const utils = await found(read('account/utils/ERC4337Utils.sol'), 'ERC4337Utils.sol');
    assert.deepEqual(
      utils.map((one) => one.split(' ')[2]),
      ['ENTRYPOINT_V07', 'ENTRYPOINT_V08', 'ENTRYPOINT_V09'],
    );
  });

  it('are found in one line of ten thousand of them as well', async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, nth) => `0x${(nth + 0x100000).toString(16).padStart(40, '1')}`,
    );
    const all = await found(JSON.stringify({ holders: many }));
    assert.equal(all.length, 10_000);
    assert.equal(all[0], `${many[0]} 0 holders 0`);
  });
});
