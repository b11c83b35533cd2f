import type { PanelNetworkLabels } from '../../features/logs/protocol/snapshot.ts';
import { ButtonRow, ErrorBanner, HostErrorBanner } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { callWhenIdle } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** What went wrong, if it is not shown at a field of the form. */
export function ErrorBanners({ state }: { readonly state: LogsState }) {
  const { error } = state.snapshot.value;
  const failure = state.hostError.value;
  if (failure) return <HostErrorBanner message={failure} />;
  if (!error || error.field) return null;
  return (
    <ErrorBanner
      error={error}
      tryAgain={{ title: state.strings.tryAgain, run: () => void callHost(state, 'tryAgain') }}
      onRemedy={(title) => void callHost(state, 'remedy', title)}
    />
  );
}

/** Asks before loading all goes past the limit. */
export function LimitBanner({ state }: { readonly state: LogsState }) {
  const { limitPrompt } = state.snapshot.value;
  if (!limitPrompt) return null;
  return (
    <div class="banner question" role="alert">
      <span class="words">{limitPrompt.message}</span>
      <ButtonRow>
        <button type="button" onClick={() => callWhenIdle(state, 'loadAll')}>
          {limitPrompt.yes}
        </button>
        <button type="button" onClick={() => void callHost(state, 'dismissLimitPrompt')}>
          {state.strings.notNow}
        </button>
      </ButtonRow>
    </div>
  );
}

/** Of which network the panel is, where another one is active or its own has changed, and how to move it over. */
export function NetworkNote({
  network: { mark, note, move },
  onMove,
}: {
  readonly network: PanelNetworkLabels;
  readonly onMove: () => void;
}) {
  return (
    <div class="network" aria-live="polite">
      {mark !== undefined && <span class="mark">{mark}</span>}
      {note !== undefined && <span class="note">{note}</span>}
      {move !== undefined && (
        <button type="button" onClick={onMove}>
          {move}
        </button>
      )}
    </div>
  );
}
