import * as vscode from 'vscode';
import { type Address, formatShortAddress, getChecksumState, toChecksumAddress } from '../../core/index.ts';
import { openQuickPick, type QuickPickChoice, showInputBox } from '../ui/dialogs.ts';
import { type AddressName, parsePastedAddress } from './addressName.ts';
import type { AddressNames } from './addressNames.ts';

/** What an address can be chosen from by its name: those of a chain, and before them those of a list. */
interface Among {
  readonly names: AddressNames;
  readonly chainId: number;
  /** Addresses that were looked at lately, the last one first. */
  readonly recent?: readonly Address[];
  /** Not offered: what is asked about has been done to them. */
  readonly without?: readonly Address[];
}

/**
 * Asks for an address; what is wrong with it stands at the field. Where addresses have names, they can be chosen by
 * them. Undefined when left with Escape or empty.
 */
export async function askForAddress(
  title: string,
  prompt: string,
  among?: Among,
): Promise<Address | undefined> {
  const choices = among ? choicesAmong(among) : [];
  if (choices.length === 0) return typeAddress(title, prompt);
  const placeHolder = vscode.l10n.t('{0}: 0x…, or a name', prompt);
  const picked = await openQuickPick<AddressChoice>({ title, placeHolder, ignoreFocusOut: true }, [
    ...choices,
    otherRow(),
  ]);
  if (picked === undefined || picked === 'back') return undefined;
  const { choice, text } = picked;
  if (choice.address) return choice.address;
  const typed = validateAddress(text) ? undefined : parsePastedAddress(text);
  return typed?.address ?? typeAddress(title, prompt, text);
}

async function typeAddress(title: string, prompt: string, value = ''): Promise<Address | undefined> {
  const typed = await showInputBox({
    title,
    prompt,
    value,
    placeHolder: '0x…',
    // People go and copy the address elsewhere.
    ignoreFocusOut: true,
    validateInput: validateAddress,
  });
  return typed === undefined ? undefined : parsePastedAddress(typed)?.address;
}

interface AddressChoice extends QuickPickChoice {
  /** Undefined for the one that is typed. */
  readonly address: Address | undefined;
}

/** The last, so that Enter takes a name that matches what is typed; what is typed as an address is left with this alone. */
function otherRow(): AddressChoice {
  return {
    label: vscode.l10n.t('Other Address…'),
    description: vscode.l10n.t('Uses what you typed'),

    alwaysShow: true,
    address: undefined,
  };
}

function choicesAmong({ names, chainId, recent = [], without = [] }: Among): readonly AddressChoice[] {
  const lately = recent
    .filter((address) => !without.includes(address))
    .map((address) => {
      const written = toChecksumAddress(address);
      const label = names.nameOf(address, chainId)?.name ?? formatShortAddress(written);
      return { label, description: written, detail: vscode.l10n.t('recent'), address };
    });
  const named = names
    .all(chainId)
    .filter(({ address }) => !recent.includes(address) && !without.includes(address))
    .map((each) => ({
      label: each.name,
      description: toChecksumAddress(each.address),
      detail: formatNameDetail(each),

      address: each.address,
      source: each.provider,
    }));
  // What every chain has is no reason to ask by a list.
  const own = named.some(({ source }) => source !== 'standard');
  return lately.length > 0 || own ? [...lately, ...named] : [];
}

function validateAddress(text: string): vscode.InputBoxValidationMessage | undefined {
  if (text.trim() === '') return undefined;
  const found = parsePastedAddress(text);
  if (!found) {
    return {
      message: vscode.l10n.t('Not an address: expected 0x and 40 hex digits.'),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  }
  if (getChecksumState(found.written) !== 'wrong') return undefined;
  return {
    message: vscode.l10n.t('Invalid EIP-55 checksum: a character may be wrong.'),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

/** Who gives a name, and in which file. */
export function formatNameDetail({ provider, file, line }: AddressName): string {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  switch (provider) {
    case 'mine':
      return vscode.l10n.t('your label');
    case 'deployment':
      return vscode.l10n.t('deployment in {0}', place);
    case 'label':
      return vscode.l10n.t('team label in {0}', place);
    case 'foundry':
      return vscode.l10n.t('label in {0}', place);
    case 'constant':
      return vscode.l10n.t('constant in {0}', place);
    case 'standard':
      return file === undefined
        ? vscode.l10n.t('used for mints and burns')
        : vscode.l10n.t('precompile, {0}', file);
  }
}
