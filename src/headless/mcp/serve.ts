import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { HttpDeps } from '../../core/index.ts';
import type { CommandLine } from '../line/commandLine.ts';
import { say } from '../line/output.ts';
import { createOperationDeps } from '../operations/operationDeps.ts';
import { openOutFolder } from '../operations/outFolder.ts';
import { ownVersion } from '../operations/ownVersion.ts';
import { createMcpServer } from './server.ts';

/** Serves MCP over standard input and output until the input ends. Standard output has the protocol and nothing else. */
export async function serveMcp(
  line: CommandLine,
  http: HttpDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  const files = line.outFolder === undefined ? undefined : await openOutFolder(line.outFolder);
  const deps = createOperationDeps({ ...{ line, http, files, signal }, version: await ownVersion() });
  const handle = serveStdio(() => createMcpServer(deps), {
    onerror: (error) => say(`mcp: ${error.message}`),
  });
  const ended = once(process.stdin, 'close').catch(() => undefined);
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([ended, stopped]);
  await handle.close();
}
