export interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** What kind of value it takes, beside the label. */
  readonly type?: string | undefined;
  readonly placeholder: string;
  readonly value: string;
  readonly hint: string | undefined;
  /** What else there is to know of the value: its tooltip. */
  readonly info?: string | undefined;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
  readonly onLeave: () => void;
  readonly onEnter: () => void;
}

/**
 * A labelled text field with its problem or a hint below. Takes several lines, so that a pasted list keeps its
 * line breaks; Enter acts, Shift+Enter begins a line.
 */
export function Field(props: FieldProps) {
  const { id, label, type, value, problem } = props;
  return (
    <div class={`field ${id}`}>
      <label for={id}>{label}</label>
      {type && <span class="type">{type}</span>}
      <textarea
        id={id}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        placeholder={props.placeholder}
        value={value}
        aria-invalid={problem !== undefined}
        title={props.info}
        aria-describedby={findNoteId(props)}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onBlur={({ relatedTarget }) => {
          // A message that appears while a button is being pressed would move it away from under the pointer.
          if (!(relatedTarget instanceof HTMLButtonElement)) props.onLeave();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          props.onEnter();
        }}
      />
      <FieldNote {...props} />
    </div>
  );
}

/** What describes a field: its problem or a hint, which show, and the type that it takes, which stands beside its label. */
export function FieldNote(props: FieldProps) {
  const { id, type, hint, info, problem } = props;
  const words = problem ?? hint;
  if (!findNoteId(props)) return null;
  return (
    <div id={toNoteId(id)} class="note">
      {type && <span class="unseen">{type}</span>}
      {info && <span class="unseen">{info}</span>}
      {words && <div class={problem ? 'problem' : 'hint'}>{words}</div>}
    </div>
  );
}

function toNoteId(id: string): string {
  return `${id}-note`;
}

/** The id of what describes a field, if anything does. */
export function findNoteId({ id, type, hint, info, problem }: FieldProps): string | undefined {
  return problem || hint || info || type ? toNoteId(id) : undefined;
}
