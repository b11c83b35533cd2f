import * as vscode from 'vscode';
import { createNotebookSerializer } from '../../../host/ui/notebooks.ts';
import { createDocumentFormat } from './documentFormat.ts';

export function createChainSerializer(): vscode.NotebookSerializer {
  const notText = vscode.l10n.t('This file is not UTF-8 text. Open it as text and save it as UTF-8.');
  const tooLong = vscode.l10n.t('This file is larger than 16 MiB. Open it as text.');
  return createNotebookSerializer(createDocumentFormat({ notText, tooLong }));
}
