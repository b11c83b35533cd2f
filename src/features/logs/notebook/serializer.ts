import * as vscode from 'vscode';
import { createNotebookSerializer } from '../../../host/ui/notebooks.ts';
import { createDocumentFormat } from './documentFormat.ts';

export function createChainSerializer(): vscode.NotebookSerializer {
  const notText = vscode.l10n.t('This file is not UTF-8 text. Open it as text and save it as UTF-8.');
  const tooLong = vscode.l10n.t(
    'This file is too long for a notebook: 4 MiB, 20,000 lines and 2,000 queries are the most. Open it as text.',
  );
  return createNotebookSerializer(createDocumentFormat({ notText, tooLong }));
}
