import { PassThrough } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { runMcp } from '../../src/cli/mcp/server.ts';
import { runInMemory } from './runCli.ts';

/** What a client was told by a call. */
export interface ToolResult {
  /** Of all that came back. */
  readonly bytes: number;
  readonly isError: boolean;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface McpSession extends AsyncDisposable {
  readonly client: Client;
  /** All that the program has said on standard error. */
  stderr(): string;
  /** Calls a tool; the answer as text and as data are held to be the same. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Connects to the server in this process, with streams in memory. */
export async function openMcp(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<McpSession> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  let stderr = '';
  const onMessage = (text: string) => {
    stderr += text;
  };
  const ended = runInMemory((program) => runMcp(args, { ...program, stdout }), {
    env,
    input: stdin,
    onMessage,
  });
  // The wire is the same in both directions.
  const session = await connect(new StdioServerTransport(stdout, stdin), () => stderr);
  const close = async () => {
    await session.close();
    stdin.end();
    await ended;
  };
  return { ...session, close, [Symbol.asyncDispose]: close };
}

/** Starts a program as a client of MCP does, with the SDK's own client. */
export async function startMcp(
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
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return connect(transport, () => stderr);
}

async function connect(transport: Transport, stderr: () => string): Promise<McpSession> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    stderr,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const [content] = result.content;
      if (content?.type !== 'text') throw new Error('A tool answers with text.');
      const answer = JSON.parse(content.text);
      if (content.text !== JSON.stringify(result.structuredContent)) throw new Error('Text and data differ.');
      return { bytes: Buffer.byteLength(JSON.stringify(result)), isError: result.isError === true, answer };
    },
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
