import { computed, effect } from '@preact/signals';
import { isAppError, parseEventOrTopic0, replaceUnknownTypes } from '../../core/index.ts';
import { MAX_TYPED_CHARS, type Suggestion } from '../../features/logs/protocol/protocol.ts';
import type { InputText } from '../kit/combobox.tsx';
import { oneAtATime } from '../kit/panelState.ts';
import { findListItemAt } from './formValidation.ts';
import type { LogsState } from './logsState.ts';

type RequestOptions = { readonly signal: AbortSignal };

/** Events that may be meant; of one that is typed in full, and of a topic0, only where the list is asked for. */
export async function suggestEvents(
  { host, form, strings }: LogsState,
  { text, isRequested }: InputText,
  options: RequestOptions,
): Promise<readonly Suggestion[]> {
  const typed = text.trim();
  if (/^0x/i.test(typed) || (!isRequested && (typed === '' || isEventText(typed)))) return [];
  // A whole event has been chosen: others by its name may be wanted instead.
  const mended = replaceUnknownTypes(typed);
  const asked = isEventText(typed) ? (typed.split('(')[0] ?? '') : (mended ?? typed);
  const found = await host.request(
    'completeEvents',
    { text: asked.slice(0, MAX_TYPED_CHARS), address: form.value.address },
    options,
  );
  if (mended === undefined) return found;
  return [
    { value: mended, label: mended, detail: strings.nearestTypes },
    ...found.filter(({ value }) => value !== mended),
  ];
}

/** Names of addresses that may be meant by the one that the caret is in. */
export async function suggestAddresses(
  { host }: LogsState,
  typed: InputText,
  options: RequestOptions,
): Promise<readonly Suggestion[]> {
  const { text } = findListItemAt(typed);
  const name = text.trim();
  if (/^0x/i.test(name) || (!typed.isRequested && name === '')) return [];
  const found = await host.request('completeAddresses', name.slice(0, MAX_TYPED_CHARS), options);
  // A name that is typed in full stands for its address already.
  const [only, ...others] = found.filter(({ label }) => label === name);
  return only && others.length === 0 && !typed.isRequested ? [] : found;
}

/** The two values, where the list is asked for: they are soon typed. */
export async function suggestBools({ isRequested }: InputText): Promise<readonly Suggestion[]> {
  return isRequested ? ['true', 'false'].map((value) => ({ value, label: value, detail: '' })) : [];
}

function isEventText(text: string): boolean {
  try {
    return parseEventOrTopic0(text) !== undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return false;
    throw error;
  }
}

/** Keeps what the host knows of the form beside it, one question at a time. */
export function syncFormFacts(state: LogsState): void {
  const ask = oneAtATime(async () => {
    const facts = await state.host.request('factsOf', state.form.value).catch(() => undefined);
    // What a later text means is asked at once; until then what is known of the one before stays.
    if (facts) state.facts.value = facts;
  });
  const known = computed(() => state.snapshot.value.knowledgeVersion);
  effect(() => {
    // Read, so that a change of either asks anew.
    void [state.form.value, known.value];
    void ask();
  });
}
