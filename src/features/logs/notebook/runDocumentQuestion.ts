import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { findDocumentQueries, type Network, type QueryForm } from '../../../core/index.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import { askedQuestion } from './askedQuestion.ts';

const documentPlace = z.object({
  file: z.string().check(z.maxLength(8000)),
  line: z.int().check(z.minimum(1)),
});

type Deps = Parameters<typeof askedQuestion>[1];

/** Runs the query that begins at a line of a document, as the document stands in the editor; says why where it cannot. */
export async function runDocumentQuestion(
  argument: unknown,
  deps: Deps,
  run: (form: QueryForm, network: Network) => Promise<void>,
): Promise<void> {
  const place = documentPlace.safeParse(argument).data;
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place?.file);
  const questions = findDocumentQueries(document?.getText() ?? '');
  const question = questions.find(({ line }) => line === place?.line);
  if (!question) return;
  const asked = await askedQuestion(question.text, deps);
  if (asked.refusal) await showMessage('error', asked.refusal.join(' '));
  else await run(asked.form, asked.network);
}
