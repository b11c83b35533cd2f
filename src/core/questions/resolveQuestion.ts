import type { AbiEvent } from '../abi/abiItem.ts';
import { abiItemText } from '../abi/read/abiItemText.ts';
import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { declaredEvent, requireArguments } from '../logs/query/eventArguments.ts';
import { withText } from '../logs/query/formFields.ts';
import { splitTexts } from '../logs/query/listTexts.ts';
import type { LogFilter } from '../logs/query/logFilter.ts';
import { type AddressesNamed, type UnclearName, withAddresses } from '../logs/query/namedAddresses.ts';
import { type QueryForm, queryFormOf, readQueryForm } from '../logs/query/queryForm.ts';
import { type Address, parseAddress } from '../values/address.ts';
import { plainText } from '../values/plainText.ts';
import { type DeployedAt, firstBlock } from './firstBlock.ts';
import type { Question } from './question.ts';

/** What is known of the chain that a question is about. */
export interface QuestionKnowledge {
  readonly addressesNamed: AddressesNamed;
  /** A name that stands for this address and no other. */
  readonly nameOf?: ((address: Address) => string | undefined) | undefined;
  readonly deployedAt?: DeployedAt | undefined;
  /** Events of this name that the contracts at these addresses have, or, without addresses, any that are known. */
  readonly eventsNamed?: ((name: string, addresses: readonly Address[]) => readonly AbiEvent[]) | undefined;
}

/** What a question asks for, or what is wrong with each of its fields. */
export type ResolvedQuestion =
  | {
      readonly filter: LogFilter;
      /** The form that stands for it, with addresses for names and the event as it is declared. */
      readonly form: QueryForm;
      /** The event, where its declaration is known. */
      readonly event: AbiEvent | undefined;
      readonly problems?: undefined;
    }
  | { readonly filter?: undefined; readonly form?: undefined; readonly problems: readonly AppError[] };

/** Events that a message names. */
const MOST_TOLD = 5;
const NAME = /^[A-Za-z_$][\w$]*$/;

/**
 * Reads a question with all that is known: names become addresses, the bare name of an event its declaration, and an
 * absent first block that of the deployments asked for.
 *
 * @example resolveQuestion(parseQuestion({ address: 'Vault' }), { addressesNamed }).filter?.addresses;
 */
export function resolveQuestion(question: Question, knowledge: QuestionKnowledge): ResolvedQuestion {
  const { addressesNamed } = knowledge;
  const { form: written, problem } = withEvent(queryFormOf(question.query), knowledge);
  // Which arguments are addresses, the event tells.
  const { form, unclear } = withAddresses(written, addressesNamed);
  const problems: AppError[] = unclear.map(unclearName);
  if (problem) problems.push(problem);
  else {
    const wrong = wrongArguments(form, question);
    if (wrong) problems.push(wrong);
  }
  const read = readQueryForm(withFirstBlock(form, knowledge));
  const told = new Set(problems.map(({ details }) => details.field));
  for (const one of read.problems ?? []) if (!told.has(one.details.field)) problems.push(one);
  if (problems.length > 0 || !read.filter) return { problems };
  return { filter: read.filter, form, event: declaredEvent(form.event) };
}

function withEvent(
  form: QueryForm,
  { addressesNamed, eventsNamed }: QuestionKnowledge,
): { readonly form: QueryForm; readonly problem?: AppError } {
  const name = form.event.trim();
  if (!NAME.test(name)) return { form };
  const { address } = withAddresses(form, addressesNamed).form;
  const addresses = splitTexts(address).flatMap((text) => parseAddress(text) ?? []);
  const texts = new Set(eventsNamed?.(name, addresses).map(abiItemText));
  const [only, ...others] = texts;
  if (only !== undefined && others.length === 0)
    return { form: withText(form, 'event', declarationOf(only)) };
  if (only === undefined) {
    const message = `No event ${name} is known. Write it as Solidity declares it: ${name}(address indexed from, uint256 value).`;
    return { form, problem: badInput('event', message, { code: 'unknownEvent', values: [name] }) };
  }
  const some = [only, ...others].slice(0, MOST_TOLD).map(declarationOf).join('; ');
  const message = `Several events are called ${name}: write one of ${some}.`;
  return { form, problem: badInput('event', message, { code: 'severalEvents', values: [name, some] }) };
}

/** Without the word `event`, as a query has it. */
function declarationOf(item: string): string {
  return item.replace(/^event /, '');
}

/** Of all names: the form passes over those of other events. */
function wrongArguments({ event }: QueryForm, { query }: Question): AppError | undefined {
  try {
    requireArguments(event, query.args ?? {});
    return undefined;
  } catch (error) {
    if (isAppError(error, 'badInput')) return error;
    throw error;
  }
}

function withFirstBlock(form: QueryForm, { deployedAt }: QuestionKnowledge): QueryForm {
  const first = deployedAt && firstBlock(form, deployedAt);
  if (!first) return form;
  const later = withText(form, 'fromBlock', first.block.toString());
  // A range that ends before the deployment is asked for as it was written.
  return readQueryForm(later).filter ? later : form;
}

function unclearName({ field, name, count }: UnclearName): AppError {
  const shown = plainText(name, 80);
  if (count === 0) {
    const message = `No address is called ${shown}. Write 0x and 40 hex digits, or a name of the project: of a deployment on this chain, or a label in foundry.toml or .chainside/labels.json.`;
    return badInput(field, message, { code: 'unknownName', values: [shown] });
  }
  const message = `${count} addresses are called ${shown}: write the address of the one that is meant.`;
  return badInput(field, message, { code: 'severalNamed', values: [shown, String(count)] });
}
