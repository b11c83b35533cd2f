import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { cachedFolder } from '../../../scripts/support/cachedFolder.ts';
import { run } from '../../../scripts/support/childProcess.ts';
import { npm } from '../../../scripts/support/npm.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { describeInFullRun } from '../../support/fullRun.ts';
import { buildMcpProgram } from '../../support/mcpProgram.ts';

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

describeInFullRun('MCP server, looked at by the official inspector', function () {
  // It comes from npm the first time.
  this.timeout(300_000);
  let localnet: Localnet;
  let built: Awaited<ReturnType<typeof buildMcpProgram>>;
  let inspector: string;

  before(async () => {
    [localnet, built, inspector] = await Promise.all([
      startLocalnet(),
      buildMcpProgram(),
      installInspector(),
    ]);
  });
  after(async () => {
    await localnet.stop();
    await removeFolder(built.folder);
  });

  /** By a file of settings, as clients of MCP have them. */
  async function inspect(...args: readonly string[]): Promise<Record<string, unknown>> {
    const config = join(built.folder, 'mcp.json');
    const server = { command: process.execPath, args: [built.program, '--rpc', localnet.anvilUrl] };
    await writeFile(config, JSON.stringify({ mcpServers: { chainside: server } }));
    const from = ['--config', config, '--server', 'chainside'];
    return JSON.parse(await run(process.execPath, [inspector, '--cli', ...from, ...args]));
  }

  it('lists the tools and calls one', async () => {
    const { tools } = (await inspect('--method', 'tools/list', '--strict')) as { tools: { name: string }[] };
    assert.equal(tools.length, 6);
    const { usd } = localnet.chain.contracts;
    const asked = ['--tool-arg', `address=${usd.address}`, 'event=Transfer'];
    const told = (await inspect('--method', 'tools/call', '--tool-name', 'query_events', ...asked)) as {
      structuredContent: { complete: boolean; count: string };
    };
    assert.equal(told.structuredContent.complete, true);
    assert.ok(Number(told.structuredContent.count) > 1000);
  });
});
