import { useRef, useState } from 'preact/hooks';
import { LONGEST_FILTER } from '../../features/logs/protocol/arrangement.ts';
import { arrange, toggleRaw } from './arranging.ts';
import { ChartButton } from './chart/chartButton.tsx';
import type { LogsState } from './state.ts';

/** As long as keys follow each other faster than this, the filter is still being typed. */
const TYPING_MS = 150;

/** Narrows the rows to those that hold what is typed, once there are any. */
export function FilterBar({ state }: { readonly state: LogsState }) {
  const { strings, arrangement } = state;
  const { filter: given } = arrangement.value;
  const [typing, setTyping] = useState({ text: given, given });
  // What is typed counts until the rows are arranged by it, or by something else.
  const typed = typing.given === given ? typing.text : given;
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { loaded } = state.snapshot.value;
  if (loaded === 0 && arrangement.value.filter === '') return null;
  const apply = (filter: string): void => {
    clearTimeout(waiting.current);
    arrange(state, { ...arrangement.value, filter });
  };
  return (
    <div class="filter">
      <input
        type="search"
        aria-label={strings.filter}
        placeholder={strings.filter}
        title={`${strings.filterHint}\n${strings.filterForms}`}
        maxLength={LONGEST_FILTER}
        spellcheck={false}
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyping({ text: value, given });
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => apply(value), TYPING_MS);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply(typed);
        }}
      />
      <ChartButton chart={state.chart} strings={strings} offer={state.snapshot.value.chart} />
      <button
        type="button"
        class="toggle"
        aria-pressed={arrangement.value.raw === true}
        title={strings.rawHint}
        onClick={() => toggleRaw(state)}
      >
        {strings.raw}
      </button>
    </div>
  );
}
