interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly hint: string | undefined;
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
  const { id, label, value, hint, problem } = props;
  const noteId = `${id}-note`;
  return (
    <div class={`field ${id}`}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        placeholder={props.placeholder}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem || hint ? noteId : undefined}
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
      {(problem || hint) && (
        <div id={noteId} class={problem ? 'problem' : 'hint'}>
          {problem ?? hint}
        </div>
      )}
    </div>
  );
}
