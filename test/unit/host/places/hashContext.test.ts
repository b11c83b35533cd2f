import assert from 'node:assert/strict';
import { getHashContext } from '../../../../src/host/places/hashContext.ts';

const HEX = `0x${'ab'.repeat(32)}`;

function contextOf(text: string, path = '/w/notes.txt') {
  return getHashContext({ path, line: text, character: text.indexOf('0x') });
}

describe('what may be done with 32 bytes in a text', () => {
  it('is to ask where the text calls them a hash', () => {
    for (const text of [
      `"transactionHash": "${HEX}",`,
      `tx: ${HEX}`,
      `bytes32 constant TX_HASH = ${HEX};`,
      `https://explorer.example/tx/${HEX}`,
      `blockHash ${HEX}`,
      `${HEX} // the receipt of it`,
    ]) {
      assert.equal(contextOf(text), 'ask', text);
    }
    assert.equal(contextOf(`"${HEX}",`, '/w/broadcast/Deploy.s.sol/1/run-latest.json'), 'ask');
  });

  it('is only to offer it where the text says nothing', () => {
    assert.equal(contextOf(HEX), 'offer');
    assert.equal(contextOf(`bytes32 constant ROOT = ${HEX};`), 'offer');
  });

  it('is nothing where they may be a key', () => {
    for (const text of [
      `PRIVATE_KEY=${HEX}`,
      `const privateKey = "${HEX}"; // tx sender`,
      `uint256 pk = ${HEX};`,
      `vm.startBroadcast(${HEX}); // hash`,
      `vm.sign(${HEX}, txHash)`,
      `vm.addr(${HEX})`,
      `new Wallet("${HEX}")`,
      `seed ${HEX}`,
      `${HEX} is the secret`,
    ]) {
      assert.equal(contextOf(text), 'secret', text);
    }
    for (const path of ['/w/.env', '/w/.env.local', '/w/deploy.key', '/w/prod.env']) {
      assert.equal(contextOf(`TX_HASH=${HEX}`, path), 'secret', path);
    }
  });

  it('takes no time on a long line', () => {
    const text = `${'key'.repeat(1_000_000)} ${'x'.repeat(200)} hash ${HEX} ${'y'.repeat(1_000_000)}`;
    assert.equal(contextOf(text), 'ask');
  });
});
