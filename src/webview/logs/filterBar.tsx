import { useRef, useState } from 'preact/hooks';
import { arrange, toggleRaw } from './actions.ts';
import type { LogsState } from './state.ts';

/** As long as keys follow each other faster than this, the filter is still being typed. */
const TYPING_MS = 150;

/** Narrows the rows to those that hold what is typed, once there are any. */
export function FilterBar({ state }: { readonly state: LogsState }) {
  const { strings, arrangement } = state;
  const [typed, setTyped] = useState(arrangement.value.filter);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { loaded, rowsText, loading } = state.snapshot.value;
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
        placeholder={`${strings.filter}: ${strings.filterHint}`}
        title={strings.filterForms}
        maxLength={1000}
        spellcheck={false}
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => apply(value), TYPING_MS);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply(typed);
        }}
      />
      <button
        type="button"
        class="toggle"
        aria-pressed={arrangement.value.raw === true}
        title={strings.rawHint}
        onClick={() => toggleRaw(state)}
      >
        {strings.raw}
      </button>
      <span class="note" aria-live={loading ? 'off' : 'polite'}>
        {rowsText}
      </span>
    </div>
  );
}
