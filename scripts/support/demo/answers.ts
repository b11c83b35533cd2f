import type { Localnet } from '../../../localnet/start.ts';
import { run } from '../childProcess.ts';
import { fromRoot } from '../paths.ts';

const rowsShown = 2;

/** Prints the main job's answers for the local network, each read by the headless runner. */
export async function printAnswers({ rpcUrl, chain }: Localnet): Promise<void> {
  const { alice } = chain.accounts;
  const { usd } = chain.contracts;

  console.log('\nLatest block');
  console.log(await headless(['block', '--rpc', rpcUrl]));

  console.log(`\nNative balance of ${alice}`);
  console.log(await headless(['balance', alice, '--rpc', rpcUrl]));

  console.log(`\nLogs of ${usd.name} (${usd.address}), first two pages`);
  const query = JSON.stringify({ address: usd.address, fromBlock: 'earliest', toBlock: 'latest' });
  const answer = await headless(['logs', '--rpc', rpcUrl, '--pages', '2', '--query', '-'], query);
  const rows = answer.split('\n');
  const verdict = rows.pop();
  console.log(rows.slice(0, rowsShown).join('\n'));
  console.log(`… ${rows.length - 2 * rowsShown} more …`);
  console.log(rows.slice(-rowsShown).join('\n'));
  console.log(verdict);
}

async function headless(args: readonly string[], input = ''): Promise<string> {
  const output = await run(process.execPath, [fromRoot('src', 'headless', 'main.ts'), ...args], { input });
  return output.trimEnd();
}
