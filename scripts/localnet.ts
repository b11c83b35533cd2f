import { connect } from 'node:net';
import { type Localnet, startLocalnet } from '../localnet/start.ts';

// The built-in network `local` points at the first of these.
const preferredPorts = { anvil: 8545, explorer: 8546, dataApi: 8547 };
const blockSeconds = 5;

async function main(): Promise<void> {
  let localnet: Localnet | undefined;
  const end = async (): Promise<void> => {
    await localnet?.stop();
    // While it is still starting, ending this process is what ends the node.
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end());

  localnet = await startLocalnet({
    blockSeconds,
    ports: {
      anvil: await freeOrAny(preferredPorts.anvil),
      explorer: await freeOrAny(preferredPorts.explorer),
      dataApi: await freeOrAny(preferredPorts.dataApi),
    },
  });
  console.log(describe(localnet));
}

/** The port, or 0 for any when something listens there already. */
function freeOrAny(port: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      console.error(`Port ${port} is taken; another one is used.`);
      resolve(0);
    });
    socket.once('error', () => resolve(port));
  });
}

function describe({ anvilUrl, rpcUrl, explorer, dataApi, chain }: Localnet): string {
  const contracts = Object.values(chain.contracts).map(
    ({ name, symbol, standard, address }) => [`${name} ${symbol}`.trim(), standard, address] as const,
  );
  const accounts = Object.entries(chain.accounts).map(
    ([name, address]) => [name, 'account', address] as const,
  );
  const rows = [
    ['Node', 'JSON-RPC', anvilUrl],
    ['Explorer', explorer.currentDialect(), rpcUrl],
    ['Data API', `key ${dataApi.keys.classic}`, dataApi.url],
    ...contracts,
    ...accounts,
    ...chain.holders.slice(0, 3).map((address, i) => [`holder ${i + 1}`, 'no key', address]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [...lines, `Chain id ${chain.chainId}. A block every ${blockSeconds} seconds. Ctrl-C ends it.`].join(
    '\n',
  );
}

await main();
