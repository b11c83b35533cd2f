import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { npm } from '../../../scripts/support/npm.ts';
import { packageCli } from '../../../scripts/support/packages.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { startMcp } from '../../support/mcpProgram.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../support/sharedLocalnet.ts';

/** The Node that npm runs on, which may be the oldest that is supported, and the one of the scripts. */
const nodes = [...new Set([process.env.npm_node_execpath ?? process.execPath, process.execPath])];

describe('npm package', () => {
  const { version, engines } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  /** Whose path has a space, as many have on Windows. */
  let folder: string;
  let localnet: SharedLocalnet;

  before(async () => {
    localnet = await sharedLocalnet();
    folder = join(await mkdtemp(join(tmpdir(), 'chainside-npm-')), 'my project');
    await mkdir(folder);
    const tarball = await packageCli(dirname(folder));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    await npm(['install', tarball, '--offline'], folder);
  });
  after(() => removeFolder(dirname(folder)));

  const program = () => join(folder, 'node_modules', '.bin', 'chainside');

  it('has one program and what is said about it, and installs nothing else', async () => {
    const packages = join(folder, 'node_modules');
    const installed = await readdir(packages);
    assert.deepEqual(
      installed.filter((name) => !name.startsWith('.')),
      ['chainside'],
    );
    assert.deepEqual((await readdir(join(packages, 'chainside'))).sort(), [
      ...['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'cli.js', 'package.json'],
    ]);
    const manifest = JSON.parse(await readFile(join(packages, 'chainside', 'package.json'), 'utf8'));
    assert.deepEqual([manifest.version, manifest.engines], [version, { node: engines.node }]);
    assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined]);
    const notices = await readFile(join(packages, 'chainside', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['undici', '@modelcontextprotocol/server', 'zod'])
      assert.ok(notices.includes(`\n${name} `), name);
    const readme = await readFile(join(packages, 'chainside', 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.deepEqual(
      links.filter((target) => !/^(?:https:\/\/|#)/.test(target)),
      [],
    );
  });

  it('says which Node it needs on an older one', () => {
    const older = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.18.3"}})';
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(older)}`, program(), '--version'],
      { encoding: 'utf8' },
    );
    const oldest = engines.node.replace('>=', '');
    const message = `Chainside needs Node ${oldest} or newer. This is Node 20.18.3.\n`;
    assert.deepEqual([status, stdout, stderr], [1, '', message]);
  });

  for (const node of nodes) {
    describe(`on ${node === process.execPath ? 'the Node of the scripts' : 'the Node of npm'}`, () => {
      /** Only what finds Node and `env` is in the environment. */
      function run(args: readonly string[], input = '') {
        const env = { PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter) };
        const { status, stdout, stderr } = spawnSync(program(), args, {
          ...{ cwd: folder, env, input, encoding: 'utf8' },
        });
        const lines = stdout.trim().split('\n');
        return { status, stderr, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
      }

      it('says its version and how it is used', () => {
        const asked = run(['--version']);
        assert.deepEqual([asked.status, asked.lines, asked.stderr], [0, [version], '']);
        const help = run(['--help']);
        assert.deepEqual([help.status, help.lines[0]], [0, 'Usage: chainside COMMAND [ARGUMENTS] [OPTIONS]']);
      });

      it('tells a block, logs and what is at an address', () => {
        const endpoint = ['--rpc', localnet.anvilUrl];
        const { address } = localnet.chain.contracts.tide;
        const block = run(['block', ...endpoint]);
        assert.deepEqual([block.status, block.stderr], [0, '']);
        assert.match(block.last().block, /^\d+$/);
        const logs = run(
          ['logs', '--all', '--query', '-', ...endpoint],
          JSON.stringify({ address, toBlock: 30 }),
        );
        assert.equal(logs.status, 0, logs.stderr);
        const { verdict } = logs.last();
        assert.deepEqual([verdict.state, verdict.rows], ['complete', logs.lines.length - 1]);
        assert.ok(verdict.rows > 0);
        assert.equal(run(['identify', address, ...endpoint]).last().token.symbol, 'TIDE');
      });

      it('checks query files, and fails where one differs', async () => {
        const { address } = localnet.chain.contracts.tide;
        const query = { chainId: 31337, address, fromBlock: 0, toBlock: 0 };
        const write = (name: string, count: number) =>
          writeFile(join(folder, name), JSON.stringify({ ...query, expect: { count } }));
        await write('right.chainlog.json', 0);
        await write('wrong.chainlog.json', 1);
        const check = (pattern: string) => run(['check', pattern, '--rpc', localnet.anvilUrl]);
        const right = check('r*.chainlog.json');
        assert.deepEqual([right.status, right.last().state], [0, 'ok']);
        assert.equal(right.stderr, 'right.chainlog.json: right: ok, 0 logs\n');
        const wrong = check('wrong.chainlog.json');
        assert.deepEqual([wrong.status, wrong.last().state], [1, 'differs']);
      });

      it('serves agents', async () => {
        const { client, close } = await startMcp(node, [program(), 'mcp', '--rpc', localnet.anvilUrl]);
        assert.equal(client.getServerVersion()?.version, version);
        await close();
      });
    });
  }
});
