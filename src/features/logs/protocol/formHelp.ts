import * as z from 'zod/mini';
import type { QueryForm } from '../../../core/index.ts';
import type { FormProblems } from './queryForm.ts';

/** What is offered while a field is typed. */
export interface Suggestion {
  /** What takes the place of what was typed. */
  readonly value: string;
  readonly label: string;
  /** Where it comes from. */
  readonly detail: string;
}

/** As many as a person looks through. */
export const MOST_SUGGESTIONS = 50;

/** What the host knows about what is typed in the form. */
export interface FormFacts {
  /** What an empty first block means; undefined: the first block of the chain. */
  readonly firstBlock: { readonly block: string; readonly why: string } | undefined;
  /** That what is asked for is deployed on other chains, and how to go to one. */
  readonly elsewhere:
    | { readonly words: string; readonly button: string; readonly chainId: number }
    | undefined;
  /** What the addresses of a field are called. */
  readonly names: FormProblems;
  /** The filter as JSON-RPC has it; undefined where the form cannot be used. */
  readonly sent: string | undefined;
}

/** The form with addresses for names, and what is wrong with it. */
export interface SettledForm {
  readonly form: QueryForm;
  readonly problems: FormProblems;
}

/** Characters of an event or a name that are looked at: no name is longer, and of an event its beginning tells enough. */
export const LONGEST_TYPED = 20_000;
export const typedText = z.string().check(z.maxLength(LONGEST_TYPED));
export const eventTyped = z.object({ text: typedText, address: z.string().check(z.maxLength(100_000)) });
export type EventTyped = Readonly<z.infer<typeof eventTyped>>;
