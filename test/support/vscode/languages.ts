import { matchesGlob } from 'node:path';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Disposable } from './classes.ts';
import { LANGUAGES } from './documents.ts';

type Document = Pick<vscode.TextDocument, 'uri' | 'languageId'>;
type Filter = Partial<Record<'language' | 'scheme' | 'pattern', unknown>>;
type Found<T> = vscode.ProviderResult<T>;

interface Registered {
  readonly selector: unknown;
  readonly provider: unknown;
}

/** What is registered for languages, as the editor's commands give it, and diagnostics. */
export function createLanguages(open: (uri: vscode.Uri) => Promise<unknown>) {
  const collections = new Set<Map<string, readonly vscode.Diagnostic[]>>();
  const token = new CancellationTokenSource().token as unknown as vscode.CancellationToken;
  /** Providers of one kind. The one registered last is asked first. */
  function createProviders<P>() {
    const all = new Set<Registered>();
    return {
      register(selector: unknown, provider: unknown) {
        const registered = { selector, provider };
        all.add(registered);
        return new Disposable(() => all.delete(registered));
      },
      async provide<T>(uri: vscode.Uri, ask: (provider: P, document: vscode.TextDocument) => Found<T>) {
        const document = (await open(uri)) as vscode.TextDocument;
        const matching = [...all].filter(({ selector }) => match(selector, document) > 0).reverse();
        const found = await Promise.all(matching.map(({ provider }) => ask(provider as P, document)));
        return found.filter((result) => result !== undefined && result !== null) as Exclude<T, undefined>[];
      },
    };
  }
  const hovers = createProviders<vscode.HoverProvider>();
  const links = createProviders<vscode.DocumentLinkProvider>();
  const definitions = createProviders<vscode.DefinitionProvider>();
  const lenses = createProviders<vscode.CodeLensProvider>();
  const completions = createProviders<vscode.CompletionItemProvider>();
  const inlays = createProviders<vscode.InlayHintsProvider>();
  const actions = createProviders<vscode.CodeActionProvider>();
  const executable = {
    async 'vscode.executeHoverProvider'(uri: vscode.Uri, position: vscode.Position) {
      const found = await hovers.provide(uri, (each, document) =>
        each.provideHover(document, position, token),
      );
      return found.map((hover) => Object.assign(hover as object, { contents: [hover?.contents].flat() }));
    },
    async 'vscode.executeDefinitionProvider'(uri: vscode.Uri, position: vscode.Position) {
      const ask = (each: vscode.DefinitionProvider, document: vscode.TextDocument) =>
        each.provideDefinition(document, position, token);
      return (await definitions.provide(uri, ask)).flat();
    },
    async 'vscode.executeLinkProvider'(uri: vscode.Uri) {
      return (
        await links.provide(uri, (each, document) => each.provideDocumentLinks(document, token))
      ).flat();
    },
    async 'vscode.executeCodeLensProvider'(uri: vscode.Uri, most = 0) {
      const ask = async (each: vscode.CodeLensProvider, document: vscode.TextDocument) => {
        const found = (await each.provideCodeLenses(document, token)) ?? [];
        for (const lens of found.slice(0, most)) if (!lens.command) await each.resolveCodeLens?.(lens, token);
        return found;
      };
      return (await lenses.provide(uri, ask)).flat();
    },
    async 'vscode.executeCompletionItemProvider'(uri: vscode.Uri, position: vscode.Position) {
      const context = { triggerKind: 0, triggerCharacter: undefined };
      const found = await completions.provide(uri, (each, document) =>
        each.provideCompletionItems(document, position, token, context),
      );
      return { items: found.flatMap((list) => (list && 'items' in list ? list.items : (list ?? []))) };
    },
    async 'vscode.executeInlayHintProvider'(uri: vscode.Uri, range: vscode.Range) {
      const ask = (each: vscode.InlayHintsProvider, document: vscode.TextDocument) =>
        each.provideInlayHints(document, range, token);
      return (await inlays.provide(uri, ask)).flat();
    },
    async 'vscode.executeCodeActionProvider'(uri: vscode.Uri, range: vscode.Range) {
      const context = { diagnostics: [], triggerKind: 1, only: undefined } as vscode.CodeActionContext;
      const ask = (each: vscode.CodeActionProvider, document: vscode.TextDocument) =>
        each.provideCodeActions(document, range, context, token);
      return (await actions.provide(uri, ask)).flat();
    },
  };
  return {
    api: {
      match,
      getLanguages: async () => LANGUAGES,
      setTextDocumentLanguage: async (document: object, languageId: string) =>
        Object.assign(document, { languageId }),
      registerDefinitionProvider: definitions.register,
      registerHoverProvider: hovers.register,
      registerDocumentLinkProvider: links.register,
      registerCodeLensProvider: lenses.register,
      registerCompletionItemProvider: completions.register,
      registerInlayHintsProvider: inlays.register,
      registerCodeActionsProvider: actions.register,
      createDiagnosticCollection() {
        const collection = new Map<string, readonly vscode.Diagnostic[]>();
        collections.add(collection);
        return {
          set: (uri: vscode.Uri, found: readonly vscode.Diagnostic[]) =>
            collection.set(uri.toString(), found),
          delete: (uri: vscode.Uri) => collection.delete(uri.toString()),
          dispose: () => collections.delete(collection),
        };
      },
      getDiagnostics: (uri: vscode.Uri) =>
        [...collections].flatMap((collection) => collection.get(uri.toString()) ?? []),
    },
    /** The editor's commands that ask providers. */
    commands: executable as Readonly<Record<string, ((...args: never[]) => unknown) | undefined>>,
  };
}

function match(selector: unknown, document: Document): number {
  return [selector].flat().some((filter) => isMatch(filter as string | Filter, document)) ? 10 : 0;
}

function isMatch(filter: string | Filter, { uri, languageId }: Document): boolean {
  if (typeof filter === 'string') return filter === '*' || filter === languageId;
  const { language, scheme, pattern } = filter;
  return (
    [languageId, '*', undefined].includes(language as string) &&
    [uri.scheme, '*', undefined].includes(scheme as string) &&
    (pattern === undefined || matchesGlob(uri.path, String(pattern)))
  );
}
