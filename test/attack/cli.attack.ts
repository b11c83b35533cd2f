import assert from 'node:assert/strict';
import { dripSlowly, serverAttacks } from './support/behaviours.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { chosen } from './support/campaign.ts';
import { hasTerminalControls, runCli } from './support/cli.ts';
import { CONTRACT, type HostileServer, startHostileServer } from './support/hostileServer.ts';

describe('the headless runner against servers that mean harm', () => {
  let server: HostileServer;
  before(async () => {
    server = await startHostileServer();
  });
  after(() => server.close());

  for (const { name, behaviour, mayBeComplete } of chosen(serverAttacks)) {
    it(`withstands ${name}`, async () => {
      server.behaviour = behaviour();
      const args = ['logs', '--all', '--query', '-', '--rpc', `${server.url}/api/eth-rpc`];
      const run = await runCli(args, { input: JSON.stringify({ address: CONTRACT }) });
      assert.ok(
        !hasTerminalControls(run.output) && !hasTerminalControls(run.words),
        'Something would steer the terminal.',
      );
      assert.ok(run.words.length < 8000, `${run.words.length} characters of words`);
      const last = run.values.at(-1) ?? assert.fail('It ended without a word.');
      const verdict = last.verdict as { readonly state: string } | undefined;
      assert.ok(verdict ?? last.error, JSON.stringify(last).slice(0, 200));
      if (!mayBeComplete) assert.notEqual(verdict?.state, 'complete');
      assert.equal(run.code, last.error ? 1 : 0);
      assertWithinBounds(`headless: ${name}`, run.course);
    });
  }

  for (const route of ['head', 'stream']) {
    it(`gives up within 30 s on a portal that drips its ${route}`, async () => {
      server.behaviour = ({ url }) => {
        if (url.includes(`/${route}`)) return { body: dripSlowly };
        return { body: JSON.stringify({ number: 5000, hash: `0x${'a'.repeat(64)}` }) };
      };
      const args = ['logs', '--all', '--query', '-', '--rpc', `${server.url}/datasets/hostile`];
      const run = await runCli([...args, '--chain-id', '31337'], {
        input: JSON.stringify({ address: CONTRACT }),
      });
      assert.match(JSON.stringify(run.values.at(-1)), /"kind":"timeout"/);
      assert.ok(run.course.seconds < 30, `${run.course.seconds} s`);
      assertWithinBounds(`headless: a portal that drips its ${route}`, run.course);
    });
  }
});
