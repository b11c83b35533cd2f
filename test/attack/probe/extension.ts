import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { commands, workspace } from 'vscode';
import { watchStrain } from '../support/strain.ts';

/** A neighbour of the extension in the same extension host: tells over HTTP what the host goes through. */
export function activate(): void {
  const watch = watchStrain();
  const server = createServer(async (request, response) => {
    if (request.url === '/reset') watch.reset();
    if (request.url === '/command') await run(JSON.parse(await text(request)));
    const told = request.url === '/documents' ? readDocuments() : watch.read();
    response.end(JSON.stringify(told));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    appendFileSync(process.env.CHAINSIDE_PROBE_FILE ?? '', `${port}\n`);
  });
}

/** Runs a command as another extension may: with arguments, and as often as it likes. */
async function run([command, ...args]: readonly [string, ...unknown[]]): Promise<void> {
  await commands.executeCommand(command, ...args).then(undefined, () => undefined);
}

/** The open documents that are no files. */
function readDocuments(): readonly string[] {
  const made = workspace.textDocuments.filter(({ uri }) => uri.scheme.startsWith('chainside'));
  return made.map((document) => document.getText());
}
