import * as vscode from 'vscode';

/** A line of a file, from 0. */
interface Place {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/** Has the editor go from what stands in documents of a scheme to where it is declared. */
export function registerDefinitions(
  scheme: string,
  find: (
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ) => Promise<readonly Place[]>,
): vscode.Disposable {
  return vscode.languages.registerDefinitionProvider(
    { scheme },
    {
      async provideDefinition(document, position, token) {
        const places = await find(document, position, token);
        return places.map(({ uri, line }) => new vscode.Location(uri, new vscode.Position(line, 0)));
      },
    },
  );
}
