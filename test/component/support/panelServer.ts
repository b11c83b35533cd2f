import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves documents by their paths, and files of the extension, which the browser caches. Returns the origin. */
export async function startPanelServer(getDocument: (path: string) => string | undefined): Promise<string> {
  const server = createServer(async ({ url: path = '' }, response) => {
    const document = getDocument(path);
    if (document !== undefined) return response.setHeader('content-type', 'text/html').end(document);
    response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/javascript');
    response.setHeader('cache-control', 'max-age=86400, immutable');
    return readFile(decodeURI(path)).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
