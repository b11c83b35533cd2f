import { ButtonRow } from '../kit/buttonRow.tsx';
import { HostFailureBanner, ProblemBanner } from '../kit/problemBanner.tsx';
import { dismissQuestion, loadAll, remedy, tryAgain } from './actions.ts';
import type { LogsState } from './state.ts';

/** What went wrong, if it is not shown at a field of the form. */
export function Problems({ state }: { readonly state: LogsState }) {
  const { problem } = state.snapshot.value;
  const failure = state.hostFailure.value;
  if (failure) return <HostFailureBanner words={failure} />;
  if (!problem || problem.field) return null;
  return (
    <ProblemBanner
      problem={problem}
      tryAgain={{ title: state.strings.tryAgain, run: () => tryAgain(state) }}
      onRemedy={(title) => remedy(state, title)}
    />
  );
}

/** Asks before loading all goes past the limit. */
export function LimitBanner({ state }: { readonly state: LogsState }) {
  const { question } = state.snapshot.value;
  if (!question) return null;
  return (
    <div class="banner question" role="alert">
      <span class="words">{question.message}</span>
      <ButtonRow>
        <button type="button" onClick={() => loadAll(state)}>
          {question.yes}
        </button>
        <button type="button" onClick={() => dismissQuestion(state)}>
          {state.strings.notNow}
        </button>
      </ButtonRow>
    </div>
  );
}
