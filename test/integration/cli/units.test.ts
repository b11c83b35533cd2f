import assert from 'node:assert/strict';
import { fileChecks } from '../../support/fileChecks.ts';
import { runCli } from '../../support/runCli.ts';
import { startVaultChain, type VaultChain } from '../../support/vaultChain.ts';

describe('units of one’s own on the command line', () => {
  let chain: VaultChain;
  before(async () => {
    chain = await startVaultChain();
  });
  after(() => chain.stop());
  afterEach(() => chain.writeUnits({}));

  const { write, check } = fileChecks(() => chain);

  async function checkView(view: string, expect: object) {
    const read = { contract: 'Vault', function: view };
    const file = await write(`${view}.chainlog.json`, { title: view, chainId: 31337, read, expect });
    const { code, lines, stderr } = await check(file);
    return { code, stderr, read: lines[0]?.read };
  }

  async function summarize(hash: string | undefined) {
    const args = ['transaction', hash ?? '', '--rpc', chain.url, '--dir', chain.folder];
    const { stdout, stderr } = await runCli(args);
    return { json: JSON.parse(stdout), stderr };
  }

  it('shows what a view returns in the unit of its doc comment, and compares the integer', async () => {
    const { code, stderr, read } = await checkView('limit', { value: 5_000_000_000 });
    assert.deepEqual([code, read.values[0].value], [0, '5000000000'], stderr);
    assert.match(stderr, /limit: ok, 5,000\.00 PBL in block \d+\n/);
    const differs = await checkView('limit', { value: 1 });
    assert.match(differs.stderr, /The value is 5,000,000,000\. Expected: 1\./);
  });

  it('shows it in the unit of a label, by symbol, name or address of the token, or fixed', async () => {
    const value = { value: 4_250_750_000 };
    assert.match((await checkView('total', value)).stderr, /total: ok, 4,250,750,000 in block/);
    for (const [unit, text] of [
      ['PBL', '4,250.75 PBL'],
      ['Pebble', '4,250.75 PBL'],
      [chain.token, '4,250.75 PBL'],
      ['gwei', '4.25075 gwei'],
      ['3 decimals', '4,250,750.00'],
      ['Vault', '4,250,750,000'],
      ['Nobody', '4,250,750,000'],
    ] as const) {
      await chain.writeUnits({ 'Vault.total': unit });
      const { stderr } = await checkView('total', value);
      assert.ok(stderr.includes(`total: ok, ${text} in block`), `${unit}: ${stderr}`);
    }
  });

  it('says which units of the labels have no effect', async () => {
    await chain.writeUnits({ 'Vault.totl': 'PBL', 'Vault.total': 'percent of 7' });
    const { stderr } = await runCli(['contracts', chain.folder]);
    assert.match(stderr, /labels\.json: Vault\.totl: Vault has no such integer\./);
    assert.match(stderr, /labels\.json: Vault\.total: "percent of 7" is not a unit\./);
  });

  it('shows arguments of transactions and errors so, and keeps their integers', async () => {
    const done = await summarize(chain.deposits[0]);
    assert.match(done.json.summary, /deposit\(1,250\.00 PBL, 50\)/);
    assert.ok(JSON.stringify(done.json.logs).includes('"1250000000"'), done.stderr);
    const failed = await summarize(chain.deposits.at(-1));
    assert.match(failed.json.summary, /TooMuch\(6,000\.00 PBL\)/);
    await chain.writeUnits({ 'Vault.deposit.fee': 'percent of 10000' });
    assert.match((await summarize(chain.deposits[0])).json.summary, /deposit\(1,250\.00 PBL, 0\.50 %\)/);
  });
});
