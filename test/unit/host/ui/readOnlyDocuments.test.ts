import assert from 'node:assert/strict';
import { EventEmitter, type FileChangeEvent, Uri } from 'vscode';
import { openReadOnlyDocuments } from '../../../../src/host/ui/readOnlyDocuments.ts';
import { writeSettings } from '../../../support/host/settings.ts';

describe('texts of restored documents', () => {
  afterEach(() => writeSettings({ 'files.encoding': undefined, 'files.autoGuessEncoding': undefined }));

  it('are UTF-8, with a byte order mark only where the editor would read another encoding', async () => {
    const files = new EventEmitter<FileChangeEvent[]>();
    const restore = async () => ({ lines: [{ level: 0, text: '1 → 2' }] });
    const documents = openReadOnlyDocuments('chainside-test', { files, restore });
    const read = async () =>
      Buffer.from(await documents.readFile(Uri.parse('chainside-test:/a?b'))).toString();
    try {
      assert.equal(await read(), '1 → 2');
      await writeSettings({ 'files.encoding': 'windows1252' });
      assert.equal(await read(), '\ufeff1 → 2');
      await writeSettings({ 'files.encoding': 'utf8', 'files.autoGuessEncoding': true });
      assert.equal(await read(), '\ufeff1 → 2');
      await writeSettings({ 'files.autoGuessEncoding': false });
      assert.equal(await read(), '1 → 2');
    } finally {
      documents.dispose();
      files.dispose();
    }
  });
});
