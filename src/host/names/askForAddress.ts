import * as vscode from 'vscode';
import {
  type Address,
  checksumState,
  parseAddress,
  requireAddress,
  toChecksumAddress,
} from '../../core/index.ts';
import { askForText, type Choice, pickOrType } from '../surface/questions.ts';
import type { AddressNames } from './addressNames.ts';
import { nameDetail } from './nameWords.ts';

/** The names among which an address can be looked for: those of a chain. */
interface NamesOfChain {
  readonly names: AddressNames;
  readonly chainId: number;
}

/**
 * Asks for an address; what is wrong with it stands at the field. Where addresses have names, they can be chosen by
 * them. Undefined when left with Escape or empty.
 */
export async function askForAddress(
  title: string,
  prompt: string,
  among?: NamesOfChain,
): Promise<Address | undefined> {
  const named = among ? namedChoices(among) : [];
  if (named.length > 0) return pickNamed(named, { title, prompt });
  const typed = await askForText({
    ...{ title, prompt, placeHolder: '0x…' },
    // People go and copy the address elsewhere.
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text.trim()),
  });
  return typed?.trim() ? requireAddress(typed) : undefined;
}

interface AddressChoice extends Choice {
  /** Undefined for words about what is typed. */
  readonly address: Address | undefined;
  readonly onlyWords?: boolean;
}

function namedChoices({ names, chainId }: NamesOfChain): readonly AddressChoice[] {
  return names.all(chainId).map((named) => ({
    label: named.name,
    description: toChecksumAddress(named.address),
    detail: nameDetail(named),
    address: named.address,
  }));
}

async function pickNamed(
  named: readonly AddressChoice[],
  { title, prompt }: { readonly title: string; readonly prompt: string },
): Promise<Address | undefined> {
  const placeHolder = vscode.l10n.t('{0}: 0x…, or a name', prompt);
  const words = { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true };
  return (await pickOrType(named, typedChoices, words))?.address;
}

/** An address as it is typed, or what is wrong with it. */
function typedChoices(typed: string): readonly AddressChoice[] {
  const text = typed.trim();
  const address = parseAddress(text);
  const problem = addressProblem(text)?.message;
  if (address) return [{ label: toChecksumAddress(address), ...(problem && { detail: problem }), address }];
  return /^0x/i.test(text) && problem ? [{ label: problem, address: undefined, onlyWords: true }] : [];
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
