import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Address } from '../../../../src/core/index.ts';
import {
  type BookEntries,
  type BookFiles,
  entriesToJson,
  listAddresses,
  MAX_RECENT_ADDRESSES,
  mergeEntries,
  noEntries,
  parseEntries,
  SharedBook,
  withEntry,
} from '../../../../src/features/addresses/bookEntries.ts';
import { memoryBookFiles } from '../../../support/memory.ts';

const address = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;
const add = (at: number) => (entries: BookEntries) => withEntry(entries, 'watched', { address: address(at) });
const remove = (at: number) => (entries: BookEntries) =>
  withEntry(entries, 'watched', { address: address(at), gone: true });
const label = (at: number, text: string) => (entries: BookEntries) =>
  withEntry(entries, 'labels', { address: address(at), text });

const troubles: unknown[] = [];

function openBook(files: BookFiles, former = { read: (): unknown => undefined, clear: async () => {} }) {
  const book: SharedBook = new SharedBook({
    ...{ files, prefix: 'book-', former, onDidChange() {} },
    onError: (error) => troubles.push(error),
  });
  return { book, watched: () => listAddresses(book.entries.watched) };
}

describe('an address book in several windows', () => {
  beforeEach(() => {
    troubles.length = 0;
  });

  it('loses nothing, in whatever order the steps of the windows fall', async () => {
    const change = fc.record({
      window: fc.nat(2),
      target: fc.nat(5),
      what: fc.constantFrom('add', 'remove', 'label', 'close'),
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(change, { maxLength: 14 }), async (scheduler, changes) => {
        const contents = new Map<string, string>();
        const files = memoryBookFiles(contents, () => scheduler.schedule(Promise.resolve()));
        const windows = [0, 1, 2].map(() => openBook(files));
        const running: Promise<void>[] = [];
        // An address belongs to one window, so that what is to come of it is known.
        const expected = new Map<Address, boolean>();
        const labels = new Map<Address, string>();
        for (const [index, { window, target, what }] of changes.entries()) {
          const own = target * 3 + window;
          const { book } = windows[window] ?? openBook(files);
          if (what === 'close') {
            windows[window] = openBook(files);
          } else if (what === 'label') {
            running.push(book.change(label(own, String(index))));
            labels.set(address(own), String(index));
          } else {
            running.push(book.change(what === 'add' ? add(own) : remove(own)));
            expected.set(address(own), what === 'add');
          }
          if (what === 'close') await scheduler.waitFor(Promise.all(running));
        }
        await scheduler.waitFor(Promise.all([...running, ...windows.map(({ book }) => book.ready)]));
        const late = openBook(memoryBookFiles(contents));
        await late.book.ready;
        const present = [...expected].filter(([, is]) => is).map(([key]) => key);
        assert.deepEqual([...late.watched()].sort(), present.sort());
        for (const [key, text] of labels) assert.equal(late.book.entries.labels.get(key)?.text, text);
        assert.deepEqual(troubles, []);
      }),
    );
  });

  it('loses nothing when a window ends in the middle of a change, wherever that is', async () => {
    for (let steps = 0; steps < 12; steps++) {
      const contents = new Map<string, string>();
      await openBook(memoryBookFiles(contents)).book.change(add(1));
      let left = steps;
      const ended = new Promise<void>(() => undefined);
      const ending = openBook(memoryBookFiles(contents, () => (left-- > 0 ? Promise.resolve() : ended)));
      void ending.book.change(add(2));
      await new Promise((resolve) => setImmediate(resolve));
      const later = openBook(memoryBookFiles(contents));
      await later.book.change(add(3));
      const found = later.watched();
      assert.ok(found.includes(address(1)) && found.includes(address(3)), `${steps} steps: ${found}`);
    }
  });

  it('reads again what another window has replaced meanwhile', async () => {
    const contents = new Map<string, string>();
    const other = openBook(memoryBookFiles(contents));
    await other.book.change(add(1));
    let replaced = false;
    const files = memoryBookFiles(contents);
    const { book, watched } = openBook({
      ...files,
      async list(prefix) {
        const names = await files.list(prefix);
        if (!replaced) await other.book.change(add(2));
        replaced = true;
        return names;
      },
    });
    await book.ready;
    assert.deepEqual(watched(), [address(1), address(2)]);
  });

  it('takes over what was kept before, once, with what two windows make of it at once', async () => {
    const files = memoryBookFiles();
    let kept: unknown = {
      watched: [address(1).toUpperCase().replace('0X', '0x'), 'junk', 7, address(2)],
      recent: [address(9), address(8)],
      labels: { [address(1)]: 'one', [address(2)]: 2, junk: 'x' },
      tokens: 'junk',
    };
    const former = {
      read: () => kept,
      async clear() {
        kept = undefined;
      },
    };
    const [one, two] = [openBook(files, former), openBook(files, former)];
    assert.deepEqual(one.watched(), [address(1), address(2)], 'there at once');
    await Promise.all([one.book.change(remove(1)), two.book.change(add(3))]);
    assert.equal(kept, undefined);
    const third = openBook(files, former);
    await third.book.ready;
    assert.deepEqual(third.watched(), [address(2), address(3)]);
    assert.deepEqual(listAddresses(third.book.entries.recent), [address(8), address(9)]);
    assert.deepEqual([...third.book.entries.labels.keys()], [address(1)]);
  });

  it('goes on in memory where nothing can be kept, and says so', async () => {
    const refuse = () => Promise.reject(new Error('EROFS'));
    const { book, watched } = openBook({ list: refuse, read: refuse, write: refuse, remove: refuse });
    await book.change(add(1));
    assert.deepEqual(watched(), [address(1)]);
    assert.match(String(troubles[0]), /EROFS/);
  });

  it('leaves a file that is not whole, and one that is none', async () => {
    const contents = new Map([
      ['book-a.json', '{"watched":{'],
      ['book-b.json', '[]'],
      ['other.json', '{}'],
    ]);
    const files = memoryBookFiles(contents);
    await openBook(files).book.change(add(1));
    assert.ok(contents.has('book-a.json') && contents.has('other.json'));
    const { book, watched } = openBook(files);
    await book.ready;
    assert.deepEqual([watched(), troubles], [[address(1)], []]);
  });
});

