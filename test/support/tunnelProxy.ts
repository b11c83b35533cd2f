import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createRelayedSockets } from './relayedSockets.ts';

export interface TunnelProxy extends AsyncDisposable {
  readonly url: string;
  /** Host and port of every tunnel asked for. */
  readonly asked: readonly string[];
}

/**
 * An HTTP proxy that opens a tunnel (`CONNECT`) for hosts that exist nowhere else: `hosts` says at which loopback URL
 * each is served. The editor's `fetch` asks for a tunnel for plain http, too.
 */
export async function startTunnelProxy(
  hosts: Readonly<Record<string, string>>,
  {
    credentials,
  }: { /** `USER:PASSWORD` that it asks for; else it asks for none. */ readonly credentials?: string } = {},
): Promise<TunnelProxy> {
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const asked: string[] = [];
  const sockets = createRelayedSockets();
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on('connect', (request, client: Socket) => {
    const host = request.url ?? '';
    asked.push(host);
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="test"\r\n\r\n',
      );
      return;
    }
    const target = hosts[host];
    if (target === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const upstream = connect(Number(new URL(target).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      sockets.destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
