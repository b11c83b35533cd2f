import assert from 'node:assert/strict';
import { createImportResolver } from '../../../../../src/core/index.ts';

describe('places of an import', () => {
  const plain = createImportResolver({ remappings: [], libs: ['lib', 'node_modules'] });

  it('are beside the file where it is relative, and never outside of all', () => {
    assert.deepEqual(plain('src/a/A.sol', './B.sol'), ['src/a/B.sol']);
    assert.deepEqual(plain('src/a/A.sol', '../.././b//B.sol'), ['b/B.sol']);
    assert.deepEqual(plain('src/A.sol', '../../B.sol'), []);
    assert.equal(plain('A.sol', 'a/../../B.sol')[0], 'B.sol');
    assert.deepEqual(plain('A.sol', `./${'a'.repeat(1_000)}`), []);
  });

  it('are those of the longest context and prefix first, as solc takes remappings', () => {
    const remapping = (context: string | undefined, prefix: string, target: string) => ({
      context,
      prefix,
      target,
    });
    const resolve = createImportResolver({
      remappings: [
        remapping(undefined, '@oz/', 'lib/oz/contracts'),
        remapping(undefined, '@oz/token/', 'lib/token/'),
        remapping('lib/old', '@oz/', 'lib/oz4/contracts/'),
        remapping(undefined, 'solady', 'lib/solady/src'),
      ],
      libs: [],
    });
    assert.equal(resolve('src/A.sol', '@oz/B.sol')[0], 'lib/oz/contracts/B.sol');
    assert.equal(resolve('src/A.sol', '@oz/token/B.sol')[0], 'lib/token/B.sol');
    assert.equal(resolve('lib/old/A.sol', '@oz/token/B.sol')[0], 'lib/oz4/contracts/token/B.sol');
    assert.equal(resolve('src/A.sol', 'solady/B.sol')[0], 'lib/solady/src/B.sol');
    assert.equal(resolve('src/A.sol', './@oz/B.sol')[0], 'src/@oz/B.sol');
  });

  it('are libraries of Foundry, packages of npm in the folders above, and the root', () => {
    const std = plain('src/A.sol', 'forge-std/Test.sol');
    assert.ok(std.includes('lib/forge-std/src/Test.sol'));
    const oz = plain('packages/a/src/A.sol', '@openzeppelin/contracts/token/ERC20.sol');
    for (const place of [
      'lib/openzeppelin-contracts/contracts/token/ERC20.sol',
      'packages/a/node_modules/@openzeppelin/contracts/token/ERC20.sol',
      'node_modules/@openzeppelin/contracts/token/ERC20.sol',
    ]) {
      assert.ok(oz.includes(place), place);
    }
    assert.ok(plain('lib/a/src/A.sol', 'b/B.sol').includes('lib/a/lib/b/src/B.sol'));
    assert.equal(plain('src/A.sol', 'src/B.sol')[0], 'src/B.sol');
    assert.equal(new Set(oz).size, oz.length);
  });

  it('begin in the folder of the project', () => {
    const remappings = [{ context: 'src', prefix: '@oz/', target: 'lib/oz/' }];
    const resolve = createImportResolver({ remappings, libs: ['lib'], folder: 'apps/x' });
    assert.deepEqual(resolve('apps/x/src/A.sol', '@oz/B.sol').slice(0, 2), [
      'apps/x/lib/oz/B.sol',
      'apps/x/@oz/B.sol',
    ]);
    assert.notEqual(resolve('src/A.sol', '@oz/B.sol')[0], 'apps/x/lib/oz/B.sol');
  });

  it('of Vyper are modules and interfaces, from the root or beside the file', () => {
    assert.deepEqual(plain('src/a/A.vy', '.math'), ['src/a/math.vy', 'src/a/math.vyi']);
    assert.deepEqual(plain('src/a/A.vy', '..lib.math').slice(0, 1), ['src/lib/math.vy']);
    assert.deepEqual(plain('src/A.vyi', 'snekmate.auth.ownable'), [
      ...['snekmate/auth/ownable.vy', 'snekmate/auth/ownable.vyi'],
      ...['src/snekmate/auth/ownable.vy', 'src/snekmate/auth/ownable.vyi'],
    ]);
  });
});
