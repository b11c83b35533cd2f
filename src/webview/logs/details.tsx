import type { WireLog } from '../../features/logs/protocol/logsSnapshot.ts';
import type { ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';
import { closeDetails, copyLog, copyText, openInExplorer } from './actions.ts';
import type { LogsState } from './state.ts';

interface DetailField {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly page?: ExplorerPlace['page'];
}

/** All of one log, below the grid. */
export function Details({ state }: { readonly state: LogsState }) {
  const details = state.details.value;
  if (!details?.log) return null;
  const { strings } = state;
  const { log } = details;
  const { canOpenExplorer } = state.snapshot.value;
  return (
    <section
      class="details"
      aria-label={fill(strings.details, log.index, log.block)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeDetails(state);
      }}
    >
      <div class="details-bar">
        <h2>{fill(strings.details, log.index, log.block)}</h2>
        <button type="button" class="plain" onClick={() => copyLog(state, log.log)}>
          {strings.copyLog}
        </button>
        <button type="button" class="plain" onClick={() => closeDetails(state)}>
          {strings.close}
        </button>
      </div>
      <dl>
        {fieldsOf(log, strings).map(({ name, value, note, page }, index) => (
          <div key={name} class="detail">
            <dt id={`detail-${index}`}>{name}</dt>
            <dd>
              <span class="value">{value}</span>
              {note && <span class="note">{note}</span>}
              <button
                type="button"
                class="plain"
                aria-describedby={`detail-${index}`}
                onClick={() => copyText(state, value)}
              >
                {strings.copy}
              </button>
              {page && canOpenExplorer && (
                <button
                  type="button"
                  class="plain"
                  aria-describedby={`detail-${index}`}
                  onClick={() => openInExplorer(state, log.log, page)}
                >
                  {strings.openInExplorer}
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function fieldsOf(log: WireLog, strings: LogsStrings): readonly DetailField[] {
  return [
    { name: strings.block, value: log.block, page: 'block' },
    { name: strings.blockHash, value: log.blockHash },
    { name: strings.transaction, value: log.transaction, page: 'transaction' },
    { name: strings.transactionIndex, value: log.transactionIndex.toString() },
    { name: strings.logIndex, value: log.index.toString() },
    { name: strings.address, value: log.address, page: 'address' },
    ...log.topics.map((topic, index) => ({ name: fill(strings.topic, index), value: topic })),
    { name: strings.data, value: log.data, note: fill(strings.bytes, log.dataBytes) },
  ];
}
