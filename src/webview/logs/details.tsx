import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WireLog } from '../../features/logs/protocol/logsSnapshot.ts';
import type { ExplorerPlace } from '../../features/logs/protocol/protocol.ts';
import type { LogsStrings } from '../../features/logs/protocol/strings.ts';
import { fill } from '../../messaging/fill.ts';
import {
  closeDetails,
  copyLogAs,
  copyText,
  openDeclaration,
  openInExplorer,
  showTransaction,
} from './actions.ts';
import { CopyButton } from './parts/copyButton.tsx';
import { Meaning } from './parts/meaning.tsx';
import type { LogsState } from './state.ts';

interface DetailField {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly page?: ExplorerPlace['page'];
}

/** All of one log, beside the grid or, where there is no room, below it. */
export function Details({ state }: { readonly state: LogsState }) {
  const box = useRef<HTMLElement>(null);
  const details = state.details.value;
  const isShown = details?.log !== undefined;
  useLayoutEffect(() => {
    if (isShown) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  useLayoutEffect(() => {
    if (!box.current || state.wantsFocus.current !== 'details') return;
    state.wantsFocus.current = undefined;
    box.current.focus();
  });
  if (!details?.log) return null;
  const { strings, rawOpen } = state;
  const { log } = details;
  // Where nothing else is told of the log, or the user asks for it everywhere, it is in sight at once.
  const isRawFirst = log.meaning.reason !== undefined || state.arrangement.value.raw === true;
  return (
    <section
      ref={box}
      tabIndex={-1}
      class="details"
      aria-label={fill(strings.details, log.index, log.block)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeDetails(state);
      }}
    >
      <div class="details-bar">
        <h2>{fill(strings.details, log.index, log.block)}</h2>
        <button type="button" class="plain" onClick={() => copyLogAs(state, log.log)}>
          {strings.copyLogAs}
        </button>
        <button type="button" class="plain" onClick={() => closeDetails(state)}>
          {strings.close}
        </button>
      </div>
      <Meaning
        strings={strings}
        meaning={log.meaning}
        onCopy={(text) => copyText(state, text)}
        onOpenDeclaration={() => openDeclaration(state, log.log)}
      />
      <Fields state={state} log={log} fields={placeFields(log, strings)} />
      {isRawFirst ? (
        <Fields state={state} log={log} fields={rawFields(log, strings)} />
      ) : (
        <>
          <button
            type="button"
            class="plain"
            aria-expanded={rawOpen.value}
            aria-controls={rawOpen.value ? 'raw' : undefined}
            onClick={() => {
              rawOpen.value = !rawOpen.value;
            }}
          >
            <span aria-hidden="true">{rawOpen.value ? '▾' : '▸'}</span> {strings.rawParts}
          </button>
          {rawOpen.value && (
            <div id="raw">
              <Fields state={state} log={log} fields={rawFields(log, strings)} />
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface FieldsProps {
  readonly state: LogsState;
  readonly log: WireLog;
  readonly fields: readonly DetailField[];
}

function Fields({ state, log, fields }: FieldsProps) {
  const { strings } = state;
  const { canOpenExplorer } = state.snapshot.value;
  return (
    <dl>
      {fields.map(({ id, name, value, note, page }) => (
        <div key={id} class="detail">
          <dt id={`detail-${id}`}>{name}</dt>
          <dd>
            <span class="value">{value}</span>
            <CopyButton title={strings.copy} name={name} onCopy={() => copyText(state, value)} />
            {note && <span class="note">{note}</span>}
            {page === 'transaction' && (
              <button
                type="button"
                class="plain"
                aria-describedby={`detail-${id}`}
                onClick={() => showTransaction(state, log.log)}
              >
                {strings.showTransaction}
              </button>
            )}
            {page && canOpenExplorer && (
              <button
                type="button"
                class="plain"
                aria-describedby={`detail-${id}`}
                onClick={() => openInExplorer(state, log.log, page)}
              >
                {strings.openInExplorer}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function placeFields(log: WireLog, strings: LogsStrings): readonly DetailField[] {
  return [
    { id: 'block', name: strings.block, value: log.block, page: 'block' },
    ...(log.time ? [{ id: 'time', name: strings.time, value: log.time.iso, note: log.time.note }] : []),
    { id: 'block-hash', name: strings.blockHash, value: log.blockHash },
    { id: 'transaction', name: strings.transaction, value: log.transaction, page: 'transaction' },
    { id: 'transaction-index', name: strings.transactionIndex, value: log.transactionIndex.toString() },
    { id: 'log-index', name: strings.logIndex, value: log.index.toString() },
    { id: 'address', name: strings.address, value: log.address, note: log.name, page: 'address' },
  ];
}

function rawFields(log: WireLog, strings: LogsStrings): readonly DetailField[] {
  return [
    ...log.topics.map((topic, index) => ({
      id: `topic-${index}`,
      name: fill(strings.topic, index),
      value: topic,
    })),
    { id: 'data', name: strings.data, value: log.data, note: fill(strings.bytes, log.dataBytes) },
  ];
}
