import { type Address, parseAddress, shortAddress, splitTexts } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { QueryForm } from '../protocol/queryForm.ts';

type NameOf = (address: Address) => string | undefined;

/** A tab title that tells panels apart: the event and the address asked for, as far as they are given. */
export function panelTitle(form: QueryForm, l10n: Localizer, nameOf: NameOf = () => undefined): string {
  const parts = [eventName(form.event), addressName(form.address, nameOf)].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? l10n.t('Logs') : l10n.t('Logs: {0}', parts.join(' · '));
}

function eventName(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (text.startsWith('0x')) return shortAddress(text);
  return /^(?:event\s+)?([A-Za-z_$][\w$]{0,40})/.exec(text)?.[1];
}

function addressName(typed: string, nameOf: NameOf): string | undefined {
  const [first, ...others] = splitTexts(typed);
  const address = parseAddress(first);
  if (!address) return undefined;
  const name = nameOf(address) ?? shortAddress(address);
  return others.length === 0 ? name : `${name} +${others.length}`;
}
