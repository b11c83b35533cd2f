import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../scripts/support/paths.ts';
import { removeFolder } from '../../scripts/support/script.ts';
import { type ActivatedEditor, activateExtension } from './support/extension.ts';

const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
const commands: readonly string[] = manifest.contributes.commands.map(
  ({ command }: { readonly command: string }) => command,
);
const throws = () => {
  throw new Error("Extension 'chainside.chainside' CANNOT use API proposal: x.\nSee the docs.");
};

function assertWhole({ editor }: ActivatedEditor): void {
  assert.deepEqual(editor.errors, []);
  assert.deepEqual(
    commands.filter((id) => !editor.hasCommand(id)),
    [],
  );
  assert.ok(editor.trees.size >= 4, `${editor.trees.size} views`);
}

describe('An editor that lacks what agents need', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-component-'));
  });
  after(() => removeFolder(folder));

  for (const name of ['registerMcpServerDefinitionProvider', 'registerTool'] as const) {
    for (const [how, value] of Object.entries({ 'is missing': undefined, throws })) {
      it(`has all else where ${name} ${how}, and one line says so`, async () => {
        await using activated = await activateExtension({ settings: {}, folder, lm: { [name]: value } });
        assertWhole(activated);
        const [line, ...others] = activated.editor.warnings;
        assert.match(line ?? '', /^This editor offers no (MCP servers|tools) of extensions: .*\S$/);
        assert.deepEqual(others, []);
      });
    }
  }
});
