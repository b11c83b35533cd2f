import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../../../../scripts/support/build.ts';
import { cachedFolder } from '../../../../scripts/support/cachedFolder.ts';
import { run } from '../../../../scripts/support/childProcess.ts';
import { npm } from '../../../../scripts/support/npm.ts';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { describeInFullRun } from '../../../support/fullRun.ts';
import { startMcp } from '../../../support/mcpProgram.ts';
import { type SharedLocalnet, sharedLocalnet } from '../../../support/sharedLocalnet.ts';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const PROGRAM = ['@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'];

/** The official inspector, from npm, once. No dependency of the project. */
async function installInspector(): Promise<string> {
  const folder = await cachedFolder(INSPECTOR.replaceAll(/[^\w.-]/g, '-'), async (empty) => {
    await writeFile(join(empty, 'package.json'), '{"private":true}');
    await npm(['install', '--save-exact', INSPECTOR], empty);
  });
  return join(folder, 'node_modules', ...PROGRAM);
}

describe('MCP server that ships with the extension', () => {
  let program: string;

  before(async () => {
    program = join((await buildAll()).extension, 'dist', 'mcp.cjs');
  });

  it('has the version of its package, and answers', async () => {
    const endpoint = ['--rpc', 'http://127.0.0.1:9', '--chain-id', '1'];
    await using session = await startMcp(process.execPath, [program, ...endpoint]);
    const { version } = JSON.parse(await readFile(fromRoot('package.json'), 'utf8'));
    assert.equal(session.client.getServerVersion()?.version, version);
    const { answer } = await session.call('decode_data', { hex: '0xa9059cbb' });
    assert.match(JSON.stringify(answer), /transfer\(address,uint256\)/);
  });

  it('ends when it is told to, though the client leaves its input open', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = spawn(process.execPath, [program, '--rpc', 'http://127.0.0.1:9'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
        await once(child.stdout, 'data');
        const ended = once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
        child.kill(signal);
        assert.deepEqual(await ended, [0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    }
  });

  describeInFullRun('MCP server, looked at by the official inspector', function () {
    // It comes from npm the first time.
    this.timeout(300_000);
    let localnet: SharedLocalnet;
    let inspector: string;
    let folder: string;

    before(async () => {
      [localnet, inspector] = await Promise.all([sharedLocalnet(), installInspector()]);
      folder = await mkdtemp(join(tmpdir(), 'chainside-mcp-'));
    });
    after(() => removeFolder(folder));

    /** By a file of settings, as clients of MCP have them. */
    async function inspect(...args: readonly string[]): Promise<Record<string, unknown>> {
      const config = join(folder, 'mcp.json');
      const server = { command: process.execPath, args: [program, '--rpc', localnet.anvilUrl] };
      await writeFile(config, JSON.stringify({ mcpServers: { chainside: server } }));
      const from = ['--config', config, '--server', 'chainside'];
      return JSON.parse(await run(process.execPath, [inspector, '--cli', ...from, ...args]));
    }

    it('lists the tools and calls one', async () => {
      const { tools } = (await inspect('--method', 'tools/list', '--strict')) as {
        tools: { name: string }[];
      };
      assert.equal(tools.length, 9);
      const { usd } = localnet.chain.contracts;
      const asked = ['--tool-arg', `address=${usd.address}`, 'event=Transfer'];
      const told = (await inspect('--method', 'tools/call', '--tool-name', 'query_events', ...asked)) as {
        structuredContent: { complete: boolean; count: string };
      };
      assert.equal(told.structuredContent.complete, true);
      assert.ok(Number(told.structuredContent.count) > 1000);
    });
  });
});
