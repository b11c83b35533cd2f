import type { ComponentChildren } from 'preact';
import { ButtonRow } from '../kit/buttonRow.tsx';
import { ToneIcon } from '../kit/toneIcon.tsx';
import { cancel, exportLogs, loadAll, nextPage, secondOpinion, skipWait } from './actions.ts';
import { FilterBar } from './filterBar.tsx';
import { AboutAnswer, AboutButton, Doubts } from './parts/about.tsx';
import { Age } from './parts/age.tsx';
import type { LogsState } from './state.ts';

/** What is known of the answer, what narrows its rows, and what can be done to get more of it. */
export function StatusBar({
  state,
  children,
}: {
  readonly state: LogsState;
  /** Buttons of where it stands. */
  readonly children?: ComponentChildren;
}) {
  const { strings } = state;
  const { value: snapshot } = state.snapshot;
  const about = { isOpen: state.reasonsOpen, known: snapshot, strings };
  const { status, rest, tone, progress, more, canExport, canSkipWait, loading, problem, rowsText } = snapshot;
  return (
    <div class="bar">
      <div class="answer">
        <ToneIcon tone={tone} />
        <div class={`status ${tone}`} role="status">
          {status}
          {rest && <span class="rest"> {rest}</span>}
        </div>
        {progress && <div class="words">{progress.words}</div>}
        <span class="aside">
          <Age status={snapshot} strings={strings} />
          <AboutButton {...about} />
        </span>
        <span class="words" aria-live={loading ? 'off' : 'polite'}>
          {rowsText}
        </span>
      </div>
      <div class="tools">
        <FilterBar state={state} />
        <ButtonRow>
          {more && !problem && (
            <>
              <button type="button" aria-disabled={loading !== undefined} onClick={() => nextPage(state)}>
                {strings.nextPage}
              </button>
              <button type="button" aria-disabled={loading !== undefined} onClick={() => loadAll(state)}>
                {strings.loadAll}
              </button>
            </>
          )}
          {canSkipWait && (
            <button type="button" onClick={() => skipWait(state)}>
              {strings.askNow}
            </button>
          )}
          {loading && (
            <button type="button" onClick={() => cancel(state)}>
              {strings.cancel}
            </button>
          )}
          {canExport && (
            <>
              <button type="button" aria-disabled={loading !== undefined} onClick={() => exportLogs(state)}>
                {strings.exportLogs}
              </button>
              <button
                type="button"
                class="spare"
                aria-disabled={loading !== undefined}
                onClick={() => secondOpinion(state)}
              >
                {strings.secondOpinion}
              </button>
            </>
          )}
          {children}
        </ButtonRow>
      </div>
      <Doubts {...about} />
      <AboutAnswer {...about} />
    </div>
  );
}
