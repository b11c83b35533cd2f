import assert from 'node:assert/strict';
import { findTerminalLinks } from '../../../../src/features/decode/terminalLinks.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';

const ADDRESS = `0x${'5a'.repeat(20)}`;
const HASH = `0x${'7a'.repeat(32)}`;
const REVERT = encodeItem('error Error(string message)', 'said in the terminal');

describe('links in a terminal', () => {
  const linksOf = (line: string) =>
    findTerminalLinks(line).map(({ kind, startIndex, length }) => [
      kind,
      line.slice(startIndex, startIndex + length),
    ]);

  it('run the call of an error that has its target as well', () => {
    const data = `0x12345678${'5'.padStart(64, '0')}`;
    const line = `Error: execution reverted (data="${REVERT}", transaction={ "data": "${data}", "to": "${ADDRESS}" })`;
    const links = findTerminalLinks(line).map(({ tooltip, call }) => [tooltip, call]);
    assert.deepEqual(links, [
      ['Look Up Address', undefined],
      ['Decode', undefined],
      ['Simulate Call', { to: ADDRESS, data, value: '0x0' }],
    ]);
  });

  it('are of addresses, hashes and hex of a call or a revert', () => {
    const panic = `0x4e487b71${'32'.padStart(64, '0')}`;
    const unknown = `0x245aecd3: ${'1'.padStart(64, '0')}`;
    assert.deepEqual(linksOf(`from ${ADDRESS}, tx ${HASH}: ${panic} | custom error ${unknown}`), [
      ['address', ADDRESS],
      ['transaction', HASH],
      ['hex', panic],
      ['hex', unknown],
    ]);
    assert.deepEqual(linksOf('custom error 0x245aecd3'), [['hex', '0x245aecd3']]);
    const word = `0x${'5'.padStart(64, '0')}`;
    assert.deepEqual(linksOf(`slot ${word}`), [['hex', word]], 'a small number is no hash');
    assert.deepEqual(linksOf(`code 0x6080${'ab'.repeat(50)} and 0x12`), []);
    const [link] = findTerminalLinks(`custom error ${unknown}`);
    assert.equal(link?.value, unknown.replace(': ', ''));
  });

  it('offer no private key to be looked up', () => {
    for (const line of [`Private key: ${HASH}`, `PRIVATE_KEY=${HASH} forge test`, `(0) ${HASH}`]) {
      assert.deepEqual(linksOf(line), [], line);
    }
    assert.deepEqual(linksOf(`(0) ${ADDRESS} (10000 ETH)`), [['address', ADDRESS]]);
  });

  it('are those at the beginning of a line of megabytes', () => {
    assert.equal(findTerminalLinks(`${ADDRESS} `.repeat(100_000)).length, 50);
  });
});
