import { ButtonRow } from '../kit/buttonRow.tsx';
import { Reasons, WhyButton } from '../kit/reasons.tsx';
import { ToneIcon } from '../kit/toneIcon.tsx';
import { cancel, exportLogs, loadAll, nextPage, skipWait } from './actions.ts';
import type { LogsState } from './state.ts';

/** What is known of the answer and why, and what can be done to get more of it. */
export function StatusBar({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  const { status, tone, reasons, progress, more, canExport, canSkipWait, loading, problem } =
    state.snapshot.value;
  const why = { isOpen: state.reasonsOpen, reasons };
  return (
    <div class="bar">
      <div class="verdict">
        <ToneIcon tone={tone} />
        <div class={`status ${tone}`} role="status">
          {status}
        </div>
        {progress && <div class="words">{progress.words}</div>}
        <WhyButton {...why} title={strings.why} />
      </div>
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
          <button type="button" aria-disabled={loading !== undefined} onClick={() => exportLogs(state)}>
            {strings.exportLogs}
          </button>
        )}
      </ButtonRow>
      <Reasons {...why} />
    </div>
  );
}
