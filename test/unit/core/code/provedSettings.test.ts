import assert from 'node:assert/strict';
import type { CodeMetadata } from '../../../../src/core/code/codeMetadata.ts';
import { findSettings } from '../../../../src/core/code/provedSettings.ts';
import { slicing } from '../../../support/clocks.ts';

/** Metadata as solc writes it, about as short as it gets. */
const metadataOf = (more = '') =>
  `{"compiler":{"version":"0.8.26+commit.8a97fa7a"},"settings":{"evmVersion":"cancun","optimizer":{"enabled":true,"runs":200}},"sources":{${more}}}`;
const deployed: CodeMetadata = {
  ...{ from: 0, to: 0, compiler: '0.8.26' },
  hash: { kind: 'ipfs', digits: `1220${'0'.repeat(64)}` },
};

it('a search for settings counts its tries as well as its bytes, and says that it stopped', async () => {
  for (const metadata of [metadataOf(), metadataOf(`"a":"${'x'.repeat(200_000)}"`)]) {
    let texts = 0;
    const slices = { isOver: () => ++texts < 0, rest: async () => {} };
    assert.equal(await findSettings(metadata, { deployed, versions: [] }, { slices }), 'stopped');
    assert.ok(texts <= 15_000, String(texts));
  }
  assert.equal(await findSettings('{}', { deployed, versions: [] }, slicing), undefined);
});
