import assert from 'node:assert/strict';
import { commands, type Tab, TabInputText, Uri, window } from 'vscode';
import { openWithEditor } from '../../../../src/host/ui/notebooks.ts';

describe('a file that is opened in another editor', () => {
  const file = Uri.file('/workspace/questions.chain.md');
  const { executeCommand } = commands;
  const { tabGroups } = window;
  let isOpened: boolean;
  let isDirty: boolean;
  let closed: number;

  beforeEach(() => {
    [isOpened, isDirty, closed] = [false, false, 0];
    let newest: readonly Pick<Tab, 'input' | 'isActive' | 'isDirty'>[] = [];
    const replaced = {
      get activeTabGroup() {
        const text = { input: new TabInputText(file), isActive: !isOpened, isDirty };
        newest = isOpened ? [text, { input: {}, isActive: true, isDirty: false }] : [text];
        return { tabs: newest, activeTab: newest.find(({ isActive }) => isActive) };
      },
      async close(tab: Tab) {
        if (!newest.includes(tab)) throw new Error('Tab close: Invalid tab not found!');
        closed++;
      },
    };
    Object.assign(window, { tabGroups: replaced });
    Object.assign(commands, {
      executeCommand: async (id: string) => {
        isOpened = id === 'vscode.openWith';
      },
    });
  });
  afterEach(() => {
    Object.assign(window, { tabGroups });
    Object.assign(commands, { executeCommand });
  });

  it('takes the place of its text, also where the editor has made its tabs anew meanwhile', async () => {
    await openWithEditor('notebook', undefined);
    assert.deepEqual([isOpened, closed], [true, 1]);
  });

  it('leaves a text with changes, and that of another file', async () => {
    isDirty = true;
    await openWithEditor('notebook', undefined);
    isDirty = false;
    isOpened = false;
    await openWithEditor('notebook', Uri.file('/workspace/other.chain.md'));
    assert.equal(closed, 0);
  });
});
