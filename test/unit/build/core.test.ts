import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { projectRoot } from '../../../scripts/support/paths.ts';

describe('core as a library', () => {
  it('builds for no platform, without an editor, Node or a DOM', async () => {
    const { metafile } = await build({
      absWorkingDir: projectRoot,
      entryPoints: ['src/core/index.ts'],
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['browser'],
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const own = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
    assert.deepEqual(
      own.filter((file) => !file.startsWith('src/core/')),
      [],
    );
  });
});
