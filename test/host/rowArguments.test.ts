import assert from 'node:assert/strict';
import { commands, Uri } from 'vscode';
import {
  parseAccountArgument,
  parseAddressArgument,
  parseContractArgument,
  parseRowArgument,
} from '../../src/host/rowArguments.ts';
import { activateExtension } from './support/extension.ts';
import { HOLDER, nodesNamed } from './support/hostileNodes.ts';
import { recordShownTexts } from './support/shownWords.ts';

const CONTRACT = `0x${'22'.repeat(20)}`;

describe('what a menu hands to a command on an address', () => {
  const held = { kind: 'token', account: HOLDER, contract: CONTRACT, rawAmount: '5', copyText: '0.5' };

  it('is an address as text, or a row: of the account, of something that it holds, or under either', () => {
    assert.deepEqual(
      [parseAddressArgument(HOLDER), parseAccountArgument(HOLDER), parseContractArgument(HOLDER)],
      [HOLDER, HOLDER, HOLDER],
    );
    const account = { kind: 'address', account: HOLDER };
    assert.deepEqual(
      [parseAddressArgument(account), parseAccountArgument(account), parseContractArgument(account)],
      [...[HOLDER, HOLDER, undefined]],
    );
    assert.deepEqual(
      [parseAddressArgument(held), parseAccountArgument(held), parseContractArgument(held)],
      [CONTRACT, HOLDER, CONTRACT],
    );
    assert.equal(parseAccountArgument({ kind: 'note', parent: account }), HOLDER);
  });

  it('names the account for each kind of row that there is', () => {
    for (const node of nodesNamed('x')) assert.equal(parseAccountArgument(node), HOLDER, node.kind);
  });

  it('brings what the row has: amounts, a token id as text, a place', () => {
    assert.equal(parseRowArgument(held)?.rawAmount, '5');
    assert.equal(parseRowArgument({ ...held, tokenId: 7n })?.tokenId, '7');
    const uri = Uri.file('/x/A.sol');
    assert.deepEqual(parseRowArgument({ account: HOLDER, occurrence: { uri, line: 3 } })?.place, {
      uri,
      line: 3,
    });
  });

  it('may be nothing of these, and is refused where it names an address that is none', () => {
    for (const nothing of [
      undefined,
      null,
      7,
      { ...held, tokenId: {} },
      { occurrence: { uri: 'x', line: 0 } },
    ]) {
      assert.equal(parseRowArgument(nothing), undefined);
      assert.equal(parseAddressArgument(nothing), undefined);
    }
    assert.equal(parseAddressArgument(Uri.file('/x')), undefined);
    assert.throws(() => parseAddressArgument('0x12'), { kind: 'badInput' });
    assert.throws(() => parseAddressArgument({ ...held, contract: '0x12' }), { kind: 'badInput' });
  });

  it('is the row of the network for Select Network, which lets one be picked', async () => {
    await activateExtension();
    const words = recordShownTexts();
    try {
      await commands.executeCommand('chainside.selectNetwork', { kind: 'fact', fact: 'network' });
      assert.ok(words.shown.includes('Select Network'), words.shown.join('\n'));
      await commands.executeCommand('chainside.selectNetwork', 'nowhere');
      assert.ok(words.shown.includes('No network has the id “nowhere”.'), words.shown.join('\n'));
    } finally {
      words.leave();
    }
  });
});
