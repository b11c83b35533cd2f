import { cancel, nextPage, remedy } from './actions.ts';
import type { LogsState } from './state.ts';

/** What is known of the answer, and what can be done to get more of it. */
export function StatusBar({ state }: { readonly state: LogsState }) {
  const { strings } = state;
  const { status, tone, reasons, more, loading, problem } = state.snapshot.value;
  return (
    <div class="bar">
      <div class={`status ${tone}`} role="status">
        {status}
        {reasons.map((reason) => ` ${reason}`)}
      </div>
      {more && !problem && (
        <button type="button" aria-disabled={loading !== undefined} onClick={() => nextPage(state)}>
          {strings.nextPage}
        </button>
      )}
      {loading && (
        <button type="button" onClick={() => cancel(state)}>
          {strings.cancel}
        </button>
      )}
    </div>
  );
}

/** What went wrong, with a way to go on. What is loaded stays below it. */
export function ProblemBanner({ state }: { readonly state: LogsState }) {
  const { problem } = state.snapshot.value;
  const failure = state.hostFailure.value;
  if (failure) {
    return (
      <div class="banner" role="alert">
        {failure}
      </div>
    );
  }
  if (!problem || problem.field) return null;
  return (
    <div class="banner" role="alert">
      <span class="words">{problem.message}</span>
      <button type="button" onClick={() => nextPage(state)}>
        {state.strings.tryAgain}
      </button>
      {problem.remedies.map((title, index) => (
        <button key={title} type="button" onClick={() => remedy(state, index)}>
          {title}
        </button>
      ))}
    </div>
  );
}
