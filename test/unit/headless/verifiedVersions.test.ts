import assert from 'node:assert/strict';
import { type Localnet, startLocalnet } from '../../../localnet/start.ts';
import { deployUpgrades, type UpgradedContracts } from '../../../localnet/upgrades/upgradedContracts.ts';
import { compileVerified } from '../../../localnet/verified/compileVerified.ts';
import { fromRoot } from '../../../scripts/support/paths.ts';
import type { Hex } from '../../../src/core/index.ts';
import { runCli } from '../../support/runHeadless.ts';
import { fetchAllLogs, getExpectedValues, plainValue } from '../../support/upgradedLogs.ts';

interface DecodedLine {
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly decoded: {
    readonly source?: string;
    readonly args?: readonly { readonly name: string; readonly value: unknown }[];
    readonly implementation?: { readonly contract: string | null };
    readonly reason?: string;
  };
}

/** Has the explorer know the source of everything that was deployed, by its own address. */
async function verifyAll({ node, verified, chain }: Localnet, { deployed }: UpgradedContracts) {
  const compiled = await compileVerified(fromRoot('localnet', 'contracts', 'upgrades'));
  for (const { name, address } of deployed) {
    const contract = compiled.get(name) ?? assert.fail(`${name} was not compiled.`);
    const code = (await node.call('eth_getCode', [address, 'latest'])) as Hex;
    verified.add({ ...{ chainId: chain.chainId, address, contract, code }, isExact: true, deployment: null });
  }
}

describe('headless logs of upgraded contracts that the explorer has verified', () => {
  let net: Localnet;
  let contracts: UpgradedContracts;
  let lines: readonly DecodedLine[];

  before(async () => {
    net = await startLocalnet();
    contracts = await deployUpgrades(net.node);
    await net.catchUp();
    await verifyAll(net, contracts);
    const address = [...new Set(contracts.truth.map((one) => one.address))];
    const args = ['logs', '--query', '-', '--all', '--rpc', net.rpcUrl, '--sources', 'explorer'];
    const { stdout } = await runCli(args, { input: JSON.stringify({ address }) });
    const printed = stdout.trim().split('\n');
    lines = printed.slice(0, -1).map((line) => JSON.parse(line));
  });
  after(() => net?.stop());

  it('are decoded by the version that was in force, and by no other', async () => {
    const logs = await fetchAllLogs(contracts, net.rpcUrl);
    assert.equal(lines.length, contracts.truth.length);
    for (const { block, logIndex, contract } of contracts.truth) {
      const isMeant = (one: { blockNumber: Hex; logIndex: Hex }) =>
        BigInt(one.blockNumber) === block && Number(one.logIndex) === logIndex;
      const { decoded } = lines.find(isMeant) ?? assert.fail(`${block}:${logIndex} is missing.`);
      if (decoded.args === undefined) continue;
      const log = logs.find((one) => one.blockNumber === block && one.logIndex === logIndex);
      const said = Object.fromEntries(decoded.args.map(({ name, value }) => [name, plainValue(value)]));
      assert.deepEqual(said, getExpectedValues(log ?? assert.fail(), contract, contracts), contract);
    }
  });

  it('stay raw only where no log tells what was in force', () => {
    const raw = contracts.truth.flatMap(({ contract }, place) =>
      lines[place]?.decoded.args === undefined ? [contract] : [],
    );
    const setByConstructors = ['LedgerV1', 'LedgerV1', 'WalletV1', 'WalletV1'];
    const ranBeforeItWasTold = ['RollingV2'];
    assert.deepEqual(raw.toSorted(), [...setByConstructors, ...ranBeforeItWasTold].toSorted());
  });

  it('are so in the transaction that they are of as well', async () => {
    const logs = await fetchAllLogs(contracts, net.rpcUrl);
    const place = contracts.truth.findIndex(({ contract }) => contract === 'VaultV3');
    const { transactionHash } = logs[place] ?? assert.fail('VaultV3 has emitted nothing.');
    const args = ['transaction', transactionHash, '--rpc', net.rpcUrl, '--sources', 'explorer'];
    const { stdout } = await runCli(args);
    const { logs: told } = JSON.parse(stdout);
    const own = logs.filter((log) => log.transactionHash === transactionHash);
    assert.equal(told.length, own.length);
    for (const [at, log] of own.entries()) {
      const { contract } = contracts.truth[logs.indexOf(log)] ?? assert.fail();
      const args: DecodedLine['decoded']['args'] = told[at].decoded.args;
      const said = Object.fromEntries((args ?? []).map(({ name, value }) => [name, plainValue(value)]));
      assert.deepEqual(said, getExpectedValues(log, contract, contracts), contract);
    }
  });

  it('name the implementation', () => {
    const named = new Set(lines.map(({ decoded }) => decoded.implementation?.contract));
    for (const name of ['VaultV1', 'VaultV2', 'VaultV3', 'LedgerV2', 'SharesV2', 'TradeFacetV2']) {
      assert.ok(named.has(name), name);
    }
  });
});
