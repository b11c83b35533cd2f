import assert from 'node:assert/strict';
import { commands, type QuickPick, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { openQuickPick, type QuickPickChoice } from '../../src/host/ui/dialogs.ts';

const words = { title: 'Networks', placeHolder: 'Choose' };

describe('a list to pick from', () => {
  const real = window.createQuickPick;
  let picker: QuickPick<QuickPickItem>;
  /** Each time that the editor was given rows. */
  let drawn: (readonly string[])[];

  beforeEach(() => {
    drawn = [];
    window.createQuickPick = <T extends QuickPickItem>() => {
      picker = new Proxy(real<T>(), {
        set(target, key, value) {
          if (key === 'items') drawn.push(value.map(({ label }: QuickPickItem) => label));
          return Reflect.set(target, key, value, target);
        },
      }) as never;
      return picker as never;
    };
  });
  afterEach(() => {
    picker.dispose();
    window.createQuickPick = real;
  });

  const accept = () => commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  const down = () => commands.executeCommand('workbench.action.quickOpenSelectNext');
  const becomesActive = (label: string) =>
    new Promise((done) => picker.onDidChangeActive(([row]) => row?.label === label && done(row)));
  const labelOf = (picked: unknown) => (picked as { choice: QuickPickChoice }).choice.label;
  /** Opens a list whose rows are read until `read` hands them over. */
  function openReading() {
    let read: (rows: readonly QuickPickChoice[]) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    let signal = AbortSignal.abort();
    const picked = openQuickPick(words, (closed) => {
      signal = closed;
      return new Promise<readonly QuickPickChoice[]>((resolve, reject) => {
        [read, fail] = [resolve, reject];
      });
    });
    return { picked, read, fail, signal };
  }

  it('is busy and empty until its rows are read, and is given them once', async () => {
    const { picked, read } = openReading();
    assert.deepEqual([picker.busy, drawn], [true, []]);
    const isActive = becomesActive('first');
    read([{ label: 'Here', kind: QuickPickItemKind.Separator }, { label: 'first' }, { label: 'second' }]);
    await isActive;
    assert.equal(picker.busy, false);
    await down();
    await accept();
    assert.equal(labelOf(await picked), 'second');
    assert.deepEqual(drawn, [['Here', 'first', 'second']]);
  });

  it('has the focus on the row that says so, which Enter picks', async () => {
    const { picked, read } = openReading();
    const isActive = becomesActive('second');
    read([
      { label: 'first' },
      { label: 'Here', kind: QuickPickItemKind.Separator },
      { label: 'second', isFocused: true },
    ]);
    await isActive;
    await accept();
    assert.equal(labelOf(await picked), 'second');
  });

  it('takes no key before its rows are there', async () => {
    const { picked, read } = openReading();
    await accept();
    const isActive = becomesActive('first');
    read([{ label: 'first' }, { label: 'second' }]);
    await isActive;
    await down();
    await accept();
    assert.equal(labelOf(await picked), 'second');
  });

  it('begins at the first row that matches what was typed while it was read', async () => {
    const { picked, read } = openReading();
    picker.value = 'sec';
    const isActive = becomesActive('second');
    read([{ label: 'first' }, { label: 'second' }]);
    await isActive;
    await accept();
    assert.deepEqual(await picked, { choice: { label: 'second' }, text: 'sec' });
  });

  it('reads no further once it is closed, and draws nothing then', async () => {
    const { picked, read, signal } = openReading();
    assert.equal(signal.aborted, false);
    picker.hide();
    assert.equal(await picked, undefined);
    assert.equal(signal.aborted, true);
    read([{ label: 'first' }]);
    await Promise.resolve();
    assert.deepEqual(drawn, []);
  });

  it('closes, and says why, where its rows cannot be read', async () => {
    const { picked, fail, signal } = openReading();
    fail(new Error('No rows'));
    await assert.rejects(picked, /No rows/);
    await new Promise((done) => signal.addEventListener('abort', done));
  });

  it('stays open on a row that only says something, and shows what is always shown after what matches', async () => {
    const picked = openQuickPick(words, [
      { label: 'says', isInformation: true },
      { label: 'Alice', description: '0xa11ce' },
      { label: 'other', alwaysShow: true },
    ]);
    await becomesActive('says');
    await accept();
    for (const [text, label] of [
      ['0xa11', 'Alice'],
      ['0xb0b', 'other'],
    ] as const) {
      const isActive = becomesActive(label);
      picker.value = text;
      await isActive;
    }
    await accept();
    assert.deepEqual(await picked, { choice: { label: 'other', alwaysShow: true }, text: '0xb0b' });
  });
});
