import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  CodeLens,
  commands,
  type Disposable,
  languages,
  Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { timed } from '../support/stats.ts';
import type { InSourceTimes } from './measures.ts';

const ROUNDS = 20;
const WARM_UPS = 4;
const LINES = 10_000;
/** Lines of a screen. */
const SCREEN = 60;
/** Lenses of a screen. */
const RESOLVED = 12;
/** Of them one has an address, one an event, one an error and one emits. */
const EVERY = 20;

/** Asks VS Code for what stands in a source of 10,000 lines as the editor does, and for the same in an empty one. */
export async function measureInSource(): Promise<InSourceTimes> {
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('A folder must be open.');
  const settings = workspace.getConfiguration('chainside');
  await settings.update('inlayHints.enabled', true, true);
  await commands.executeCommand('chainside.labelAddress', addressOf(0), 'Treasury');
  const inFolder = (name: string) => join(folder.uri.fsPath, name);
  const [long, empty, plain] = [inFolder('Long.sol'), inFolder('Empty.sol'), inFolder('Long.txt')];
  await writeFile(long, longSource());
  await writeFile(empty, 'contract Empty {}\n');
  await writeFile(plain, longSource());
  const source = await workspace.openTextDocument(Uri.file(long));
  const other = await workspace.openTextDocument(Uri.file(empty));
  const withoutChainside = await workspace.openTextDocument(Uri.file(plain));
  const bareLenses = registerBareLenses(withoutChainside);
  const emits = source.positionAt(source.getText().indexOf('emit E4980') + 7);
  const typed = source.positionAt(source.getText().indexOf('0x', source.offsetAt(emits)) + 4);
  const screen = new Range(emits.line, 0, emits.line + SCREEN, 0);
  const ask = (id: string, uri: Uri, ...where: readonly unknown[]) =>
    commands.executeCommand(`vscode.${id}`, uri, ...where);
  const uses = {
    lens: (uri: Uri) => ask('executeCodeLensProvider', uri, RESOLVED),
    hover: (uri: Uri) => ask('executeHoverProvider', uri, uri === other.uri ? new Position(0, 3) : emits),
    completion: (uri: Uri) =>
      ask('executeCompletionItemProvider', uri, uri === other.uri ? new Position(0, 3) : typed),
    inlay: (uri: Uri) =>
      ask('executeInlayHintProvider', uri, uri === other.uri ? new Range(0, 0, 1, 0) : screen),
  };
  const times = {} as Record<keyof typeof uses, { long: number[]; beside: number[] }>;
  for (const [name, use] of Object.entries(uses) as [keyof typeof uses, (uri: Uri) => Thenable<unknown>][]) {
    const beside = name === 'lens' ? withoutChainside : other;
    const rounds = { long: [] as number[], beside: [] as number[] };
    for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
      const [longTime, besideTime] = [
        await timed(async () => use(source.uri)),
        await timed(async () => use(beside.uri)),
      ];
      if (round < WARM_UPS) continue;
      rounds.long.push(longTime);
      rounds.beside.push(besideTime);
    }
    times[name] = rounds;
  }
  const typing = await typingDelays(source.uri, () => uses.lens(source.uri));
  await settings.update('inlayHints.enabled', undefined, true);
  await commands.executeCommand('chainside.labelAddress', addressOf(0), '');
  await commands.executeCommand('workbench.action.closeAllEditors');
  bareLenses.dispose();
  await Promise.all([long, empty, plain].map((file) => rm(file)));
  return { ...times, typing };
}

/** Shows as many lenses as Chainside does, at the same places of the same text, without any work. */
function registerBareLenses(document: TextDocument): Disposable {
  const offsets = [...document.getText().matchAll(/\bevent /g)].map(({ index }) => index);
  return languages.registerCodeLensProvider(
    { pattern: '**/Long.txt' },
    {
      provideCodeLenses: () =>
        offsets.map(
          (offset) => new CodeLens(new Range(document.positionAt(offset), document.positionAt(offset))),
        ),
      resolveCodeLens: (lens) => Object.assign(lens, { command: { title: 'Query…', command: 'none' } }),
    },
  );
}

/** How long all else in the extension host waited at most, while lenses were made of a text that had just changed. */
async function typingDelays(uri: Uri, use: () => Thenable<unknown>): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let round = 0; round < ROUNDS / 2; round++) {
    const edit = new WorkspaceEdit();
    edit.insert(uri, new Position(0, 0), ' ');
    await workspace.applyEdit(edit);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await use();
    delay.disable();
    delays.push(delay.max / 1e6);
  }
  return delays;
}

function longSource(): string {
  const lines = ['contract Long {'];
  for (let at = 0; lines.length < LINES - 1; at += EVERY) {
    lines.push(
      `  event E${at}(address indexed from, uint256 amount);`,
      `  error R${at}(uint256 have, uint256 wanted);`,
      `  address constant A${at} = ${addressOf(at)};`,
      `  function f${at}(uint256 amount) external {`,
      `    emit E${at}(msg.sender, amount);`,
      `    if (amount == 0) revert R${at}(amount, 1);`,
      ...Array.from({ length: EVERY - 7 }, (_, nth) => `    total += amount * ${nth}; // as before`),
      '  }',
    );
  }
  return `${lines.join('\n')}\n}\n`;
}

function addressOf(at: number): string {
  return `0x${(at % 7).toString(16).padStart(40, '1')}`;
}
