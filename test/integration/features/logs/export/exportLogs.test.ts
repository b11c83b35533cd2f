import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { type LogOutputChannel, Uri, window, workspace } from 'vscode';
import {
  builtInNetworks,
  createLogStore,
  type Log,
  type LogFilter,
  systemClock,
} from '../../../../../src/core/index.ts';
import { exportLogs, removeUnfinishedExports } from '../../../../../src/features/logs/export/exportLogs.ts';
import type { ExportableResult } from '../../../../../src/features/logs/export/exportRows.ts';
import type { LogsDeps } from '../../../../../src/features/logs/panel/panelServices.ts';
import { useDialogs } from '../../../../support/host/dialogs.ts';
import {
  type MemoryFiles,
  memoryMemento,
  registerMemoryFiles,
} from '../../../../support/host/memoryFiles.ts';

const log: Log = {
  address: `0x${'11'.repeat(20)}`,
  blockHash: `0x${'22'.repeat(32)}`,
  blockNumber: 1n,
  data: '0x',
  logIndex: 0,
  topics: [],
  transactionHash: `0x${'33'.repeat(32)}`,
  transactionIndex: 0,
};

describe('the place of an export', () => {
  let folder: string;
  let storage: string;
  let target: string;
  let record: string;
  const person = useDialogs();
  let channel: LogOutputChannel;
  let deps: LogsDeps;
  let settings: { exportRecord: boolean };
  /** Questions to the server, and what happens at each. */
  let asked: number;
  let meanwhile: (() => unknown) | undefined;

  // One for all: a log channel of a name that was just closed is closed, too.
  before(() => {
    channel = window.createOutputChannel('Export under test', { log: true });
  });
  after(() => channel.dispose());

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'chainside-place-')));
    storage = await mkdtemp(join(tmpdir(), 'chainside-storage-'));
    target = join(folder, 'logs');
    record = join(folder, 'logs.meta.json');
    person.saveAs = Uri.file(target);
    asked = 0;
    meanwhile = undefined;
    settings = { exportRecord: true };
    deps = {
      extensionUri: Uri.file(folder),
      storageUri: Uri.file(storage),
      workspaceState: memoryMemento(),
      workspaceStorageUri: undefined,
      session: {} as LogsDeps['session'],
      settings: { current: settings } as LogsDeps['settings'],
      contracts: {} as LogsDeps['contracts'],
      head: {} as LogsDeps['head'],
      names: () => assert.fail('No address is named here.'),
      meaning: () => assert.fail('Nothing is decoded here.'),
      clock: systemClock,
      log: channel,
      version: '1.2.3',
    };
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(storage, { recursive: true, force: true });
  });

  const names = async () => (await readdir(folder)).sort();
  const content = (path = target) => readFile(path, 'utf8');
  const unfinished = () => readdir(join(storage, 'unfinished'));

  function answer(found: Partial<ExportableResult['verdict']> = {}): ExportableResult {
    const verdict = {
      ...{ state: 'more', reasons: [], fromBlock: 0n, toBlock: 9n, readThrough: 1n, head: 9n, requests: 1 },
      order: 'oldestFirst',
    } as unknown as ExportableResult['verdict'];
    const [network] = builtInNetworks;
    assert.ok(network);
    const openLogQuery = () => ({
      verdict: { ...verdict, state: 'complete', ...found },
      async *rest({ signal }: { signal: AbortSignal }) {
        asked++;
        yield { logs: [log] };
        await meanwhile?.();
        signal.throwIfAborted();
        yield { logs: [{ ...log, logIndex: 1 }] };
      },
    });
    const client = { openLogQuery } as unknown as ExportableResult['client'];
    const filter: LogFilter = { addresses: [], topics: [], fromBlock: 0n, toBlock: 9n };
    return { network, client, filter, rows: createLogStore(), verdict };
  }

  async function exportAll(...presses: readonly string[]): Promise<string | undefined> {
    return exportAs('NDJSON', answer(), presses);
  }

  async function exportAs(format: string, result: ExportableResult, presses: readonly string[] = []) {
    person.picks = [format, 'All logs of the query'];
    person.presses = [...presses];
    const told = person.told.length;
    await exportLogs(result, deps);
    return person.told.slice(told).join('\n');
  }

  it('is left as it is, with nothing asked of a server, where a folder is', async () => {
    await mkdir(target);
    await writeFile(join(target, 'mine'), 'mine');
    assert.equal(await exportAll(), 'Cannot write the file. logs is a folder.');
    await rm(target, { recursive: true });
    await mkdir(record);
    await writeFile(join(record, 'mine'), 'mine');
    assert.equal(await exportAll(), 'Cannot write the file. logs.meta.json is a folder.');
    assert.equal(await content(join(record, 'mine')), 'mine');
    assert.deepEqual([await names(), asked], [['logs.meta.json'], 0]);
  });

  it('keeps a record that the editor has not asked about, unless told to replace it', async () => {
    await writeFile(target, 'old');
    await writeFile(record, 'mine');
    assert.equal(await exportAll(), 'Replace logs.meta.json?');
    assert.deepEqual([await content(), await content(record), asked], ['old', 'mine', 0]);
    assert.match((await exportAll('Replace')) ?? '', /^Replace logs.meta.json\?\nExported 2 logs to logs\./);
    assert.equal(JSON.parse(await content(record)).rows, 2);
    assert.equal((await content()).trimEnd().split('\n').length, 2);
    assert.deepEqual(await names(), ['logs', 'logs.meta.json']);
  });

  it('has no record unless the settings say so, or a file is replaced that has one', async () => {
    settings.exportRecord = false;
    assert.equal(await exportAll(), 'Exported 2 logs to logs.');
    assert.deepEqual(await names(), ['logs']);
    await writeFile(record, 'of the rows before');
    assert.equal(await exportAll('Replace'), 'Replace logs.meta.json?\nExported 2 logs to logs.');
    assert.equal(JSON.parse(await content(record)).rows, 2);

    await rm(target);
    await writeFile(record, 'of no file');
    assert.equal(await exportAll(), 'Exported 2 logs to logs.');
    assert.equal(await content(record), 'of no file');
    assert.deepEqual([await names(), await unfinished()], [['logs', 'logs.meta.json'], []]);
  });

  it('says in the message why logs may be missing, and in the file where the format has room', async () => {
    settings.exportRecord = false;
    const uncertain = answer({ state: 'uncertain', reasons: [{ code: 'startsLater', block: 7n }] });
    for (const format of ['CSV', 'Parquet']) {
      assert.equal(
        await exportAs(format, uncertain),
        'Exported 2 logs to logs. The logs may be incomplete. The server has no blocks before 7, so earlier logs are missing. Use another endpoint for those.',
      );
    }
    const [metadata] =
      parquetMetadata(new Uint8Array(await readFile(target)).buffer).key_value_metadata ?? [];
    assert.equal(JSON.parse(metadata?.value ?? '').verdict.state, 'uncertain');
    const more = answer({ state: 'more', reasons: [{ code: 'startsLater', block: 7n }] });
    assert.match(
      (await exportAs('CSV', more)) ?? '',
      /The query has more logs\. The server has no blocks before 7/,
    );
  });

  it('is offered in the folder of the last export, while that exists', async () => {
    const [workspaceFolder] = workspace.workspaceFolders ?? [];
    await exportAll();
    await exportAll();
    await rm(folder, { recursive: true });
    person.saveAs = undefined;
    await exportAll();
    assert.deepEqual(
      person.folders.map((uri) => uri?.fsPath),
      [workspaceFolder?.uri.fsPath, folder, workspaceFolder?.uri.fsPath],
    );
  });

  it('asks about a file that came before another try', async () => {
    meanwhile = async () => {
      meanwhile = undefined;
      await writeFile(target, 'mine');
      await writeFile(record, 'mine');
    };
    const told = (await exportAll('Retry')) ?? '';
    assert.match(told, /Another program created .*\nReplace logs and logs.meta.json\?$/s);
    assert.deepEqual([await content(), await content(record)], ['mine', 'mine']);
    assert.deepEqual(await names(), ['logs', 'logs.meta.json']);
  });

  it('is refused before anything is asked where the file system takes no such name', async () => {
    for (const length of [246, 256]) {
      person.saveAs = Uri.file(join(folder, 'x'.repeat(length)));
      assert.match(
        (await exportAll()) ?? '',
        /^Cannot write the file\. The file system does not allow the file/,
      );
    }
    assert.deepEqual([await names(), asked], [[], 0]);
    person.saveAs = Uri.file(join(folder, 'x'.repeat(245)));
    assert.match((await exportAll()) ?? '', /^Exported/);
  });

  it('has what it had before when the export is cancelled', async () => {
    await writeFile(target, 'old');
    meanwhile = async () => {
      const during = await names();
      assert.equal(during.filter((name) => name.endsWith('.part')).length, 2, String(during));
      assert.equal((await unfinished()).length, 1);
      person.cancel();
    };
    assert.equal(await exportAll(), '');
    assert.deepEqual([await names(), await content(), await unfinished()], [['logs'], 'old', []]);
  });

  it('has a whole file of one of two exports that go on at once, and nothing of the other', async () => {
    const told: (string | undefined)[] = [];
    meanwhile = async () => {
      meanwhile = undefined;
      told.push(await exportAll());
    };
    told.push(await exportAll());
    assert.match(told[0] ?? '', /^Exported 2 logs to logs\./);
    assert.match(told[1] ?? '', /Another program created logs in the meantime\. Chainside left it unchanged/);
    assert.deepEqual([await names(), await unfinished()], [['logs', 'logs.meta.json'], []]);
    assert.equal((await content()).trimEnd().split('\n').length, 2);

    meanwhile = async () => {
      meanwhile = undefined;
      assert.match((await exportAll('Replace')) ?? '', /^Replace.*\nExported/s);
    };
    assert.match((await exportAll('Replace')) ?? '', /^Replace.*\nExported.*\nExported/s);
    assert.deepEqual([await names(), await unfinished()], [['logs', 'logs.meta.json'], []]);
    assert.equal((await content()).trimEnd().split('\n').length, 2);
    assert.equal(JSON.parse(await content(record)).rows, 2);
  });

  it('loses nothing of an export that runs to a sweep beside it', async () => {
    meanwhile = () => Promise.all([removeUnfinishedExports(deps), removeUnfinishedExports(deps)]);
    assert.match((await exportAll()) ?? '', /^Exported 2 logs/);
    assert.deepEqual([await names(), await unfinished()], [['logs', 'logs.meta.json'], []]);
  });

  it('has what it had before when the record cannot have its place', async () => {
    await writeFile(target, 'old');
    meanwhile = async () => {
      meanwhile = undefined;
      await mkdir(record);
      await writeFile(join(record, 'mine'), 'mine');
    };
    assert.match((await exportAll()) ?? '', /Another program created logs\.meta\.json/);
    assert.deepEqual([await content(), await content(join(record, 'mine'))], ['old', 'mine']);
    assert.deepEqual([await names(), await unfinished()], [['logs', 'logs.meta.json'], []]);
  });

  describe('after a window has ended in the middle', () => {
    const part = '.chainside-0a1b2c3d.part';
    const old = '.chainside-0a1b2c3d.old';
    const over = () => spawnSync(process.execPath, ['-e', '0'], { env: { ELECTRON_RUN_AS_NODE: '1' } }).pid;

    /** What a window has noted that gave no sign for some hours. */
    async function note(pid: number, files: readonly string[], hours = 1): Promise<void> {
      await mkdir(join(storage, 'unfinished'));
      const entry = join(storage, 'unfinished', 'entry.json');
      const uri = (name: string) => String(Uri.file(join(folder, name)));
      const noted = files.map((name) => ({
        part: uri(name),
        setAside: { old: uri(name.replace('.part', '.old')), place: uri('logs') },
      }));
      await writeFile(entry, JSON.stringify({ process: pid, files: noted }));
      const ago = Date.now() / 1000 - hours * 3600;
      await utimes(entry, ago, ago);
    }

    it('loses what was unfinished, and nothing else', async () => {
      for (const name of [part, 'mine.part', '.chainside-ffffffff.part'])
        await writeFile(join(folder, name), '');
      await note(over(), [part, 'mine.part']);
      await removeUnfinishedExports(deps);
      assert.deepEqual([await names(), await unfinished()], [['.chainside-ffffffff.part', 'mine.part'], []]);
    });

    it('gets back the file that was set aside', async () => {
      await writeFile(join(folder, old), 'mine');
      await note(over(), [part]);
      await removeUnfinishedExports(deps);
      assert.deepEqual([await names(), await content()], [['logs'], 'mine']);
    });

    it('keeps what another window is at', async () => {
      await writeFile(join(folder, part), '');
      await note(process.pid, [part]);
      await removeUnfinishedExports(deps);
      assert.deepEqual([await names(), (await unfinished()).length], [[part], 1]);
    });

    it('loses what was unfinished a day later, if another program has the number of its process', async () => {
      await writeFile(join(folder, part), '');
      await note(process.pid, [part], 25);
      await removeUnfinishedExports(deps);
      assert.deepEqual([await names(), await unfinished()], [[], []]);
    });
  });

  describe('on a file system of the editor', () => {
    let memory: MemoryFiles;
    beforeEach(() => {
      memory = registerMemoryFiles('chainside-places');
      person.saveAs = memory.uri('logs');
    });
    afterEach(() => memory.dispose());

    it('is left as it is where a folder is', async () => {
      for (const name of ['/logs', '/logs.meta.json']) {
        memory.folders.clear();
        memory.folders.add(name);
        assert.match((await exportAll()) ?? '', /is a folder\.$/);
        assert.deepEqual([[...memory.folders], [...memory.files.keys()], asked], [[name], [], 0]);
      }
    });

    it('has what it had before when the record cannot have its place', async () => {
      memory.files.set('/logs', new TextEncoder().encode('old'));
      meanwhile = () => {
        meanwhile = undefined;
        memory.folders.add('/logs.meta.json');
      };
      assert.match((await exportAll()) ?? '', /logs\.meta\.json is a folder/);
      assert.deepEqual([...memory.files.keys()], ['/logs']);
      assert.equal(new TextDecoder().decode(memory.files.get('/logs')), 'old');
      assert.deepEqual([...memory.folders], ['/logs.meta.json']);
    });
  });
});
