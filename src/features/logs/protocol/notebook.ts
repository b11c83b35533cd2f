import * as z from 'zod/mini';

/** The renderer of the outputs of documents, and what that is handed. */
export const rendererId = 'chainside.answer';
export const answerMime = 'application/vnd.chainside.answer+json';

const id = z.string().check(z.minLength(1), z.maxLength(100));

/** What an output holds: the name of an answer, which the extension has, and words for where it has it no more. */
export const answerOutput = z.object({ answer: id, gone: z.string().check(z.maxLength(2000)) });
export type AnswerOutput = Readonly<z.infer<typeof answerOutput>>;

/** A message between the view of an answer and the extension, as all views share one line. */
export const answerMessage = z.object({ output: id, message: z.unknown() });
export type AnswerMessage = Readonly<z.infer<typeof answerMessage>>;
