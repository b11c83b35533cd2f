import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { npm } from '../../../scripts/support/npm.ts';
import { packageCli } from '../../../scripts/support/packages.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { isFullRun } from '../../support/fullRun.ts';
import { type LoopbackServer, startMethodServer } from '../../support/loopbackServer.ts';
import { startMcp } from '../../support/mcpProgram.ts';

/** The Node that npm runs on, which may be the oldest that is supported, and the one of the scripts. */
const nodes = [...new Set([process.env.npm_node_execpath ?? process.execPath, process.execPath])];

const shop = `0x${'b'.repeat(40)}`;

describe('npm package', () => {
  const { version, engines } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
  /** Whose path has a space, as many have on Windows. */
  let folder: string;
  let server: LoopbackServer;

  before(async () => {
    server = await startMethodServer({
      eth_chainId: '0x1',
      eth_blockNumber: '0x5',
      eth_getLogs: [createRow(1, 0, { address: shop })],
    });
    folder = join(await mkdtemp(join(tmpdir(), 'chainside-npm-')), 'my project');
    await mkdir(folder);
    const tarball = await packageCli(dirname(folder));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    await npm(['install', tarball, '--offline'], folder);
  });
  after(async () => {
    await server.close();
    await removeFolder(dirname(folder));
  });

  const endpoint = () => ['--rpc', server.url];
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
      async function run(args: readonly string[], input = '') {
        const env = { PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter) };
        const child = spawn(program(), args, { cwd: folder, env });
        child.stdin.end(input);
        const [stdout, stderr, [status]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'exit'),
        ]);
        const lines = stdout.trim().split('\n');
        return { status, stderr, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
      }

      it('says its version and how it is used', async () => {
        const asked = await run(['--version']);
        assert.deepEqual([asked.status, asked.lines, asked.stderr], [0, [version], '']);
        const help = await run(['--help']);
        assert.deepEqual([help.status, help.lines[0]], [0, 'Usage: chainside COMMAND [ARGUMENTS] [OPTIONS]']);
      });

      // The oldest Node has the fewest functions: on a newer one, a start is enough.
      if (node !== nodes[0] && !isFullRun) return;

      it('prints the logs of a query on standard input', async () => {
        const query = JSON.stringify({ address: shop, fromBlock: 1, toBlock: 1 });
        const { status, stderr, lines, last } = await run(['logs', '--query', '-', ...endpoint()], query);
        assert.equal(status, 0, stderr);
        const { verdict } = last();
        assert.deepEqual([verdict.state, verdict.rows, lines.length], ['complete', 1, 2]);
      });

      it('checks query files by a pattern, and fails where one differs', async () => {
        const query = { chainId: 1, address: shop, fromBlock: 1, toBlock: 1 };
        const write = (name: string, count: number) =>
          writeFile(join(folder, name), JSON.stringify({ ...query, expect: { count } }));
        await write('right.chainlog.json', 1);
        await write('wrong.chainlog.json', 2);
        const { status, stderr } = await run(['check', '[rw]*.chainlog.json', ...endpoint()]);
        assert.equal(status, 1);
        const [right, wrong] = stderr.split('\n');
        assert.equal(right, 'right.chainlog.json: right: ok, 1 log');
        assert.equal(wrong, 'wrong.chainlog.json: wrong: differs, 1 log');
      });

      it('serves agents', async () => {
        const { client, close } = await startMcp(node, [program(), 'mcp', ...endpoint()]);
        assert.equal(client.getServerVersion()?.version, version);
        await close();
      });
    });
  }
});
