import assert from 'node:assert/strict';
import {
  commands,
  EventEmitter,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { type ListChoice, openList } from '../../src/host/surface/lists/openList.ts';

const words = { title: 'Networks', placeHolder: 'Choose' };
const buttons = [{ icon: 'trash', words: 'Remove' }];

describe('a list whose rows change while it is open', () => {
  const real = window.createQuickPick;
  let typed: EventEmitter<string>;
  /** What the editor is given, in its order: it looks for a match when it gets rows, and then obeys. */
  let given: string[];
  let picker: QuickPick<QuickPickItem>;

  beforeEach(() => {
    given = [];
    typed = new EventEmitter();
    window.createQuickPick = <T extends QuickPickItem>() => {
      const bare = Object.assign(real<T>(), { show() {} });
      picker = new Proxy(bare, {
        get: (target, key) => (key === 'onDidChangeValue' ? typed.event : Reflect.get(target, key, target)),
        set(target, key, value) {
          if (key === 'items' || key === 'activeItems') {
            const labels = value.map(({ label }: QuickPickItem) => label).filter(Boolean);
            given.push([key, ...labels].join(' '));
          }
          return Reflect.set(target, key, value, target);
        },
      }) as never;
      return picker as never;
    };
  });
  afterEach(() => {
    picker.dispose();
    typed.dispose();
    window.createQuickPick = real;
  });

  function open(): (...labels: readonly string[]) => void {
    let show: (choices: readonly ListChoice[]) => void = () => assert.fail('The list asks for no rows.');
    void openList(words, (shows) => {
      show = shows;
    });
    return (...labels) => show(labels.map((label) => ({ label, onlyWords: label === 'words', buttons })));
  }
  function type(text: string): void {
    picker.value = text;
    typed.fire(text);
  }

  it('begins at the first row that can be picked, and stays where it is', () => {
    const show = open();
    show('words', 'one', 'two');
    show('words', 'none', 'one', 'two');
    assert.deepEqual(given, [
      'items words one two',
      'activeItems one',
      'items words none one two',
      'activeItems one',
    ]);
  });

  it('keeps the place of a row, and its buttons, while the editor may still show it there', () => {
    const show = open();
    show('one', 'two');
    show('found', 'one', 'two');
    const places = picker.items.map((item) => ({
      kind: item.kind,
      of: (item as QuickPickItem & { choice: ListChoice }).choice.label,
      buttons: item.buttons?.map(({ tooltip }) => tooltip),
    }));
    const remove = ['Remove'];
    assert.deepEqual(places, [
      { kind: QuickPickItemKind.Separator, of: 'one', buttons: remove },
      { kind: QuickPickItemKind.Separator, of: 'two', buttons: remove },
      { kind: undefined, of: 'found', buttons: remove },
      { kind: undefined, of: 'one', buttons: remove },
      { kind: undefined, of: 'two', buttons: remove },
    ]);
  });

  it('leaves it to the editor which row matches first what is typed while the rows change', () => {
    const show = open();
    show('one', 'two');
    given = [];
    type('tw');
    type('two');
    assert.deepEqual(given, ['items one two']);
    picker.activeItems = [];
    given = [];
    show('none', 'one', 'two');
    assert.deepEqual(given, ['items none one two']);
  });
});

describe('what is picked in a list while its rows change', () => {
  const real = window.createQuickPick;
  afterEach(() => {
    window.createQuickPick = real;
  });

  type Row = ListChoice & { readonly label: string };
  const rows = (...labels: readonly string[]): readonly Row[] => labels.map((label) => ({ label }));
  const accept = () => commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  const down = () => commands.executeCommand('workbench.action.quickOpenSelectNext');

  /** Opens a list, and waits until its first row is active. */
  async function open(...labels: readonly string[]) {
    let picker: QuickPick<QuickPickItem> | undefined;
    let show: (choices: readonly Row[]) => void = () => assert.fail('The list asks for no rows.');
    window.createQuickPick = <T extends QuickPickItem>() => {
      const made = real<T>();
      picker = made as never;
      return made;
    };
    const picked = openList<Row>(words, (shows) => {
      show = shows;
    });
    assert.ok(picker);
    const isActive = becomesActive(picker, labels[0]);
    show(rows(...labels));
    await isActive;
    return { picker, picked, show: (...others: readonly string[]) => show(rows(...others)) };
  }
  const labelOf = (picked: unknown) => (picked as { choice: Row }).choice.label;
  const becomesActive = (picker: QuickPick<QuickPickItem>, label: string | undefined) =>
    new Promise((done) => picker.onDidChangeActive(([row]) => row?.label === label && done(row)));

  it('is the row that was active, where others come above it at that moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { picked, show } = await open('mine', 'other');
      const done = accept();
      show('found', 'mine', 'other');
      assert.equal(labelOf(await picked), 'mine');
      await done;
    }
  });

  it('is the row that was taken, whatever is active in the rows that come after', async () => {
    for (let round = 0; round < 10; round++) {
      const { picked, show } = await open('first', 'mine', 'other');
      // As a click does, which makes active what it takes.
      const done = Promise.all([down(), accept()]);
      for (let times = 0; times < round; times++)
        show(...Array(times).fill('found'), 'first', 'mine', 'other');
      assert.equal(labelOf(await picked), 'mine');
      await done;
    }
  });

  it('is not one that has taken the place of the row that was taken', async () => {
    const { picked, show } = await open('first', 'mine', 'other');
    const done = Promise.all([down(), accept()]);
    show('first', 'found', 'mine', 'other');
    assert.equal(labelOf(await picked), 'mine');
    await done;
  });

  it('is the row that was moved to, once other rows are drawn', async () => {
    const { picker, picked, show } = await open('first', 'mine', 'other');
    const isActive = becomesActive(picker, 'mine');
    const done = down();
    show('found', 'first', 'mine', 'other');
    await done;
    await isActive;
    await commands.executeCommand('noop').then(undefined, () => undefined);
    await accept();
    assert.equal(labelOf(await picked), 'mine');
  });

  it('keeps few places, however often its rows change', async () => {
    const { picker, show } = await open('one', 'two');
    for (let round = 0; round < 30; round++) {
      const isActive = becomesActive(picker, `row ${round}`);
      show(`row ${round}`, 'one', 'two');
      picker.activeItems = picker.items.filter(({ label }) => label === `row ${round}`);
      await isActive;
      await commands.executeCommand('noop').then(undefined, () => undefined);
    }
    assert.ok(picker.items.length <= 9, `${picker.items.length} places`);
    picker.hide();
  });

  it('is the first that matches, where none was active at that moment', async () => {
    const { picker, picked, show } = await open('mine', 'other');
    picker.value = 'mine';
    // As when the editor is told of a row that no longer matches what has been typed meanwhile.
    picker.activeItems = picker.items.slice(1);
    show('found', 'mine', 'other');
    await accept();
    await accept();
    assert.equal(labelOf(await picked), 'mine');
  });
});
