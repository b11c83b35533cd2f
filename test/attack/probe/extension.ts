import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { commands } from 'vscode';
import { watchStrain } from '../support/strain.ts';

/** A neighbour of the extension in the same extension host: tells over HTTP what the host goes through. */
export function activate(): void {
  const watch = watchStrain();
  const server = createServer(async (request, response) => {
    if (request.url === '/reset') watch.reset();
    if (request.url === '/command') await run(JSON.parse(await text(request)));
    response.end(JSON.stringify(watch.read()));
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
