import { connect } from 'node:net';
import { styleText } from 'node:util';
import { type Services, startServices } from '../localnet/services.ts';
import { type Localnet, startLocalnet } from '../localnet/start.ts';

// The built-in network `local` points at the first of these.
const preferredPorts = {
  ...{ anvil: 8545, explorer: 8546, dataApi: 8547, portal: 8548 },
  ...{ sourcify: 8549, signatures: 8550, gateway: 8551 },
};
const blockSeconds = 5;

async function main(): Promise<void> {
  let localnet: Localnet | undefined;
  const end = async (): Promise<void> => {
    await localnet?.stop();
    // While it is still starting, ending this process is what ends the node.
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end());

  console.log('Starting the local network …');
  localnet = await startLocalnet({
    blockSeconds,
    ports: {
      anvil: await freeOrAny(preferredPorts.anvil),
      explorer: await freeOrAny(preferredPorts.explorer),
      dataApi: await freeOrAny(preferredPorts.dataApi),
      portal: await freeOrAny(preferredPorts.portal),
    },
  });
  const services = await startServices(localnet, {
    sourcify: await freeOrAny(preferredPorts.sourcify),
    signatures: await freeOrAny(preferredPorts.signatures),
    gateway: await freeOrAny(preferredPorts.gateway),
  });
  console.log(describe(localnet, services));
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

function describe(localnet: Localnet, services: Services): string {
  const { anvilUrl, rpcUrl, explorer, dataApi, portal, chain } = localnet;
  const { sourcify, signatures, gateway, gatewayKey, verified, proxies, upgraded } = services;
  const contracts = Object.values(chain.contracts).map(
    ({ name, symbol, standard, address }) => [`${name} ${symbol}`.trim(), standard, address] as const,
  );
  const accounts = Object.entries(chain.accounts).map(
    ([name, address]) => [name, 'account', address] as const,
  );
  const rows = [
    ['Explorer', explorer.currentDialect(), rpcUrl],
    ['Portal', 'SQD Portal', portal.rpcUrl],
    ['Data API', `key ${dataApi.keys.classic}`, dataApi.url],
    ['Sourcify', 'verified contracts', sourcify.url],
    ['Signatures', 'names by hash', signatures.url],
    ['Gateway', `key ${gatewayKey}`, gateway.rpcUrl(chain.chainId)],
    ...contracts,
    ['Harbor', 'verified', verified.harbor],
    ['Gate', 'proxy of Harbor', verified.gate],
    ['Vault', 'upgraded proxy', upgraded.proxies.vault],
    ['Market', 'diamond', upgraded.proxies.market],
    ['Delegated', 'account', proxies.delegated],
    ...accounts,
    ...chain.holders.slice(0, 3).map((address, i) => [`holder ${i + 1}`, 'no key', address]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const node = `Node, chain ID ${chain.chainId}, a block every ${blockSeconds} seconds, until Ctrl-C:`;
  return [...lines, `\n${node}\n\n  ${styleText('bold', anvilUrl)}\n`].join('\n');
}

await main();
