import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  explainUnit,
  findNamedToken,
  listIntegers,
  parseAddress,
  parseAmountUnit,
  parseHexData,
} from '../../../core/index.ts';
import { localize } from '../../../host/l10n.ts';
import { findUnits } from '../../../host/names/labelsFile.ts';
import type { Session } from '../../../host/session/session.ts';
import { pickOne, showInputBox, showMessage } from '../../../host/ui/dialogs.ts';
import { readTextFile } from '../../../host/workspace/listFiles.ts';
import type { UnitTarget } from '../../../manifest.ts';
import type { ActiveNames } from '../addressBook.ts';
import { getLabelFile, pickLabelFolder, showNotALabelFile } from './labelFolder.ts';

const identifier = z.string().check(z.regex(/^[A-Za-z_$][\w$]{0,127}$/));
const targetSchema = z.object({
  contract: identifier,
  item: identifier,
  fields: z.array(z.string().check(z.regex(/^[\w$.]{0,255}$/))).check(z.minLength(1), z.maxLength(100)),
});

/**
 * *Set Unit…*: asks once what an integer counts, and writes that to the labels of the team. A token must be on the active
 * chain, so that a misspelled name is not saved.
 *
 * @throws AppError of any network kind.
 */
export async function setUnit(
  argument: unknown,
  { active, session }: { readonly active: ActiveNames; readonly session: Session },
): Promise<void> {
  const { l10n } = vscode;
  const title = l10n.t('Set Unit');
  const target = targetSchema.safeParse(argument).data ?? findViewTarget(argument, { active, session });
  if (!target) {
    const message = l10n.t('Only integers of contracts of this workspace have units.');
    void showMessage('information', message);
    return;
  }
  const field = await pickField(target, title);
  const folder = field === undefined ? undefined : await pickLabelFolder(title);
  if (field === undefined || !folder) return;
  const present = findUnits(await readTextFile(getLabelFile(folder))).findLast((one) => one.field === field);
  const typed = await showInputBox({
    title,
    prompt: l10n.t(
      'What {0} counts: the name, symbol or address of a token, ether, gwei, wei, 6 decimals or percent of 10000. Leave empty to remove the unit.',
      field,
    ),
    value: present?.unit ?? '',
    validateInput(text) {
      if (text.trim() === '' || parseAmountUnit(text)) return undefined;
      const reason = explainUnit({ field, unit: text }, '', () => []);
      return reason && localize(reason, l10n);
    },
  });
  if (typed === undefined) return;
  const unit = parseAmountUnit(typed);
  if (unit?.kind === 'token') {
    const { client, network, signal } = session.connection;
    const index = await active.names.contracts.index();
    const { reason } = await findNamedToken(
      unit.token,
      { client, chainId: network.chainId, index },
      { signal },
    );
    if (reason) {
      void showMessage('warning', localize(reason, l10n));
      return;
    }
  }
  const change = { field, unit: unit && typed.trim() };
  if (!(await active.names.team.writeUnit(folder, change))) await showNotALabelFile(active, folder);
}

/** A row of the Addresses view with what a view function returned. */
const valueRowSchema = z.object({ contract: z.string(), item: z.object({ selector: z.string() }) });

function findViewTarget(
  argument: unknown,
  { active, session }: { readonly active: ActiveNames; readonly session: Session },
): UnitTarget | undefined {
  const row = valueRowSchema.safeParse(argument).data;
  const selector = parseHexData(row?.item.selector, 4);
  const address = parseAddress(row?.contract);
  if (!selector || !address) return undefined;
  const at = { address, chainId: session.network.chainId };
  const { lookup } = active.names.contracts.known ?? {};
  const [found] = lookup?.functions(selector, at) ?? [];
  if (found?.origin.contract === undefined) return undefined;
  const { outputs, name } = found.item;
  const integers = listIntegers(outputs);
  const fields = outputs.length === 1 && integers[0] === (outputs[0]?.name || '0') ? [''] : integers;
  return fields.length > 0 ? { contract: found.origin.contract, item: name, fields } : undefined;
}

/** `Vault.Deposited.amount`; undefined if cancelled. */
async function pickField({ contract, item, fields }: UnitTarget, title: string): Promise<string | undefined> {
  const choices = fields.map((field) => ({ label: [contract, item, field].filter(Boolean).join('.') }));
  if (choices.length === 1) return choices[0]?.label;
  return (await pickOne(choices, { title, placeHolder: vscode.l10n.t('Choose an integer') }))?.label;
}
