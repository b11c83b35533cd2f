import assert from 'node:assert/strict';
import { serverAttacks } from './support/behaviours.ts';
import { chosen } from './support/campaign.ts';
import { runCli } from './support/cli.ts';
import { CONTRACT, useHostileServer } from './support/hostileServer.ts';

describe('the headless runner against servers that mean harm', () => {
  const server = useHostileServer();

  for (const { name, behaviour, mayBeComplete } of chosen(serverAttacks)) {
    it(`withstands ${name}`, async () => {
      server().behaviour = behaviour();
      const args = ['logs', '--all', '--query', '-', '--rpc', `${server().url}/api/eth-rpc`];
      const run = await runCli(args, { input: JSON.stringify({ address: CONTRACT }) });
      const last = run.values.at(-1) ?? assert.fail('It ended without a word.');
      const verdict = last.verdict as { readonly state: string } | undefined;
      assert.ok(verdict ?? last.error, JSON.stringify(last).slice(0, 200));
      if (!mayBeComplete) assert.notEqual(verdict?.state, 'complete');
      assert.equal(run.code, last.error ? 3 : 0);
    });
  }
});
