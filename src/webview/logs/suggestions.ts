import { isAppError, parseEventOrTopic0, replaceUnknownTypes } from '../../core/index.ts';
import { LONGEST_TYPED, type Suggestion } from '../../features/logs/protocol/formHelp.ts';
import type { Typed } from '../kit/choice.ts';
import { partAt } from './parts/listParts.ts';
import type { LogsState } from './state.ts';

type Options = { readonly signal: AbortSignal };

/** Events that may be meant; of one that is typed in full, and of a topic0, only where the list is asked for. */
export async function suggestEvents(
  { host, form, strings }: LogsState,
  { text, wanted }: Typed,
  options: Options,
): Promise<readonly Suggestion[]> {
  const typed = text.trim();
  if (/^0x/i.test(typed) || (!wanted && (typed === '' || isEvent(typed)))) return [];
  // A whole event has been chosen: others by its name may be wanted instead.
  const mended = replaceUnknownTypes(typed);
  const asked = isEvent(typed) ? (typed.split('(')[0] ?? '') : (mended ?? typed);
  const found = await host.request(
    'completeEvents',
    { text: asked.slice(0, LONGEST_TYPED), address: form.value.address },
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
  typed: Typed,
  options: Options,
): Promise<readonly Suggestion[]> {
  const { text } = partAt(typed);
  const name = text.trim();
  if (/^0x/i.test(name) || (!typed.wanted && name === '')) return [];
  const found = await host.request('completeAddresses', name.slice(0, LONGEST_TYPED), options);
  // A name that is typed in full stands for its address already.
  const [only, ...others] = found.filter(({ label }) => label === name);
  return only && others.length === 0 && !typed.wanted ? [] : found;
}

/** The two values, where the list is asked for: they are soon typed. */
export async function suggestBools({ wanted }: Typed): Promise<readonly Suggestion[]> {
  return wanted ? ['true', 'false'].map((value) => ({ value, label: value, detail: '' })) : [];
}

function isEvent(text: string): boolean {
  try {
    return parseEventOrTopic0(text) !== undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return false;
    throw error;
  }
}
