import * as vscode from 'vscode';
import { type Address, checksumState, parseAddress, requireAddress } from '../../core/index.ts';
import { askForText } from '../surface/questions.ts';

/** Asks for an address; what is wrong with it stands at the field. Undefined when left with Escape or empty. */
export async function askForAddress(title: string, prompt: string): Promise<Address | undefined> {
  const typed = await askForText({
    ...{ title, prompt, placeHolder: '0x…' },
    // People go and copy the address elsewhere.
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text.trim()),
  });
  return typed?.trim() ? requireAddress(typed) : undefined;
}

function addressProblem(text: string): vscode.InputBoxValidationMessage | undefined {
  if (text === '') return undefined;
  if (!parseAddress(text)) {
    return {
      message: vscode.l10n.t('Not an address: it takes 0x and 40 hex digits.'),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  }
  if (checksumState(text) !== 'wrong') return undefined;
  return {
    message: vscode.l10n.t('The letter case does not match the checksum (EIP-55): a character may be wrong.'),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}
