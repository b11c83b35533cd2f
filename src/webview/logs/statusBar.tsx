import { cancel, exportLogs, loadAll, nextPage } from './actions.ts';
import type { LogsState } from './state.ts';
import { ToneIcon } from './toneIcon.tsx';

/** What is known of the answer and why, and what can be done to get more of it. */
export function StatusBar({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  const { status, tone, progress, more, canExport, loading, problem } = state.snapshot.value;
  return (
    <div class="bar">
      <div class="verdict">
        <ToneIcon tone={tone} />
        <div class={`status ${tone}`} role="status">
          {status}
        </div>
        {progress && <div class="words">{progress.words}</div>}
        <WhyButton state={state} />
      </div>
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
      <Reasons state={state} />
    </div>
  );
}

function WhyButton({ state }: { readonly state: LogsState }) {
  const { reasonsOpen } = state;
  if (state.snapshot.value.reasons.length === 0) return null;
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={reasonsOpen.value}
      aria-controls={reasonsOpen.value ? 'reasons' : undefined}
      onClick={() => {
        reasonsOpen.value = !reasonsOpen.value;
      }}
    >
      {state.strings.why}
    </button>
  );
}

function Reasons({ state }: { readonly state: LogsState }) {
  const { reasons } = state.snapshot.value;
  if (reasons.length === 0 || !state.reasonsOpen.value) return null;
  return (
    <ul class="reasons" id="reasons">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
