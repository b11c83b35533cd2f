import assert from 'node:assert/strict';
import { compileGlob } from '../../../../src/host/workspace/ignoreRules.ts';

function meant(pattern: string, paths: readonly string[]): readonly string[] {
  const test = compileGlob(pattern, { braces: true }) ?? assert.fail(pattern);
  return paths.filter((path) => test(path.split('/')));
}

describe('globs of paths', () => {
  const paths = ['a', 'a/b', 'a/b/c.sol', 'x/a/b', 'ab', 'a.json', 'é.json'];
  for (const [pattern, expected] of [
    ['a', ['a']],
    ['a/*', ['a/b']],
    ['a/**', ['a', 'a/b', 'a/b/c.sol']],
    ['**/b', ['a/b', 'x/a/b']],
    ['**/*.sol', ['a/b/c.sol']],
    ['a?', ['ab']],
    ['?.json', ['a.json', 'é.json']],
    ['[!a].json', ['é.json']],
    ['[a-c]*', ['a', 'ab', 'a.json']],
    ['{a,x/**}/b', ['a/b', 'x/a/b']],
    ['{a{b,c},**/c}.{sol,json}', ['a/b/c.sol']],
    ['a\\*', []],
    ['[a', []],
    ['{a', []],
    ['*/*/*/**/*/**', []],
    ['**/**/b/**', ['a/b', 'a/b/c.sol', 'x/a/b']],
  ] as const) {
    it(`as ${pattern}`, () => assert.deepEqual(meant(pattern, paths), expected));
  }

  it('take no time that grows with what hostile ones could try', () => {
    const name = 'a'.repeat(255);
    const deep = Array.from({ length: 500 }, () => 'a');
    let looks = 0;
    const counted = new Proxy([...deep, 'b'], {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
        return Reflect.get(target, key);
      },
    });
    assert.equal(compileGlob(`${'*a'.repeat(400)}b`)?.([name]), false);
    assert.equal(compileGlob(`${'**/a/'.repeat(150)}c`)?.(counted), false);
    assert.ok(looks < 501 * 300 * 2, String(looks));
    assert.equal(compileGlob(`${'{a,b}'.repeat(100)}`, { braces: true })?.(['c']), false);
    assert.equal(compileGlob('a'.repeat(1001)), undefined);
  });
});
