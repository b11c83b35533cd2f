import assert from 'node:assert/strict';
import { commands, EventEmitter, type QuickPick, type QuickPickItem, window } from 'vscode';
import { pickOrType } from '../../src/host/surface/lists/pickOrType.ts';

describe('a list in which something else can be typed', () => {
  const real = window.createQuickPick;
  const typed = new EventEmitter<string>();
  let picker: QuickPick<QuickPickItem>;

  before(() => {
    window.createQuickPick = <T extends QuickPickItem>() => {
      const made = real<T>();
      picker = new Proxy(made, {
        get: (target, key) => (key === 'onDidChangeValue' ? typed.event : Reflect.get(target, key, target)),
        set: (target, key, value) => Reflect.set(target, key, value, target),
      }) as never;
      return picker as never;
    };
  });
  after(() => {
    window.createQuickPick = real;
    typed.dispose();
  });

  it('gives the choice that was taken, where words about what is typed come above it at that moment', async () => {
    const told = [{ label: 'Not an address', onlyWords: true }];
    const picked = pickOrType<{ label: string; onlyWords?: boolean }>(
      [{ label: 'Alice' }, { label: 'Bob' }, { label: 'Carol' }],
      () => told,
      { title: 'Address', placeHolder: 'An address or a name' },
    );
    await new Promise((done) => picker.onDidChangeActive(([row]) => row && done(row)));
    const done = Promise.all(
      ['quickOpenSelectNext', 'acceptSelectedQuickOpenItem'].map((action) =>
        commands.executeCommand(`workbench.action.${action}`),
      ),
    );
    typed.fire('0x');
    // The editor has not told of it yet, only of what was typed.
    assert.equal(picker.value, '');
    assert.deepEqual(await picked, { label: 'Bob' });
    await done;
  });
});
