import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../scripts/support/script.ts';
import { hashSignature } from '../../src/core/eth/keccak.ts';
import { chosen } from './support/campaign.ts';
import { runCli } from './support/cli.ts';
import { outside, projectAttacks, writeFiles } from './support/projects.ts';

/** Is in each of the workspaces, and nothing beside it may take it away. */
const good = {
  'out/Good.sol/Good.json': JSON.stringify({
    abi: [{ type: 'event', name: 'Found', inputs: [], anonymous: false }],
    metadata: { settings: { compilationTarget: { 'src/Good.sol': 'Good' } } },
  }),
};
/** Characters of standard error: what is left out is told of a thousand files at most, in a line each. */
const MAX_OUTPUT_CHARS = 1_000 * 520;

describe('the headless runner in workspaces that mean harm', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-hostile-'));
  });
  afterEach(() => removeFolder(folder));

  for (const { name, files, told } of chosen(projectAttacks)) {
    it(`withstands ${name}`, async () => {
      const workspace = join(folder, 'workspace');
      await writeFiles(join(folder, 'outside'), outside);
      await writeFiles(workspace, { ...good, ...files() });
      const run = await runCli(['contracts', workspace], { maxWords: MAX_OUTPUT_CHARS });
      assert.equal(run.code, 0, run.words.slice(-500));
      if (told) assert.match(run.words, told);
      const { index } = run.values.at(-1) as { readonly index?: { readonly contracts: number } };
      assert.ok(index, 'It ended without a count.');
      const contracts = run.values.flatMap(({ contract }) => contract ?? []) as unknown as readonly {
        readonly name: string;
        readonly source: string | null;
        readonly events: readonly string[];
      }[];
      assert.deepEqual(contracts.find((contract) => contract.name === 'Good')?.events, ['Found()']);
      for (const { source } of contracts) assert.doesNotMatch(`${source}`, /(?:^|\/)\.\.(?:\/|$)|^\//);
      assert.doesNotMatch(
        run.output,
        /Secret(?:Event|Struct)|"name":"Secret"|"contract":"Secret"|Stolen|root:x:/,
      );
      const decoded = await runCli(['decode', hashSignature('Found()'), '--dir', workspace], {
        maxWords: MAX_OUTPUT_CHARS,
      });
      assert.equal(decoded.code, 0, decoded.words.slice(-500));
      assert.match(decoded.output, /"Found\(\)"/);
    });
  }
});
