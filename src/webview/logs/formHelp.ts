import { computed, effect } from '@preact/signals';
import { type FormField, isAppError, parseEventOrTopic0, replaceUnknownTypes } from '../../core/index.ts';
import { MAX_TYPED_CHARS } from '../../features/logs/protocol/protocol.ts';
import type { Suggestion } from '../../messaging/panel.ts';
import type { InputText } from '../kit/combobox.tsx';
import { oneAtATime } from '../kit/panelState.ts';
import { completeAddress, completeMember } from '../kit/suggestions.ts';
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
export function suggestAddresses(
  { host }: LogsState,
  input: InputText,
  options: RequestOptions,
): Promise<readonly Suggestion[]> {
  return completeAddress({ ...input, text: findListItemAt(input).text }, (name) =>
    host.request('completeAddresses', name.slice(0, MAX_TYPED_CHARS), options),
  );
}

/** Suggests members of the enum of an argument, for the list item at the caret. */
export function suggestMembers(
  { facts }: LogsState,
  field: FormField,
  input: InputText,
): Promise<readonly Suggestion[]> {
  return completeMember({ ...input, text: findListItemAt(input).text }, facts.value?.members[field] ?? []);
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
