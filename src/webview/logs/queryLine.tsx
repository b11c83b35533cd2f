import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QueryPart } from '../../features/logs/protocol/snapshot.ts';
import { callHost } from '../kit/panelState.ts';
import { discardChanges, isFormChanged, openForm } from './logsActions.ts';
import type { LogsState } from './logsState.ts';
import { runForm } from './queryForm.tsx';

/** The query of the rows below in one line. While the form is open, it is only shown if the form differs. */
export function QueryLine({ state }: { readonly state: LogsState }) {
  const { strings, formOpen, wantsFocus } = state;
  const edit = useRef<HTMLButtonElement>(null);
  const { executed } = state.snapshot.value;
  const isOpen = formOpen.value;
  useLayoutEffect(() => {
    if (wantsFocus.current !== 'line' || !edit.current) return;
    wantsFocus.current = undefined;
    edit.current.focus();
  });
  const changed = isFormChanged(state);
  if (!executed || (isOpen && !changed)) return null;
  return (
    <section class="query" aria-label={strings.executed}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button in it takes the keys */}
      <ul class="parts" onClick={() => openForm(state)}>
        {executed.parts.map((part, index) => (
          <QueryPartItem key={index} part={part} />
        ))}
      </ul>
      <button type="button" class="plain spare" onClick={() => void callHost(state, 'copyQueryAs')}>
        {strings.copyQueryAs}
      </button>
      {!isOpen && (
        <button type="button" class="plain" ref={edit} onClick={() => openForm(state)}>
          {strings.editQuery}
        </button>
      )}
      {changed && (
        <div class="changed">
          <span aria-live="polite">{strings.formChanged}</span>
          {!isOpen && (
            <button type="button" class="primary" onClick={() => void runForm(state)}>
              {strings.run}
            </button>
          )}
          <button type="button" class="plain" onClick={() => discardChanges(state)}>
            {strings.discard}
          </button>
        </div>
      )}
    </section>
  );
}

function QueryPartItem({ part }: { readonly part: QueryPart }) {
  const { before, strong, after, hint } = part;
  return (
    <li title={hint}>
      {before && <span class="light">{before} </span>}
      {strong && <strong class={isHex(strong) ? 'hex' : undefined}>{strong}</strong>}
      {strong && after && ' '}
      {after && <span class={isHex(after) ? 'light hex' : 'light'}>{after}</span>}
    </li>
  );
}

function isHex(text: string): boolean {
  return text.startsWith('0x');
}
