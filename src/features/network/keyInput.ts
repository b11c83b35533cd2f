import * as vscode from 'vscode';
import { openInput } from '../../host/surface/questions.ts';

/** What a check has found of a key. */
export interface CheckedKey {
  /** Undefined if the key is right; else what is wrong, and whether it may be saved all the same. */
  readonly doubt?: { readonly problem: string; readonly canSave: boolean };
}

interface KeyQuestion<Checked> {
  readonly title: string;
  readonly prompt: string;
  /** Where a key is got; undefined where that is not known. */
  readonly signUpUrl?: string | undefined;
  readonly check: (key: string, options: { readonly signal: AbortSignal }) => Promise<Checked>;
}

interface KeyAnswer<Checked> {
  readonly key: string;
  readonly checked: Checked;
}

/**
 * A password field that stays open until the key is right, is to be saved all the same, or is left with Escape.
 * Enter tries the key; what is wrong stands at the field.
 */
export function askForKey<Checked extends CheckedKey>(
  question: KeyQuestion<Checked>,
): Promise<KeyAnswer<Checked> | undefined> {
  const saveAnyway = { icon: 'save', words: vscode.l10n.t('Save Anyway') };
  const { signUpUrl } = question;
  const signUp = signUpUrl ? { icon: 'link-external', words: vscode.l10n.t('Sign Up for a Key') } : undefined;
  const { box, showProblem, isLasting } = openInput(question.title, question.prompt, {
    ...(signUp && { lasting: signUp }),
  });
  box.password = true;
  box.ignoreFocusOut = true;
  const closed = new AbortController();
  let doubted: KeyAnswer<Checked> | undefined;

  function showDoubt({ problem, canSave }: NonNullable<CheckedKey['doubt']>): void {
    const { Warning, Error: Wrong } = vscode.InputBoxValidationSeverity;
    if (canSave) {
      const again = vscode.l10n.t('{0} Press Enter to try again, or use the button “Save Anyway”.', problem);
      showProblem({ message: again, severity: Warning }, saveAnyway);
    } else {
      showProblem({ message: problem, severity: Wrong });
    }
  }

  return new Promise((resolve) => {
    const finish = (answer: KeyAnswer<Checked> | undefined) => {
      resolve(answer);
      box.hide();
    };
    box.onDidChangeValue(() => showProblem());
    box.onDidAccept(async () => {
      const key = box.value.trim();
      box.busy = true;
      box.enabled = false;
      showProblem();
      const checked = await question.check(key, { signal: closed.signal });
      if (closed.signal.aborted) return;
      if (!checked.doubt) return finish({ key, checked });
      doubted = { key, checked };
      box.busy = false;
      box.enabled = true;
      showDoubt(checked.doubt);
    });
    box.onDidTriggerButton((button) => {
      if (!isLasting(button)) finish(doubted);
      else if (signUpUrl) void vscode.env.openExternal(vscode.Uri.parse(signUpUrl, true));
    });
    box.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
