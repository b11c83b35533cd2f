import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';
import { commandPlaces } from '../../src/manifest.ts';

describe('activation', () => {
  it('registers every command', async () => {
    const extension = extensions.getExtension('chainside.chainside');
    assert.ok(extension);
    await extension.activate();
    const registered = new Set(await commands.getCommands(true));
    assert.deepEqual(
      Object.keys(commandPlaces).filter((command) => !registered.has(command)),
      [],
    );
  });
});
