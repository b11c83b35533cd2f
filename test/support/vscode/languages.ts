import { matchesGlob } from 'node:path';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Disposable, type Position } from './classes.ts';
import { LANGUAGES } from './documents.ts';

type Document = Pick<vscode.TextDocument, 'uri' | 'languageId'>;
type Filter = Partial<Record<'language' | 'scheme' | 'pattern', unknown>>;

/** Hovers that are registered, as the editor's command gives them; all other registrations do nothing. */
export function createLanguages(open: (uri: vscode.Uri) => Promise<unknown>) {
  const hovers = new Set<{ readonly selector: unknown; readonly provider: vscode.HoverProvider }>();
  return {
    api: {
      match,
      getLanguages: async () => LANGUAGES,
      registerHoverProvider(selector: unknown, provider: vscode.HoverProvider) {
        const registered = { selector, provider };
        hovers.add(registered);
        return new Disposable(() => hovers.delete(registered));
      },
    },
    /** As `vscode.executeHoverProvider`: the provider that was registered last is on top. */
    async getHovers(uri: vscode.Uri, position: Position): Promise<readonly vscode.Hover[]> {
      const document = (await open(uri)) as vscode.TextDocument;
      const token = new CancellationTokenSource().token as unknown as vscode.CancellationToken;
      const matching = [...hovers].filter(({ selector }) => match(selector, document) > 0).reverse();
      const found = await Promise.all(
        matching.map(({ provider }) =>
          provider.provideHover(document, position as unknown as vscode.Position, token),
        ),
      );
      return found
        .filter((hover) => hover !== undefined && hover !== null)
        .map((hover) => Object.assign(hover, { contents: [hover.contents].flat() }));
    },
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
