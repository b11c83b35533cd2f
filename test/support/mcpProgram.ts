import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { run } from '../../scripts/support/childProcess.ts';
import { fromRoot } from '../../scripts/support/paths.ts';

/** Builds the program that ships, in a folder of its own; its path. */
export async function buildMcpProgram(): Promise<{ readonly folder: string; readonly program: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'chainside-mcp-'));
  const out = ['--outdir', join(folder, 'dist'), '--metadir', join(folder, 'meta')];
  await run(process.execPath, [fromRoot('esbuild.mjs'), '--production', '--only', 'mcp', ...out]);
  await writeFile(join(folder, 'package.json'), '{"name":"chainside","version":"9.8.7"}');
  return { folder, program: join(folder, 'dist', 'mcp.cjs') };
}

/** What a client was told by a call. */
export interface ToolResult {
  /** Of all that came back. */
  readonly bytes: number;
  readonly isError: boolean;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface McpSession {
  readonly client: Client;
  /** All that the program has said on standard error. */
  stderr(): string;
  /** Calls a tool; the answer as text and as data are held to be the same. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Starts a program as a client of MCP does, with the SDK's own client. */
export async function openMcp(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<McpSession> {
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries([...inherited, ...Object.entries(env)]) as Record<string, string>,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    stderr: () => said,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const [content] = result.content;
      if (content?.type !== 'text') throw new Error('A tool answers with text.');
      const answer = JSON.parse(content.text);
      if (content.text !== JSON.stringify(result.structuredContent)) throw new Error('Text and data differ.');
      return { bytes: Buffer.byteLength(JSON.stringify(result)), isError: result.isError === true, answer };
    },
    close: () => client.close(),
  };
}
