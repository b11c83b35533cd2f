import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchStrain } from '../support/strain.ts';

/** A neighbour of the extension in the same extension host: tells over HTTP what the host goes through. */
export function activate(): void {
  const watch = watchStrain();
  const server = createServer((request, response) => {
    if (request.url === '/reset') watch.reset();
    response.end(JSON.stringify(watch.read()));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    writeFileSync(process.env.CHAINSIDE_PROBE_FILE ?? '', `${port}`);
  });
}
