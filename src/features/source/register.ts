import * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import { hasAddress, isSolidity } from '../../host/places/documents.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { registerDiagnostics } from '../../host/ui/diagnostics.ts';
import {
  registerCodeLenses,
  registerCompletions,
  registerHover,
  registerInlayHints,
} from '../../host/ui/languageFeatures.ts';
import { toAbortSignal } from '../../host/ui/window.ts';
import type { SourceFeaturesDeps } from './sourceFeatures.ts';
import { findTypedAddress } from './typedAddress.ts';

const sources: vscode.DocumentSelector = [
  { language: 'solidity' },
  { language: 'vyper' },
  { pattern: '**/*.{sol,vy,vyi}' },
];

/**
 * Registers lenses and hovers on the events, errors and contracts of Solidity and Vyper files, and their commands. Only
 * counting makes requests, by itself on a development chain of this machine and else by *Count Events on Chain*. Lenses on
 * deployments and the comparison of their code do if the active node is on this machine, else only commands.
 */
export function registerSource(
  deps: Omit<SourceFeaturesDeps, 'verdicts'> & {
    /** Loaded on first use. */
    readonly verdicts: () => Promise<SourceFeaturesDeps['verdicts']>;
  },
): LazyFeature {
  const { settings, session, contracts } = deps;
  const disposables = new Disposables();
  const features = lazyPart(async () => {
    const [{ openSourceFeatures }, verdicts] = await Promise.all([
      import('./sourceFeatures.ts'),
      deps.verdicts(),
    ]);
    const onDidChange = () => changed.fire();
    return disposables.add(openSourceFeatures({ ...deps, verdicts, onDidChange }));
  });
  const changed = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(settings.onDidChange(() => changed.fire()));
  disposables.add(session.onDidChange(() => changed.fire()));
  disposables.add(contracts.onDidRead(() => changed.fire()));
  disposables.add(
    // The lenses of a file depend on the declarations in others.
    vscode.workspace.onDidSaveTextDocument((saved) => {
      if (vscode.languages.match(sources, saved)) changed.fire();
    }),
  );
  disposables.add(
    registerCodeLenses(sources, changed.event, async (document, token) => {
      if (!settings.isEnabled('chainside.codeLens.enabled', document)) return undefined;
      return (await features()).lensesOf(document, { signal: toAbortSignal(token) });
    }),
  );
  disposables.add(
    registerHover(sources, async (document, position, token) => {
      if (!settings.isEnabled('chainside.hover.enabled', document)) return undefined;
      return (await features()).hoverAt(document, position, { signal: toAbortSignal(token) });
    }),
  );
  return { load: features, dispose: () => disposables.dispose() };
}

/** Of the file with the labels of a team. */
const LABELS_NAME = 'labels.json';

interface LiteralsDeps {
  readonly clock: Clock;
  readonly settings: SettingsService;
  readonly session: Session;
  readonly names: () => Promise<NamesService>;
}

const everyDocument: vscode.DocumentSelector = { pattern: '**' };
/**
 * In these files typing `x` requests completions, even in a string. Not in others: there, VS Code would show none of
 * other extensions after a trigger character.
 */
const dataFiles: vscode.DocumentSelector = [
  ...['solidity', 'vyper', 'json', 'jsonc', 'toml', 'yaml', 'dotenv'].map((language) => ({ language })),
  { pattern: '**/*.{sol,vy,vyi,json,toml,yaml,yml,env}' },
];

/** Registers diagnostics, completions and inlay hints on addresses in text. Makes no requests. */
export function registerLiterals(deps: LiteralsDeps): vscode.Disposable {
  const { clock, settings, session } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const notify = () => changed.fire();
  const literals = lazyPart(async () => {
    const [literal, names] = await Promise.all([import('./addressLiterals.ts'), deps.names()]);
    disposables.add(names.onDidChange(notify));
    // Names appear as they are loaded, and again when all are.
    void names.ready.then(notify, () => undefined);
    return { ...literal, with: { names, session } };
  });

  disposables.add(
    registerDiagnostics({
      clock,
      async find(document, { signal }) {
        if (document.uri.path.endsWith(LABELS_NAME)) {
          const { findLabelDiagnostics } = await import('./labelDiagnostics.ts');
          const found = await findLabelDiagnostics(document, { session, names: await deps.names(), signal });
          if (found.length > 0) return found;
        }
        if (!hasAddress(document)) return [];
        const { findChecksumDiagnostics } = await import('./checksumDiagnostics.ts');
        return findChecksumDiagnostics(document, { clock, signal });
      },
    }),
  );

  async function complete(document: vscode.TextDocument, position: vscode.Position) {
    const { text } = document.lineAt(position.line);
    const typed = findTypedAddress(text, position.character, { isSolidity: isSolidity(document) });
    if (!typed) return undefined;
    const { completeAddress, with: parts } = await literals();
    return completeAddress(typed, position, parts);
  }
  disposables.add(registerCompletions(dataFiles, complete, ['x']));
  disposables.add(
    registerCompletions(everyDocument, async (document, position) =>
      vscode.languages.match(dataFiles, document) ? undefined : complete(document, position),
    ),
  );

  disposables.add(settings.onDidChange(notify));
  disposables.add(session.onDidChange(notify));
  disposables.add(
    registerInlayHints(everyDocument, changed.event, async (document, range) => {
      if (!settings.isEnabled('chainside.inlayHints.enabled', document) || !hasAddress(document)) return [];
      const { findAddressInlays, with: parts } = await literals();
      return findAddressInlays(document, range, parts);
    }),
  );
  return disposables;
}
