import { matchesGlob } from 'node:path';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Disposable } from './classes.ts';
import { LANGUAGES } from './documents.ts';

type Document = Pick<vscode.TextDocument, 'uri' | 'languageId'>;
type Filter = Partial<Record<'language' | 'scheme' | 'pattern', unknown>>;

interface Registered {
  readonly selector: unknown;
  readonly provider: unknown;
}

/** Hovers, links and definitions that are registered, as the editor's commands give them; all other registrations do nothing. */
export function createLanguages(open: (uri: vscode.Uri) => Promise<unknown>) {
  const hovers = new Set<Registered>();
  const links = new Set<Registered>();
  const definitions = new Set<Registered>();
  const registerIn = (all: Set<Registered>) => (selector: unknown, provider: unknown) => {
    const registered = { selector, provider };
    all.add(registered);
    return new Disposable(() => all.delete(registered));
  };
  /** Asks the providers for a document; the one that was registered last comes first. */
  async function provide<P, T>(
    all: Set<Registered>,
    uri: vscode.Uri,
    call: (provider: P, document: vscode.TextDocument, token: vscode.CancellationToken) => T,
  ) {
    const document = (await open(uri)) as vscode.TextDocument;
    const token = new CancellationTokenSource().token as unknown as vscode.CancellationToken;
    const matching = [...all].filter(({ selector }) => match(selector, document) > 0).reverse();
    const found = await Promise.all(matching.map(({ provider }) => call(provider as P, document, token)));
    return found.filter((result) => result !== undefined && result !== null);
  }
  const executable = {
    async 'vscode.executeHoverProvider'(uri: vscode.Uri, position: vscode.Position) {
      const found = await provide(hovers, uri, (provider: vscode.HoverProvider, ...[document, token]) =>
        provider.provideHover(document, position, token),
      );
      return found.map((hover) => Object.assign(hover, { contents: [hover.contents].flat() }));
    },
    async 'vscode.executeDefinitionProvider'(uri: vscode.Uri, position: vscode.Position) {
      const found = await provide(
        definitions,
        uri,
        (provider: vscode.DefinitionProvider, ...[document, token]) =>
          provider.provideDefinition(document, position, token),
      );
      return found.flat();
    },
    async 'vscode.executeLinkProvider'(uri: vscode.Uri) {
      const found = await provide(links, uri, (provider: vscode.DocumentLinkProvider, ...at) =>
        provider.provideDocumentLinks(...at),
      );
      return found.flat();
    },
  };
  return {
    api: {
      match,
      getLanguages: async () => LANGUAGES,
      setTextDocumentLanguage: async (document: object, languageId: string) =>
        Object.assign(document, { languageId }),
      registerDefinitionProvider: registerIn(definitions),
      registerHoverProvider: registerIn(hovers),
      registerDocumentLinkProvider: registerIn(links),
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
