import { dismissQuestion, loadAll, remedy, tryAgain } from './actions.ts';
import type { LogsState } from './state.ts';

/** What went wrong, with a way to go on. What is loaded stays below it. */
export function ProblemBanner({ state }: { readonly state: LogsState }) {
  const { problem } = state.snapshot.value;
  const failure = state.hostFailure.value;
  if (failure) {
    return (
      <div class="banner error" role="alert">
        {failure}
      </div>
    );
  }
  if (!problem || problem.field) return null;
  return (
    <div class="banner error" role="alert">
      <span class="words">{problem.message}</span>
      <button type="button" onClick={() => tryAgain(state)}>
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

/** Asks before loading all goes past the limit. */
export function LimitBanner({ state }: { readonly state: LogsState }) {
  const { question } = state.snapshot.value;
  if (!question) return null;
  return (
    <div class="banner question" role="alert">
      <span class="words">{question.message}</span>
      <button type="button" onClick={() => loadAll(state)}>
        {question.yes}
      </button>
      <button type="button" onClick={() => dismissQuestion(state)}>
        {state.strings.notNow}
      </button>
    </div>
  );
}
