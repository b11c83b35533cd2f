import { declaredEvent, eventArguments, splitArgument } from '../logs/query/eventArguments.ts';
import { textOf } from '../logs/query/formFields.ts';
import { splitTexts } from '../logs/query/listTexts.ts';
import type { QueryForm } from '../logs/query/queryForm.ts';
import { parseAddress } from '../values/address.ts';
import { toChecksumAddress } from '../values/checksum.ts';
import type { Question } from './question.ts';
import { type QuestionKnowledge, resolveQuestion } from './resolveQuestion.ts';

/** What a form does not say of the question that it stands for. */
interface Asked {
  readonly title?: string | undefined;
  readonly chainId: number;
}

/**
 * The question that a form stands for, as people read it: names where they are clear, the event as it is declared, its
 * arguments by name, the range as it was typed. {@link resolveQuestion} with the same knowledge reads the same filter.
 *
 * @example questionToJson(questionOf(form, { chainId: 1 }, knowledge)).address; // 'Vault'
 */
export function questionOf(form: QueryForm, asked: Asked, knowledge: QuestionKnowledge): Question {
  const named = written(form, asked, (text) => nameFor(text, knowledge));
  // A name that is read otherwise where it stands, as by a topic that may be a text, gives way to the address.
  return resolveQuestion(named, knowledge).problems ? written(form, asked, (text) => text) : named;
}

function written(form: QueryForm, { title, chainId }: Asked, nameIn: (text: string) => string): Question {
  const event = form.event.trim();
  const declared = declaredEvent(event);
  const args = (declared ? eventArguments(declared) : []).flatMap(({ key, parameter }) => {
    const values = splitArgument(parameter.type, textOf(form, `args.${key}`));
    return [[key, parameter.type.kind === 'address' ? values.map(nameIn) : values] as const];
  });
  const topics = [form.topic1, form.topic2, form.topic3].map((text) => splitTexts(text));
  return {
    title,
    chainId,
    query: {
      addresses: splitTexts(form.address).map(nameIn),
      event: event || undefined,
      args: Object.fromEntries(args.filter(([, values]) => values.length > 0)),
      topics: [null, ...topics.map((texts) => (texts.length > 0 ? texts : null))],
      fromBlock: form.fromBlock.trim() || undefined,
      toBlock: form.toBlock.trim() || undefined,
      // The newest first is how each place reads by itself.
      order: form.order === 'oldestFirst' ? form.order : undefined,
    },
  };
}

function nameFor(text: string, { nameOf }: QuestionKnowledge): string {
  const address = parseAddress(text);
  return address ? (nameOf?.(address) ?? toChecksumAddress(address)) : text;
}
