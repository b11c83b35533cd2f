import assert from 'node:assert/strict';
import { EventEmitter, type QuickPick, type QuickPickItem, window } from 'vscode';
import { type ListChoice, openList } from '../../src/host/surface/lists/openList.ts';

const words = { title: 'Networks', placeHolder: 'Choose' };

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
            given.push([key, ...value.map(({ label }: QuickPickItem) => label)].join(' '));
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
    return (...labels) => show(labels.map((label) => ({ label, onlyWords: label === 'words' })));
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
