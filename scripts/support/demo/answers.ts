import type { Localnet } from '../../../localnet/start.ts';
import { run } from '../childProcess.ts';
import { fromRoot } from '../paths.ts';

const keyVariable = 'CHAINSIDE_DEMO_KEY';
const rowsShown = 2;

/** Prints the main job's answers for the local network, each read by the headless runner. */
export async function printAnswers({ rpcUrl, chain, dataApi }: Localnet): Promise<void> {
  const { alice } = chain.accounts;
  const { usd } = chain.contracts;
  const rpc = ['--rpc', rpcUrl];
  const tokenSource = ['--chain-id', `${chain.chainId}`, '--data-api', dataApi.url, '--key-env', keyVariable];

  console.log('\nLatest block');
  console.log(await headless(['block', ...rpc]));

  console.log(`\nNative balance of ${alice}`);
  console.log(await headless(['balance', alice, ...rpc]));

  console.log(`\nToken balances of ${alice}`);
  console.log(
    await headless(['tokens', alice, ...tokenSource], { env: { [keyVariable]: dataApi.keys.current } }),
  );

  console.log(`\nLogs of ${usd.name} (${usd.address}), first two pages`);
  const query = JSON.stringify({ address: usd.address, fromBlock: 'earliest', toBlock: 'latest' });
  const answer = await headless(['logs', ...rpc, '--pages', '2', '--query', '-'], { input: query });
  const rows = answer.split('\n');
  const verdict = rows.pop();
  console.log(rows.slice(0, rowsShown).join('\n'));
  console.log(`… ${rows.length - 2 * rowsShown} more …`);
  console.log(rows.slice(-rowsShown).join('\n'));
  console.log(verdict);
}

async function headless(
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const program = fromRoot('src', 'headless', 'main.ts');
  const output = await run(process.execPath, [program, ...args], { input, env: { ...process.env, ...env } });
  return output.trimEnd();
}
