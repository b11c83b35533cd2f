import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri } from 'vscode';
import type { Address } from '../../../../src/core/index.ts';
import { AddressBook, createBookFiles } from '../../../../src/features/addresses/addressBook.ts';
import { setLabel } from '../../../../src/features/addresses/commands/addressCommands.ts';
import type { Session } from '../../../../src/host/session/session.ts';
import { createAddressView } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { memoryMemento } from '../../../support/host/memoryFiles.ts';
import { waitUntil } from '../../../support/host/settings.ts';

const one: Address = `0x${'1'.repeat(40)}`;
const two: Address = `0x${'2'.repeat(40)}`;
const three: Address = `0x${'3'.repeat(40)}`;

describe('address book', () => {
  let folder: string;
  const person = useDialogs();
  let opened: { dispose(): unknown }[];
  let session: Session;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-book-'));
    const view = createAddressView();
    session = view.session;
    opened = [view];
  });
  afterEach(async () => {
    for (const part of opened.reverse()) part.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  function openBook({ at = join(folder, 'book'), kept = new Map<string, unknown>() } = {}): AddressBook {
    const storage = memoryMemento(kept);
    const book = new AddressBook({ files: createBookFiles(Uri.file(at)), storage, session });
    opened.push(book);
    return book;
  }

  it('is one in all windows, each of which follows the others', async () => {
    const first = openBook();
    await first.ready;
    await first.watch(one);
    const second = openBook();
    await second.ready;
    assert.deepEqual(second.watched, [one]);
    await second.watch(two);
    await second.setLabel(one, ' Treasury ');
    await second.watchToken(three);
    await second.remember(three);
    await waitUntil(() => first.recent.length === 1);
    assert.deepEqual([first.watched, first.recent, first.tokens], [[one, two], [three], [three]]);
    assert.equal(first.label(one), 'Treasury');
    assert.equal((await readdir(join(folder, 'book'))).length, 1);
  });

  it('labels an address on another chain than the active one, and there alone', async () => {
    const book = openBook();
    const chainId = session.network.chainId + 1;
    await setLabel(book, { address: one, chainId }, 'Elsewhere');
    assert.deepEqual(
      [book.label(one), await book.labelOn(chainId, one), book.labelsOf(chainId)],
      [undefined, 'Elsewhere', [[one, 'Elsewhere']]],
    );
    await setLabel(book, { address: one, chainId }, '');
    assert.equal(await book.labelOn(chainId, one), undefined);
  });

  it('touches no file before something of it is wanted', async () => {
    const at = join(folder, 'not wanted');
    const book = openBook({ at });
    await openBook().watch(one);
    assert.deepEqual(await readdir(folder), ['book']);
    assert.deepEqual(book.watched, []);
    await waitUntil(() => existsSync(at));
  });

  it('takes over what was kept of its chain before it had files', async () => {
    const key = `addresses:${session.network.chainId}`;
    const kept = new Map<string, unknown>([[key, { watched: [one, two] }]]);
    await openBook({ kept }).ready;
    assert.equal(kept.get(key), undefined);
    const next = openBook();
    await next.ready;
    assert.deepEqual(next.watched, [one, two]);
  });

  it('goes on in this window where nothing can be kept, and says so once', async () => {
    const at = join(folder, 'file');
    await writeFile(at, '');
    const book = openBook({ at });
    assert.ok(await book.watch(one));
    assert.ok(await book.watch(two));
    assert.deepEqual(book.watched, [one, two]);
    assert.equal(person.told.length, 1);
    assert.match(
      person.told[0] ?? '',
      /^Chainside keeps addresses and labels only until you close this window\./,
    );
  });
});
