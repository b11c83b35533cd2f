import type { WireMeaning, WireValue } from '../../../features/logs/protocol/logsSnapshot.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import { CopyButton } from './copyButton.tsx';

interface Telling {
  readonly strings: LogsStrings;
  readonly onCopy: (text: string) => void;
}

interface MeaningProps extends Telling {
  readonly meaning: WireMeaning;
  readonly onOpenDeclaration: () => void;
}

/** What a log says: its event, the arguments, and by what that is known. */
export function Meaning({ meaning, onOpenDeclaration, ...telling }: MeaningProps) {
  const { strings } = telling;
  if (meaning.reason !== undefined) {
    return (
      <div class="meaning">
        <p class="note">
          {strings.notDecoded} {meaning.reason}
        </p>
        <Candidates title={strings.mayBe} events={meaning.may} />
      </div>
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
            onClick={onOpenDeclaration}
          >
            {meaning.declaration}
          </button>
        )}
      </p>
      <Values {...telling} values={meaning.values} path="argument" />
      <p class="note">{meaning.knownFrom}</p>
      {meaning.version !== undefined && <p class="note">{meaning.version}</p>}
      <Candidates title={strings.otherCandidates} events={meaning.others} />
    </div>
  );
}

function Candidates({ title, events }: { readonly title: string; readonly events: readonly string[] }) {
  if (events.length === 0) return null;
  return (
    <>
      <p class="note">{title}</p>
      <ul class="others note">
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
      </ul>
    </>
  );
}

interface ValuesProps extends Telling {
  readonly values: readonly WireValue[];
  /** Where they are, for the ids of their names. */
  readonly path: string;
}

function Values({ values, path, ...telling }: ValuesProps) {
  return (
    <ul class="values">
      {values.map((value, index) => (
        <Value key={`${path}-${index}`} {...telling} value={value} path={`${path}-${index}`} />
      ))}
    </ul>
  );
}

/** A value with its name and type; an array or a tuple can be opened. */
function Value({
  value,
  path,
  ...telling
}: Telling & {
  readonly value: WireValue;
  readonly path: string;
}) {
  const { name, type, text, note, parts } = value;
  const { strings, onCopy } = telling;
  const label = (
    <span class="name" id={path} title={`${name} ${type}`}>
      {name || strings.noName} <span class="type">{type}</span>
    </span>
  );
  const what = <span class="value">{text}</span>;
  const rest = (
    <>
      <CopyButton title={strings.copy} name={name || type} onCopy={() => onCopy(value.copy)} />
      {note !== undefined && <span class="note">{note}</span>}
    </>
  );
  if (!parts || parts.length === 0) {
    return (
      <li class="argument">
        {label}{' '}
        <div>
          {what} {rest}
        </div>
      </li>
    );
  }
  return (
    <li class="argument nested">
      <details>
        <summary>
          {label} {what}
        </summary>
        {rest}
        <Values {...telling} values={parts} path={path} />
      </details>
    </li>
  );
}
