import assert from 'node:assert/strict';
import {
  commands,
  EventEmitter,
  type InputBox,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { builtInNetworks } from '../../src/core/index.ts';
import { addNetwork } from '../../src/features/network/addNetwork.ts';
import { createHttp } from '../../src/host/session/http.ts';
import { openQuickPick, type QuickPickChoice } from '../../src/host/ui/dialogs.ts';
import { waitUntil } from '../support/host/settings.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';

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

describe('the way back from what was found at a URL', () => {
  const { createInputBox, createQuickPick } = window;
  let node: LoopbackServer;
  let typed: EventEmitter<string>;
  let boxes: InputBox[];
  let lists: QuickPick<QuickPickItem>[];

  before(async () => {
    node = await startRpcServer(({ id }) => ({ jsonrpc: '2.0', id, result: '0x7' }));
  });
  after(() => node.close());
  beforeEach(() => {
    boxes = [];
    lists = [];
    typed = new EventEmitter();
    Object.assign(window, {
      createInputBox() {
        const box = new Proxy(createInputBox(), {
          get: (target, name) =>
            name === 'onDidChangeValue' ? typed.event : Reflect.get(target, name, target),
          set: (target, name, value) => Reflect.set(target, name, value, target),
        });
        boxes.push(box);
        return box;
      },
      createQuickPick() {
        const list = createQuickPick();
        lists.push(list);
        return list;
      },
    });
  });
  afterEach(() => {
    Object.assign(window, { createInputBox, createQuickPick });
    typed.dispose();
  });

  it('leads to what was typed', async () => {
    const http = createHttp(() => undefined);
    const log = window.createOutputChannel('Way back under test', { log: true });
    const settings = { current: { networks: builtInNetworks }, writtenIds: [], saveNetwork: assert.fail };
    const secrets = { get: async () => undefined };
    const deps = { ...{ http, log, settings, secrets }, session: { httpFor: () => http } };
    const asked = addNetwork(deps as never as Parameters<typeof addNetwork>[0]);
    const [box] = boxes;
    assert.ok(box);
    box.value = node.url;
    typed.fire(node.url);
    await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await waitUntil(() => (lists[0]?.activeItems.length ?? 0) > 0);
    await commands.executeCommand('workbench.action.quickInputBack');
    await waitUntil(() => boxes.length === 2);
    assert.equal(boxes[1]?.value, node.url);
    await commands.executeCommand('workbench.action.closeQuickOpen');
    await asked;
    log.dispose();
  });
});
