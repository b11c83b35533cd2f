import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { environment } from './support/environment.ts';

describe('VSIX', () => {
  it('is at most 1.5 MiB', async () => {
    const { size } = await stat(environment().vsix);
    assert.ok(size <= 1536 * 1024, `${Math.ceil(size / 1024)} KiB`);
  });
});
