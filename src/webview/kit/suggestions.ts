import { MAX_SUGGESTIONS, type Suggestion } from '../../messaging/panel.ts';
import type { InputText } from './combobox.tsx';

type TypedName = Pick<InputText, 'text' | 'isRequested'>;

/** Suggests addresses by name or first digits; none for a complete one. */
export async function completeAddress(
  { text, isRequested }: TypedName,
  fetchAddresses: (name: string) => Promise<readonly Suggestion[]>,
): Promise<readonly Suggestion[]> {
  const name = text.trim();
  if (/^0x[0-9a-f]{40}$/i.test(name) || (!isRequested && name === '')) return [];
  const found = await fetchAddresses(name);
  // A complete name already means its address.
  const [only, ...others] = found.filter(({ label }) => label === name);
  return only && others.length === 0 && !isRequested ? [] : found;
}

/** Suggests the two values, only if the list is requested by key: they are quickly typed. */
export async function completeBool({ isRequested }: TypedName): Promise<readonly Suggestion[]> {
  return isRequested ? ['true', 'false'].map((value) => ({ value, label: value, detail: '' })) : [];
}

/** Suggests members of an enum: those that start with the text before others that contain it. */
export async function completeMember(
  { text, isRequested }: TypedName,
  members: readonly Suggestion[],
): Promise<readonly Suggestion[]> {
  const name = text.trim();
  const typed = name.toLowerCase();
  if (typed === '' && !isRequested) return [];
  // A complete name already means its number.
  if (!isRequested && members.some(({ label }) => label === name)) return [];
  const found = members.filter(({ label }) => label.toLowerCase().includes(typed));
  const isStart = ({ label }: Suggestion) => label.toLowerCase().startsWith(typed);
  return [...found.filter(isStart), ...found.filter((member) => !isStart(member))].slice(0, MAX_SUGGESTIONS);
}
