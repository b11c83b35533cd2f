import type { ComponentChildren } from 'preact';
import { ButtonRow } from '../kit/buttonRow.tsx';
import { ToneIcon } from '../kit/toneIcon.tsx';
import { cancel, exportLogs, follow, loadAll, nextPage, notify, secondOpinion, skipWait } from './actions.ts';
import { FilterBar } from './filterBar.tsx';
import { AboutAnswer, AboutButton, Doubts } from './parts/about.tsx';
import { Age } from './parts/age.tsx';
import { BellIcon } from './parts/bellIcon.tsx';
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
  const { follow: followed } = snapshot;
  // Its blocks go on by themselves, which is not to be read out each time.
  const isSteady = followed.state === 'on' && tone === 'complete';
  return (
    <div class="bar">
      <div class="answer">
        <ToneIcon tone={tone} />
        <div class={`status ${tone}`} role="status" aria-live={isSteady ? 'off' : undefined}>
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
          {followed.canFollow && (
            <>
              <button
                type="button"
                class="toggle"
                aria-pressed={followed.state !== 'off'}
                title={strings.followHint}
                onClick={() => follow(state)}
              >
                <span class="dot" aria-hidden="true" />
                <span class="label">{strings.follow}</span>
              </button>
              {followed.state !== 'off' && (
                <button
                  type="button"
                  class="toggle"
                  aria-label={strings.notify}
                  aria-pressed={followed.notify !== 'off'}
                  title={strings.notifyHint}
                  onClick={() => notify(state)}
                >
                  <BellIcon />
                </button>
              )}
            </>
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
