import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { showBriefly } from '../surface/messages.ts';

const Copyable = z.union([
  z.string(),
  z.pipe(
    z.object({ copyText: z.string() }),
    z.transform(({ copyText }) => copyText),
  ),
]);

/** Puts a text, or the `copyText` of a tree row, on the clipboard. */
export async function copyText(argument: unknown): Promise<void> {
  const parsed = Copyable.safeParse(argument);
  if (!parsed.success) return;
  await vscode.env.clipboard.writeText(parsed.data);
  showBriefly(vscode.l10n.t('Copied {0}', parsed.data), 2000);
}
