import * as vscode from 'vscode';
import { findDocumentQueries } from '../../../core/index.ts';
import type { Lens } from '../../../host/surface/lenses.ts';
import { documentStart } from '../../../host/workspace/documentText.ts';

/** Characters of a document that are searched. */
const SEARCHED = 1024 * 1024;
/** Lenses over one document; one of thousands of queries is generated, and read by nobody. */
const MOST_LENSES = 1000;

/** A lens over each query of a document that is open as text. */
export function documentLenses(document: vscode.TextDocument): readonly Lens[] {
  const { l10n } = vscode;
  const file = document.uri.toString();
  return findDocumentQueries(documentStart(document, SEARCHED))
    .slice(0, MOST_LENSES)
    .map(({ line }) => ({
      at: new vscode.Position(line - 1, 0),
      show: () => ({
        title: l10n.t('Run query'),
        tooltip: [l10n.t('Shows the logs in a panel. Open as Notebook shows them below the query.')],
        command: 'chainside.runDocumentQuestion',
        argument: { file, line },
      }),
    }));
}
