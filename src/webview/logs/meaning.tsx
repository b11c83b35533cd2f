import type { WireLog, WireValue } from '../../features/logs/protocol/logsSnapshot.ts';
import { copyText, openDeclaration } from './actions.ts';
import type { LogsState } from './state.ts';

interface MeaningProps {
  readonly state: LogsState;
  readonly log: WireLog;
}

/** What a log says: its event, the arguments, and by what that is known. */
export function Meaning({ state, log }: MeaningProps) {
  const { strings } = state;
  const { meaning } = log;
  if (meaning.reason !== undefined) {
    return (
      <p class="meaning note">
        {strings.notDecoded} {meaning.reason}
      </p>
    );
  }
  return (
    <div class="meaning">
      <p>
        <strong>{meaning.event}</strong>
        <span class="signature note">{meaning.signature.slice(meaning.event.length)}</span>
        {meaning.declaration && (
          <button
            type="button"
            class="plain"
            title={strings.goToEvent}
            aria-label={`${strings.goToEvent} ${meaning.declaration}`}
            onClick={() => openDeclaration(state, log.log)}
          >
            {meaning.declaration}
          </button>
        )}
      </p>
      <Values state={state} values={meaning.values} path="argument" />
      <p class="note">{meaning.knownFrom}</p>
      {meaning.others.length > 0 && (
        <>
          <p class="note">{strings.otherCandidates}</p>
          <ul class="others note">
            {meaning.others.map((other) => (
              <li key={other}>{other}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface ValuesProps {
  readonly state: LogsState;
  readonly values: readonly WireValue[];
  /** Where they are, for the ids of their names. */
  readonly path: string;
}

function Values({ state, values, path }: ValuesProps) {
  return (
    <ul class="values">
      {values.map((value, index) => (
        <Value key={`${path}-${index}`} state={state} value={value} path={`${path}-${index}`} />
      ))}
    </ul>
  );
}

/** A value with its name and type; an array or a tuple can be opened. */
function Value({
  state,
  value,
  path,
}: {
  readonly state: LogsState;
  readonly value: WireValue;
  readonly path: string;
}) {
  const { name, type, text, note, parts } = value;
  const { strings } = state;
  const head = (
    <>
      <span class="name" id={path}>
        {name || strings.noName} <span class="type">{type}</span>
      </span>{' '}
      <span class="value">{text}</span>
      {note !== undefined && <span class="note">{note}</span>}
    </>
  );
  const copy = (
    <button
      type="button"
      class="plain"
      aria-label={`${strings.copy} ${name || type}`}
      onClick={() => copyText(state, value.copy)}
    >
      {strings.copy}
    </button>
  );
  if (!parts || parts.length === 0) {
    return (
      <li class="argument">
        {head} {copy}
      </li>
    );
  }
  return (
    <li class="argument">
      <details>
        <summary>{head}</summary>
        {copy}
        <Values state={state} values={parts} path={path} />
      </details>
    </li>
  );
}
