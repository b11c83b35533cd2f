import type { PanelNetworkWords } from '../../../features/logs/protocol/logsSnapshot.ts';

/** Of which network the panel is, where another one is active or its own has changed, and how to move it over. */
export function NetworkNote({
  network: { mark, note, move },
  onMove,
}: {
  readonly network: PanelNetworkWords;
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
