import * as vscode from 'vscode';

/** A cell of a notebook as a file has it: its text word for word, since it goes back there. */
export interface FileCell {
  readonly kind: 'prose' | 'code';
  readonly languageId: string;
  readonly text: string;
  /** Plain data that is kept with the cell. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/** How files of a kind become cells, and cells a file. */
export interface NotebookFormat {
  /** @throws an error in words for the user where the bytes are none of the kind. */
  readonly read: (bytes: Uint8Array) => readonly FileCell[];
  readonly write: (cells: readonly FileCell[]) => Uint8Array;
}

export function notebookFiles({ read, write }: NotebookFormat): vscode.NotebookSerializer {
  return {
    deserializeNotebook(bytes) {
      const cells = read(bytes).map(({ kind, languageId, text, kept }) => {
        const made = new vscode.NotebookCellData(KINDS[kind], text, languageId);
        made.metadata = { ...kept };
        return made;
      });
      return new vscode.NotebookData(cells);
    },
    serializeNotebook: ({ cells }) =>
      write(
        cells.map(({ kind, languageId, value: text, metadata }) => ({
          kind: kind === vscode.NotebookCellKind.Code ? 'code' : 'prose',
          ...{ languageId, text, kept: metadata ?? {} },
        })),
      ),
  };
}

const KINDS = { prose: vscode.NotebookCellKind.Markup, code: vscode.NotebookCellKind.Code } as const;
