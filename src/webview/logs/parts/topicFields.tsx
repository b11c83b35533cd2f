import { isAppError, listTopicTypes, parseTopicText, splitList } from '../../../core/index.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';
import type { Choice, Typed } from '../../kit/choice.ts';
import { Combobox } from '../../kit/combobox.tsx';
import type { FieldProps } from '../../kit/field.tsx';
import { completePart, listOnOneLine } from './listParts.ts';

/** Values of a topic whose words are shown; what is sent has them all. */
const MOST_SHOWN = 4;

interface TopicFieldsProps {
  /** As it is typed: its types tell what a topic may be. */
  readonly event: string;
  readonly strings: LogsStrings;
  readonly field: (name: 'topic1' | 'topic2' | 'topic3', label: string, placeholder: string) => FieldProps;
  readonly suggest: (typed: Typed, options: { readonly signal: AbortSignal }) => Promise<readonly Choice[]>;
  readonly version: number;
}

/** A field for each topic behind the event's own. */
export function TopicFields({ event, strings, field, suggest, version }: TopicFieldsProps) {
  return (
    <div class="fields topics" id="topics">
      {([1, 2, 3] as const).map((position) => {
        const name = `topic${position}` as const;
        const props = field(name, strings[name], strings.topicHint);
        return (
          <Combobox
            key={name}
            {...props}
            hint={props.hint ?? topicHint(props.value, event, position)}
            suggest={suggest}
            complete={completePart}
            oneLine={listOnOneLine}
            listStrings={strings}
            version={version}
          />
        );
      })}
    </div>
  );
}

/** What values become that are not written as topics, and as what they were read. */
function topicHint(text: string, event: string, position: 1 | 2 | 3): string | undefined {
  const types = listTopicTypes(event, position);
  try {
    const read = splitList(text).map((value) => parseTopicText(value, types, 'topic'));
    const shown = read.flatMap(({ topic, type }) => (type ? [`${type.text} ${topic}`] : []));
    if (shown.length === 0) return undefined;
    return shown.slice(0, MOST_SHOWN).join(', ') + (shown.length > MOST_SHOWN ? ', …' : '');
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
