import { computed, effect } from '@preact/signals';
import { oneAtATime } from '../kit/latest.ts';
import type { LogsState } from './state.ts';

/** Keeps what the host knows of the form beside it, one question at a time. */
export function followFacts(state: LogsState): void {
  const ask = oneAtATime(async () => {
    const facts = await state.host.request('factsOf', state.form.value).catch(() => undefined);
    // What a later text means is asked at once; until then what is known of the one before stays.
    if (facts) state.facts.value = facts;
  });
  const known = computed(() => state.snapshot.value.known);
  effect(() => {
    // Read, so that a change of either asks anew.
    void [state.form.value, known.value];
    void ask();
  });
}
