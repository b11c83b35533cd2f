import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createRelayedSockets } from './loopbackServer.ts';

/** A node that comes and goes at one port of this machine: what arrives there while it is on goes to another. */
export interface SwitchedNode extends AsyncDisposable {
  readonly url: string;
  /** `127.0.0.1:PORT`, as it is shown. */
  readonly host: string;
  /** Connections since the start. */
  readonly connections: number;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
}

/** Off at first; `target` is the URL of the node that answers in its place. */
export async function switchedNode(target: string): Promise<SwitchedNode> {
  const sockets = createRelayedSockets();
  let connections = 0;
  let server: Server | undefined;
  const port = await freePort();

  function relay(client: Socket): void {
    connections++;
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    sockets.add(client, upstream);
  }

  async function turnOff(): Promise<void> {
    sockets.destroyAll();
    const closing = server;
    server = undefined;
    if (closing) await new Promise((resolve) => closing.close(resolve));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    async turnOn() {
      server ??= await listen(createServer(relay), port);
    },
    turnOff,
    [Symbol.asyncDispose]: turnOff,
  };
}

async function freePort(): Promise<number> {
  const server = await listen(createServer(), 0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
