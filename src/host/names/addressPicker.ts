import * as vscode from 'vscode';
import { type Address, formatShortAddress, getChecksumState, toChecksumAddress } from '../../core/index.ts';
import { formatPlacedAge } from '../formatTime.ts';
import { openQuickPick, type QuickPickChoice, showInputBox } from '../ui/dialogs.ts';
import { type AddressName, isWellKnown, parsePastedAddress } from './addressName.ts';
import type { AddressNames } from './addressNames.ts';

/** The addresses to choose from: those with names on a chain, after the recent ones. */
interface AddressPickerOptions {
  readonly names: AddressNames;
  readonly chainId: number;
  /** The most recent address first. */
  readonly recent?: readonly Address[];
  /** Left out, because the action has been applied to them already. */
  readonly without?: readonly Address[];
}

/**
 * Lets the user choose an address by its name or enter one, which is validated as they type. Undefined when they
 * leave with Escape or enter nothing.
 */
export async function askForAddress(
  title: string,
  prompt: string,
  options?: AddressPickerOptions,
): Promise<Address | undefined> {
  const rows = options ? listChoices(options) : [];
  if (rows.length === 0) return enterAddress(title, prompt);
  const placeHolder = vscode.l10n.t('{0}: 0x…, or a name', prompt);
  const picked = await openQuickPick<AddressChoice>({ title, placeHolder, ignoreFocusOut: true }, [
    ...rows,
    createOtherRow(),
  ]);
  if (picked === undefined || picked === 'back') return undefined;
  const { choice, text } = picked;
  if (choice.address) return choice.address;
  const typed = validateAddress(text) ? undefined : parsePastedAddress(text);
  return typed?.address ?? enterAddress(title, prompt, text);
}

async function enterAddress(title: string, prompt: string, value = ''): Promise<Address | undefined> {
  const typed = await showInputBox({
    title,
    prompt,
    value,
    placeHolder: '0x…',
    // Users switch windows to copy the address.
    ignoreFocusOut: true,
    validateInput: validateAddress,
  });
  return typed === undefined ? undefined : parsePastedAddress(typed)?.address;
}

interface AddressChoice extends QuickPickChoice {
  readonly address: Address | undefined;
}

/** Comes last, so that Enter takes a matching name; once an address is typed, only this row is left. */
function createOtherRow(): AddressChoice {
  return {
    label: vscode.l10n.t('Other Address…'),
    description: vscode.l10n.t('Use what you typed'),
    alwaysShow: true,
    address: undefined,
  };
}

function listChoices({
  names,
  chainId,
  recent = [],
  without = [],
}: AddressPickerOptions): readonly AddressChoice[] {
  const recentRows = recent
    .filter((address) => !without.includes(address))
    .map((address) => {
      const checksummed = toChecksumAddress(address);
      const label = names.nameOf(address, chainId)?.name ?? formatShortAddress(checksummed);
      return { label, description: checksummed, detail: vscode.l10n.t('recent'), address };
    });
  const namedRows = names
    .all(chainId)
    .filter(({ address }) => !recent.includes(address) && !without.includes(address))
    .map((each) => ({
      label: each.name,
      description: toChecksumAddress(each.address),
      detail: formatNamedDetail(each),
      address: each.address,
      isOwn: !isWellKnown(each),
    }));
  // Well-known addresses alone are not worth a quick pick.
  const hasOwnNames = namedRows.some(({ isOwn }) => isOwn);
  return recentRows.length > 0 || hasOwnNames ? [...recentRows, ...namedRows] : [];
}

function validateAddress(text: string): vscode.InputBoxValidationMessage | undefined {
  if (text.trim() === '') return undefined;
  const found = parsePastedAddress(text);
  if (!found) {
    return {
      message: vscode.l10n.t('Not an address. Enter 0x and 40 hex digits.'),
      severity: vscode.InputBoxValidationSeverity.Error,
    };
  }
  if (getChecksumState(found.written) !== 'wrong') return undefined;
  return {
    message: vscode.l10n.t('Invalid EIP-55 checksum: a character may be wrong.'),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

/** As {@link formatNameDetail}, with block and age first, which distinguish deployments of one name. */
export function formatNamedDetail(named: AddressName): string {
  const placed = formatPlacedAge(named, vscode.l10n);
  const detail = formatNameDetail(named);
  return placed === undefined ? detail : `${placed} · ${detail}`;
}

/** Describes the provider of a name, and its file. */
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
    case 'development':
      return vscode.l10n.t('account of development nodes');
    case 'standard':
      return file === undefined
        ? vscode.l10n.t('used for mints and burns')
        : vscode.l10n.t('precompile, {0}', file);
  }
}
