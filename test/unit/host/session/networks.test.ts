import assert from 'node:assert/strict';
import { getExplorerLink } from '../../../../src/host/session/networks.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';

describe('A link to the explorer website', () => {
  it('goes to the page of what it is about', () => {
    for (const base of [
      'https://explorer.example',
      'https://explorer.example/',
      'https://explorer.example//',
    ]) {
      assert.equal(getExplorerLink(base, 'block', 7n), 'https://explorer.example/block/7');
    }
    assert.equal(
      getExplorerLink('http://127.0.0.1:4000/sub/', 'transaction', '0xab'),
      'http://127.0.0.1:4000/sub/tx/0xab',
    );
  });

  it('is none where the setting is no page of the web', () => {
    for (const url of [
      undefined,
      '',
      'x',
      'javascript:alert(1)',
      'command:a',
      'file:///etc',
      'https://u:p@x.example',
    ]) {
      assert.equal(getExplorerLink(url, 'block', 7n), undefined);
    }
  });

  it('has neither spaces nor controls, whatever stands in the setting', () => {
    for (const [what, text] of Object.entries(hostileTexts)) {
      assert.equal(getExplorerLink(text, 'block', 7n), undefined, what);
      const link = getExplorerLink(`https://x.example/${text}`, 'block', 7n) ?? '';
      assert.match(link, /^https:\/\/x\.example[!-~]*\/block\/7$/, what);
    }
  });

  it('takes no longer for a million slashes', () => {
    const link = getExplorerLink(`https://x.example/${'/'.repeat(1_000_000)}x`, 'block', 7n);
    assert.ok(link?.endsWith('/x/block/7'));
  });
});
