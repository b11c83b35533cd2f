import type { PanelNetworkLabels } from '../../features/logs/protocol/snapshot.ts';
import { ButtonRow, ErrorBanner, HostErrorBanner } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { callWhenIdle } from './logsActions.ts';
import type { LogsState } from './logsState.ts';

/** The current error, unless a field of the form shows it. */
export function ErrorBanners({ state }: { readonly state: LogsState }) {
  const { error } = state.snapshot.value;
  const hostError = state.hostError.value;
  if (hostError) return <HostErrorBanner message={hostError} />;
  if (!error || error.field) return null;
  return (
    <ErrorBanner
      error={error}
      tryAgain={{ title: state.strings.tryAgain, run: () => void callHost(state, 'tryAgain') }}
      onRemedy={(title) => void callHost(state, 'remedy', title)}
    />
  );
}

/** Asks for confirmation before *Load All* exceeds the limit. */
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

/** Names the panel's network if another one is active or it has changed, with a button to update the panel. */
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
