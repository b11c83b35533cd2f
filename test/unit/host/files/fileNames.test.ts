import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isForbiddenOnWindows } from '../../../../src/core/files/disk.ts';
import { suggestFileName } from '../../../../src/host/files/fileNames.ts';

describe('suggested file name', () => {
  it('is made of what the file is about', () => {
    assert.equal(suggestFileName(['HUSD', 'Transfer', '0', '598'], 'csv'), 'HUSD-Transfer-0-598.csv');
    assert.equal(suggestFileName(['Казна', undefined, '0', '1'], 'json'), 'Казна-0-1.json');
    assert.equal(suggestFileName(['Uniswap v2: Router', '', '7'], 'csv'), 'Uniswap-v2-Router-7.csv');
  });

  it('leads nowhere else and hides nothing', () => {
    assert.equal(suggestFileName(['../../etc/passwd'], 'csv'), 'etc-passwd.csv');
    assert.equal(suggestFileName(['.bashrc', 'a\u202evsc.exe'], 'csv'), 'bashrc-a-vsc.exe.csv');
    assert.equal(suggestFileName(['con'], 'csv'), '_con.csv');
    assert.equal(suggestFileName(['💥', '/'], 'csv'), 'file.csv');
  });

  it('is a name of a file on every system, whatever it is made of', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('CON', 'nul.', 'COM¹', 'lpt1 ', '..', '-', ' ', '漢'.repeat(200), 'e\u0301'.repeat(99)),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
        const name = suggestFileName(parts, 'ndjson');
        assert.ok(!isForbiddenOnWindows(name), name);
        assert.doesNotMatch(name, /[/\\\s\p{Cc}\p{Cf}]|^[.-]|\.\./u);
        assert.ok(Buffer.byteLength(name) <= 210, name);
        assert.equal(Buffer.from(name).toString(), name);
      }),
    );
  });
});
