import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { waitUntil } from '../../scripts/support/workbench/waitUntil.ts';
import { logPanelIn } from '../e2e/support/logPanel.ts';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { TRANSFER, useLogPanels } from './support/logPanels.ts';

interface QueryRow {
  readonly node: unknown;
  readonly text: string;
}

describe('Queries view', () => {
  const { editor, openAndRun, pageShownBy } = useLogPanels();
  afterEach(() => editor().updateSettings({ 'chainside.network': 'explorer' }));

  /** Of blocks of which one page has all logs. */
  async function runTransfers(): Promise<void> {
    const { usd } = environment().localnet.chain.contracts;
    const range = { 'From block': '1', 'To block': '60' };
    const opened = await openAndRun({ Address: usd.address, 'Event or topic': TRANSFER, ...range });
    await waitForText(opened.status, /^Complete/);
  }

  /** The rows below those of groups, as they are read aloud. */
  async function rows(): Promise<readonly QueryRow[]> {
    const tree = editor().trees.get('chainside.queries') ?? assert.fail('There is no such view.');
    const groups = (await tree.getChildren()) ?? [];
    const nodes = await Promise.all(groups.map(async (group) => (await tree.getChildren(group)) ?? []));
    return Promise.all(
      nodes.flat().map(async (node) => {
        const { accessibilityInformation } = await tree.getTreeItem(node);
        return { node, text: accessibilityInformation?.label ?? '' };
      }),
    );
  }
  async function rowWith(text: RegExp): Promise<QueryRow> {
    let found: QueryRow | undefined;
    await waitUntil(`there is a row ${text}`, async () => {
      found = (await rows()).find((row) => text.test(row.text));
      return found !== undefined;
    });
    return found ?? assert.fail();
  }

  it('saves a query by name, renames it, and has it among the recent ones once it is removed', async () => {
    const { user } = editor();
    await runTransfers();
    user.types.push('Dollar moves');
    await editor().runCommand('chainside.saveQuery');
    const saved = await rowWith(/^Dollar moves, \d+ logs, complete to 60 · /);
    assert.equal((await rows()).length, 1, 'It stands there once.');
    user.types.push('Dollar transfers');
    await editor().runCommand('chainside.renameQuery', saved.node);
    const renamed = await rowWith(/^Dollar transfers, /);
    const prompt = 'Name of the query in the Queries view of every window';
    assert.deepEqual(user.prompts, [prompt, prompt]);
    await editor().runCommand('chainside.removeQuery', renamed.node);
    await rowWith(/^Transfer · .* complete to 60 · /);
    assert.equal((await rows()).length, 1);
  });

  it('runs a query on the network that it ran on, and forgets the recent ones once that is confirmed', async () => {
    await runTransfers();
    editor().closePanels();
    editor().updateSettings({ 'chainside.network': 'other' });
    const { node } = await rowWith(/^Transfer · .* complete to 60 · .* · Local Explorer$/);
    const opened = logPanelIn(await pageShownBy(() => editor().runCommand('chainside.openQuery', node)));
    await waitForText(opened.status, /^Complete · \d+ logs to block 60/);
    await opened.frame.getByText('Active network: Other Network').first().waitFor();

    await editor().runCommand('chainside.clearRecentQueries');
    assert.ok((await rows()).length > 0, 'They are forgotten before it is confirmed.');
    editor().user.presses.push('Clear');
    await editor().runCommand('chainside.clearRecentQueries');
    await waitUntil('there is no query', async () => (await rows()).length === 0);
  });
});

describe('a window that closes', () => {
  const { editor, openAndRun, close } = useLogPanels();

  it('waits until a query is saved', async () => {
    const { fs } = editor().api.workspace;
    const write = fs.writeFile;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun: string[] = [];
    const written: string[] = [];
    fs.writeFile = async (uri, content) => {
      begun.push(uri.path);
      await released;
      await write(uri, content);
      written.push(uri.path);
    };
    const opened = await openAndRun({ 'Event or topic': TRANSFER, 'From block': '1', 'To block': '20' });
    await waitForText(opened.status, /^Complete/);
    editor().user.types.push('Dollar moves');
    void editor().runCommand('chainside.saveQuery');
    await waitUntil('the query is being saved', () => begun.some((path) => path.includes('/queries/')));
    let isClosed = false;
    const closed = close().then(() => {
      isClosed = true;
    });
    await setImmediate();
    assert.equal(isClosed, false, 'The window does not wait for the disk.');
    release();
    await closed;
    assert.match(written.join('\n'), /\/queries\/[\w-]+\.json$/);
  });
});
