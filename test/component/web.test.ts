import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForText } from '../e2e/support/panel.ts';
import { environment } from './support/environment.ts';
import { useLogPanels } from './support/logPanels.ts';

describe('in a web worker, without Node', () => {
  const { editor, openAndRun } = useLogPanels(() => ({ host: 'web' }));

  it('the start is one file of at most 600 KiB', async () => {
    const { size } = await stat(join(environment().extension, 'dist', 'web.cjs'));
    assert.ok(size <= 600 * 1024, `${size} bytes`);
  });

  it('a query loads its parts from the folder of the extension, and shows logs', async () => {
    const { status, grid } = await openAndRun();
    await waitForText(status, /^Partial\b/);
    await grid.getByText('HUSD').first().waitFor();
    assert.deepEqual(editor().warnings, []);
  });
});
