import type { Socket } from 'node:net';

/** Sockets that are relayed to each other in pairs, as long as they are open. */
export function createRelayedSockets() {
  const sockets = new Set<Socket>();
  return {
    /** What breaks one of the two ends the other. */
    add(client: Socket, upstream: Socket): void {
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => sockets.delete(socket));
      }
    },
    destroyAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
