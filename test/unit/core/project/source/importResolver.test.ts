import assert from 'node:assert/strict';
import { createImportResolver } from '../../../../../src/core/index.ts';

describe('places of an import', () => {
  const plain = createImportResolver({ remappings: [], libs: ['lib', 'node_modules'] });
  /** That an import may be at each of these places. */
  const mayBeAt = (from: string, written: string, ...wanted: readonly string[]) => {
    const places = plain(from, written);
    for (const place of wanted) assert.ok(places.includes(place), `${written} ${place}`);
  };

  it('takes a remapping with a context for files of that folder only, not of one whose name begins so', () => {
    const rules = [
      { context: undefined, prefix: '@oz/', target: 'lib/oz-v5' },
      { context: 'lib/old', prefix: '@oz/', target: 'lib/oz-v4' },
    ];
    const first = (from: string) =>
      createImportResolver({ remappings: rules, libs: [] })(from, '@oz/A.sol')[0];
    assert.equal(first('lib/old/src/B.sol'), 'lib/oz-v4/A.sol');
    assert.equal(first('lib/older/src/B.sol'), 'lib/oz-v5/A.sol');
    assert.equal(first('src/B.sol'), 'lib/oz-v5/A.sol');
  });

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
    mayBeAt('src/A.sol', 'forge-std/Test.sol', 'lib/forge-std/src/Test.sol');
    const oz = ['packages/a/src/A.sol', '@openzeppelin/contracts/token/ERC20.sol'] as const;
    const npm = 'node_modules/@openzeppelin/contracts/token/ERC20.sol';
    mayBeAt(...oz, 'lib/openzeppelin-contracts/contracts/token/ERC20.sol', `packages/a/${npm}`, npm);
    mayBeAt('lib/a/src/A.sol', 'b/B.sol', 'lib/a/lib/b/src/B.sol');
    assert.equal(plain('src/A.sol', 'src/B.sol')[0], 'src/B.sol');
    assert.equal(new Set(plain(...oz)).size, plain(...oz).length);
  });

  it('are those of the package where Remix writes a version', () => {
    const written = '@openzeppelin/contracts@5.0.2/access/Gate.sol';
    const plainly = '@openzeppelin/contracts/access/Gate.sol';
    const ofNpm = [`node_modules/${plainly}`, `.deps/npm/${written}`, `.deps/npm/${plainly}`];
    mayBeAt('contracts/A.sol', written, ...ofNpm, 'lib/openzeppelin-contracts/contracts/access/Gate.sol');
    const remappings = [{ context: undefined, prefix: '@openzeppelin/', target: 'lib/oz' }];
    const remapped = createImportResolver({ remappings, libs: [] })('A.sol', written);
    assert.ok(remapped.includes('lib/oz/contracts/access/Gate.sol'));
    mayBeAt('A.sol', 'solady@0.1.3/src/B.sol', 'node_modules/solady/src/B.sol');
    assert.ok(!plain('A.sol', 'a@b').some((place) => place.endsWith('/a')));
  });

  it('are those of the package or the repository for a URL', () => {
    const path = 'contracts/access/Door.sol';
    const urls = [
      `https://github.com/OpenZeppelin/openzeppelin-contracts/blob/v5.0.2/${path}`,
      `https://github.com/OpenZeppelin/openzeppelin-contracts/raw/master/${path}`,
      `https://www.github.com/OpenZeppelin/openzeppelin-contracts/blob/release-v5.0/${path}?raw=true`,
      `github.com/OpenZeppelin/openzeppelin-contracts/${path}`,
      `https://raw.githubusercontent.com/OpenZeppelin/openzeppelin-contracts/refs/heads/master/${path}`,
      `https://raw.githubusercontent.com/OpenZeppelin/openzeppelin-contracts/v5.0.2/${path}`,
      `https://cdn.jsdelivr.net/gh/OpenZeppelin/openzeppelin-contracts@5.0.2/${path}`,
    ];
    const npm = 'node_modules/@openzeppelin/contracts/access/Door.sol';
    const folders = ['lib/openzeppelin-contracts', '.deps/github/OpenZeppelin/openzeppelin-contracts'];
    for (const url of urls) mayBeAt('src/A.sol', url, npm, ...folders.map((folder) => `${folder}/${path}`));
    for (const cdn of ['https://unpkg.com', 'https://cdn.jsdelivr.net/npm'])
      mayBeAt('src/A.sol', `${cdn}/@openzeppelin/contracts@5.0.2/access/Door.sol`, npm);
    for (const [repository, place] of [
      ['Uniswap/v3-core/blob/main/contracts/Pool.sol', '@uniswap/v3-core/contracts/Pool.sol'],
      ['smartcontractkit/chainlink/blob/develop/contracts/src/Feed.sol', '@chainlink/contracts/src/Feed.sol'],
    ] as const)
      mayBeAt('A.sol', `https://github.com/${repository}`, `node_modules/${place}`);
    const upward = plain('A.sol', 'https://github.com/a/b/blob/main/../../../../../../../x.sol');
    assert.ok(upward.every((place) => !place.includes('..')));
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
