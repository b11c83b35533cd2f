import * as vscode from 'vscode';
import { openInput } from '../../host/surface/questions.ts';

export interface KeyQuestion {
  readonly title: string;
  readonly prompt: string;
  /** Nothing if the key is right; else what is wrong, and whether it may be saved all the same. */
  readonly check: (
    key: string,
    signal: AbortSignal,
  ) => Promise<{ readonly problem: string; readonly canSave: boolean } | undefined>;
}

/**
 * A password field that stays open until the key is right, is to be saved all the same, or is left with Escape.
 * Enter tries the key; what is wrong stands at the field.
 */
export function askForKey(question: KeyQuestion): Promise<string | undefined> {
  const saveAnyway = { icon: 'save', words: vscode.l10n.t('Save Anyway') };
  const { box, tell } = openInput(question.title, question.prompt);
  box.password = true;
  box.ignoreFocusOut = true;
  const closed = new AbortController();

  async function tryKey(): Promise<string | undefined> {
    const key = box.value.trim();
    box.busy = true;
    box.enabled = false;
    tell();
    const found = await question.check(key, closed.signal);
    if (closed.signal.aborted || !found) return found ? undefined : key;
    box.busy = false;
    box.enabled = true;
    const { problem, canSave } = found;
    const { Warning, Error: Wrong } = vscode.InputBoxValidationSeverity;
    if (canSave) {
      const message = vscode.l10n.t(
        '{0} Press Enter to try again, or use the button “Save Anyway”.',
        problem,
      );
      tell({ message, severity: Warning }, saveAnyway);
    } else tell({ message: problem, severity: Wrong });
    return undefined;
  }

  return new Promise((resolve) => {
    const finish = (key: string | undefined) => {
      resolve(key);
      box.hide();
    };
    box.onDidChangeValue(() => tell());
    box.onDidAccept(async () => {
      const key = await tryKey();
      if (key !== undefined) finish(key);
    });
    box.onDidTriggerButton(() => finish(box.value.trim()));
    box.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
