import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { Disposables } from '../../host/disposables.ts';
import { latePart } from '../../host/latePart.ts';
import type { OpenedNames } from '../../host/names/openNames.ts';
import { hasAddress } from '../../host/places/documentAddresses.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { isSolidity } from '../../host/sources/contractSource.ts';
import { registerCompletions } from '../../host/surface/completions.ts';
import { registerInlays } from '../../host/surface/inlays.ts';
import { registerProblems } from '../../host/surface/problems.ts';
import { typedAddress } from './names/typedAddress.ts';

interface LiteralsDeps {
  readonly clock: Clock;
  readonly settings: SettingsService;
  readonly session: Session;
  /** What addresses are called; loaded with the first use. */
  readonly names: () => Promise<OpenedNames>;
}

const everyDocument: vscode.DocumentSelector = { pattern: '**' };
/**
 * Here `x` asks for addresses even in a string. Not in other languages: after a character that asks, the editor offers
 * nothing of anybody else.
 */
const ofData: vscode.DocumentSelector = [
  ...['solidity', 'vyper', 'json', 'jsonc', 'toml', 'yaml', 'dotenv'].map((language) => ({ language })),
  { pattern: '**/*.{sol,vy,vyi,json,toml,yaml,yml,env}' },
];

/** What is said of addresses where they stand in a text, and offered as they are typed. Asks no server anything. */
export function registerLiterals(deps: LiteralsDeps): vscode.Disposable {
  const { clock, settings, session } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const tell = () => changed.fire();
  const literals = latePart(async () => {
    const [literal, names] = await Promise.all([import('./names/addressLiterals.ts'), deps.names()]);
    disposables.add(names.onDidChange(tell));
    // Names are shown as far as they are known, and again once all are.
    void names.ready.then(tell, () => undefined);
    return { ...literal, with: { names, session } };
  });

  disposables.add(
    registerProblems({
      clock,
      async find(document, { signal }) {
        if (!hasAddress(document)) return [];
        const { checksumProblems } = await import('./checksums/checksumProblems.ts');
        return checksumProblems(document, { clock, signal });
      },
    }),
  );

  async function complete(document: vscode.TextDocument, position: vscode.Position) {
    const { text } = document.lineAt(position.line);
    const typed = typedAddress(text, position.character, { isSolidity: isSolidity(document) });
    if (!typed) return undefined;
    const { addressCompletions, with: parts } = await literals();
    return addressCompletions(typed, position, parts);
  }
  disposables.add(registerCompletions(ofData, complete, ['x']));
  disposables.add(
    registerCompletions(everyDocument, async (document, position) =>
      vscode.languages.match(ofData, document) ? undefined : complete(document, position),
    ),
  );

  disposables.add(settings.onDidChange(tell));
  disposables.add(session.onDidChange(tell));
  disposables.add(
    registerInlays(everyDocument, changed.event, async (document, range) => {
      if (!settings.isEnabled('chainside.inlayHints.enabled', document) || !hasAddress(document)) return [];
      const { addressInlays, with: parts } = await literals();
      return addressInlays(document, range, parts);
    }),
  );
  return disposables;
}
