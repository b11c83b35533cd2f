import { computed, effect } from '@preact/signals';
import { type FormField, isAppError, parseEventOrTopic0, replaceUnknownTypes } from '../../core/index.ts';
import { MAX_SUGGESTIONS, MAX_TYPED_CHARS, type Suggestion } from '../../features/logs/protocol/protocol.ts';
import type { InputText } from '../kit/combobox.tsx';
import { oneAtATime } from '../kit/panelState.ts';
import { findListItemAt } from './formValidation.ts';
import type { LogsState } from './logsState.ts';

/** Suggests events. For a complete event or a topic0, only if the list is requested by key. */
export async function suggestEvents(
  { host, form, strings }: LogsState,
  { text, isRequested }: InputText,
  options: RequestOptions,
): Promise<readonly Suggestion[]> {
  const typed = text.trim();
  if (/^0x/i.test(typed) || (!isRequested && (typed === '' || isEventText(typed)))) return [];
  // The text is a complete event: suggests others with its name instead.
  const corrected = replaceUnknownTypes(typed);
  const query = isEventText(typed) ? (typed.split('(')[0] ?? '') : (corrected ?? typed);
  const found = await host.request(
    'completeEvents',
    { text: query.slice(0, MAX_TYPED_CHARS), address: form.value.address },
    options,
  );
  if (corrected === undefined) return found;
  return [
    { value: corrected, label: corrected, detail: strings.nearestTypes },
    ...found.filter(({ value }) => value !== corrected),
  ];
}

function isEventText(text: string): boolean {
  try {
    return parseEventOrTopic0(text) !== undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return false;
    throw error;
  }
}

type RequestOptions = { readonly signal: AbortSignal };

/** Suggests addresses by name or first digits for the list item at the caret. */
export async function suggestAddresses(
  { host }: LogsState,
  input: InputText,
  options: RequestOptions,
): Promise<readonly Suggestion[]> {
  const { text } = findListItemAt(input);
  const name = text.trim();
  if (/^0x[0-9a-f]{40}$/i.test(name) || (!input.isRequested && name === '')) return [];
  const found = await host.request('completeAddresses', name.slice(0, MAX_TYPED_CHARS), options);
  // A complete name already means its address.
  const [only, ...others] = found.filter(({ label }) => label === name);
  return only && others.length === 0 && !input.isRequested ? [] : found;
}

/** Suggests the two values, only if the list is requested by key: they are quickly typed. */
export async function suggestBools({ isRequested }: InputText): Promise<readonly Suggestion[]> {
  return isRequested ? ['true', 'false'].map((value) => ({ value, label: value, detail: '' })) : [];
}

/** Suggests members of the enum of an argument, for the list item at the caret. */
export async function suggestMembers(
  { facts }: LogsState,
  field: FormField,
  input: InputText,
): Promise<readonly Suggestion[]> {
  const name = findListItemAt(input).text.trim();
  const typed = name.toLowerCase();
  if (typed === '' && !input.isRequested) return [];
  const members = facts.value?.members[field] ?? [];
  // A complete name already means its number.
  if (!input.isRequested && members.some(({ label }) => label === name)) return [];
  const found = members.filter(({ label }) => label.toLowerCase().includes(typed));
  const isStart = ({ label }: Suggestion) => label.toLowerCase().startsWith(typed);
  return [...found.filter(isStart), ...found.filter((member) => !isStart(member))].slice(0, MAX_SUGGESTIONS);
}

/** Fetches what the host knows about the form after each change, one request at a time. */
export function syncFormFacts(state: LogsState): void {
  const fetchFacts = oneAtATime(async () => {
    const facts = await state.host.request('factsOf', state.form.value).catch(() => undefined);
    // If the form has changed since, another request follows at once. Until then the older facts stay.
    if (facts) state.facts.value = facts;
  });
  const knowledgeVersion = computed(() => state.snapshot.value.knowledgeVersion);
  effect(() => {
    // Read, so that a change of either fetches again.
    void [state.form.value, knowledgeVersion.value];
    void fetchFacts();
  });
}
