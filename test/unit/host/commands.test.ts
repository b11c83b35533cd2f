import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { commands, Disposable, Uri, window } from 'vscode';
import manifest from '../../../package.json' with { type: 'json' };
import { fromRoot } from '../../../scripts/support/paths.ts';
import { lazy } from '../../../src/core/index.ts';
import { registerCommand, registerLazyCommands } from '../../../src/host/commands.ts';
import type { CommandId } from '../../../src/manifest.ts';
import { selectNetwork, useNetworks } from '../../support/host/settings.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { useExtension } from '../../support/vscode/extension.ts';
import { editor } from '../../support/vscode/module.ts';

describe('activation', () => {
  useExtension();
  let server: LoopbackServer;
  let requests = 0;

  before(async () => {
    server = await startRpcServer(({ id }) => {
      requests++;
      return { jsonrpc: '2.0', id, result: '0x1' };
    });
  });
  after(() => server.close());
  useNetworks(() => ({ counted: { name: 'Counted', chainId: 5, rpcUrl: server.url } }));

  it('registers every command', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    assert.ok(contributed.length > 0);
    assert.deepEqual(
      contributed.filter((command) => !editor.hasCommand(command)),
      [],
    );
  });

  it('makes no request, nor does selecting a network or opening a file while nothing is looked at', async () => {
    await selectNetwork('counted');
    await window.showTextDocument(Uri.file(fromRoot('package.json')));
    for (let turns = 0; turns < 100; turns++) await turn();
    editor.closeTabs();
    assert.equal(requests, 0);
  });
});

const first = 'chainside.test.first' as CommandId;
const second = 'chainside.test.second' as CommandId;

describe('commands of what is loaded late', () => {
  let owned: Disposable[] = [];
  let loads: string[] = [];
  beforeEach(() => {
    owned = [];
    loads = [];
  });
  afterEach(() => Disposable.from(...owned).dispose());

  /** A feature that says what `id` does when it is loaded, which fails as often as told. */
  function feature(id: CommandId, failures = 0) {
    let left = failures;
    const load = lazy(async () => {
      loads.push(id);
      await Promise.resolve();
      if (left-- > 0) throw new Error('$(x) cannot be loaded');
      owned.push(registerCommand(id, (...args) => [id, ...args]));
    });
    return { load, dispose: () => {} };
  }

  it('run what is loaded for them, which happens once for two at the same time', async () => {
    owned.push(registerLazyCommands([first], [feature(first)]));
    assert.deepEqual(loads, []);
    const run = () => commands.executeCommand(first, 1, { two: 2 });
    assert.deepEqual(await Promise.all([run(), run()]), [
      [first, 1, { two: 2 }],
      [first, 1, { two: 2 }],
    ]);
    assert.deepEqual(await run(), [first, 1, { two: 2 }]);
    assert.deepEqual(loads, [first]);
  });

  it('load no more features than it takes', async () => {
    owned.push(registerLazyCommands([first, second], [feature(first), feature(second)]));
    await commands.executeCommand(first);
    assert.deepEqual(loads, [first]);
    assert.deepEqual(await commands.executeCommand(second), [second]);
    assert.deepEqual(loads, [first, second]);
  });

  it('tell of a load that failed, in harmless words, and load again when they are run again', async () => {
    owned.push(registerLazyCommands([first], [feature(first, 1)]));
    await assert.rejects(async () => commands.executeCommand(first), { message: '$ (x) cannot be loaded' });
    assert.deepEqual(await commands.executeCommand(first), [first]);
    assert.deepEqual(loads, [first, first]);
  });

  it('leave alone what is registered already', async () => {
    owned.push(registerCommand(first, () => 'at once'));
    owned.push(registerLazyCommands([first, second], [feature(second)]));
    assert.equal(await commands.executeCommand(first), 'at once');
    assert.deepEqual(loads, []);
  });

  it('say so where no feature knows them', async () => {
    owned.push(registerLazyCommands([first], [feature(second)]));
    await assert.rejects(async () => commands.executeCommand(first), /chainside\.test\.first/);
  });
});