describe('entries of an address book', () => {
  it('cost themselves alone where they are junk', () => {
    const read = parseEntries({
      watched: {
        [address(1)]: { at: 3 },
        [address(2)]: { at: 'x' },
        [address(4)]: { at: -1 },
        [address(5)]: { at: 2 ** 53 },
        [address(6)]: null,
        nonsense: { at: 1 },
        [address(3)]: { at: 1 },
      },
      labels: { [address(1)]: { at: 2, text: 7 }, [address(2)]: { at: 2, text: 'two' } },
      recent: 12,
    });
    assert.deepEqual(listAddresses(read.watched), [address(3), address(1)]);
    assert.deepEqual([...read.labels.keys()], [address(2)]);
    for (const junk of [undefined, null, 7, 'x', [], [1]]) assert.deepEqual(parseEntries(junk), noEntries);
  });

  it('keep the fields of a later version', () => {
    const kept = { watched: { [address(1)]: { at: 1, colour: 'red' } }, groups: ['a'] };
    const changed = remove(1)(mergeEntries(noEntries, parseEntries(kept)));
    assert.deepEqual(JSON.parse(JSON.stringify(entriesToJson(changed))), {
      groups: ['a'],
      watched: { [address(1)]: { at: 2, gone: true, colour: 'red' } },
      recent: {},
      labels: {},
      tokens: {},
    });
  });

  it('are the same in whatever order they are merged', () => {
    const entry = fc.record({ at: fc.nat(4), gone: fc.constantFrom(true, undefined), text: fc.string() });
    const kind = fc.dictionary(fc.nat(3).map(address), entry);
    const entries = fc.record({ watched: kind, labels: kind }).map(parseEntries);
    const counted = (merged: BookEntries) => {
      const of = (map: BookEntries['watched']) =>
        [...map].map(([key, { at, gone, text }]) => [key, at, gone, gone || text]).sort();
      return [of(merged.watched), of(merged.labels)];
    };
    fc.assert(
      fc.property(entries, entries, entries, (a, b, c) => {
        assert.deepEqual(
          counted(mergeEntries(mergeEntries(a, b), c)),
          counted(mergeEntries(c, mergeEntries(b, a))),
        );
        assert.equal(mergeEntries(a, a), a);
      }),
    );
  });

  it('are as many recent ones as can be, and forget in time what is gone', async () => {
    const { book } = openBook(memoryBookFiles());
    for (let index = 0; index < MAX_RECENT_ADDRESSES + 5; index++) {
      await book.change((entries) => withEntry(entries, 'recent', { address: address(index) }));
    }
    assert.equal(book.entries.recent.size, MAX_RECENT_ADDRESSES);
    assert.equal(listAddresses(book.entries.recent).at(-1), address(MAX_RECENT_ADDRESSES + 4));
    const gone = Array.from({ length: 1200 }, (_, at) => [address(at), { at, gone: true }]);
    await book.change((entries) =>
      add(5000)(mergeEntries(entries, parseEntries({ watched: Object.fromEntries(gone) }))),
    );
    assert.equal(book.entries.watched.size, 1001);
    assert.deepEqual(listAddresses(book.entries.watched), [address(5000)]);
  });
});
