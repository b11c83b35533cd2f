import {
  type ChainQueryDefinition,
  checkExpectation,
  type ExpectationResult,
  queryDefinitionToJson,
  type ResultDigest,
} from '../../core/index.ts';

/** The last answers to the questions of files, as long as these ask the same. */
export class QuestionResults {
  readonly #answers = new Map<string, { readonly asked: string; readonly answer: ResultDigest }>();

  /** `file` is a URI. */
  put(file: string, question: ChainQueryDefinition, answer: ResultDigest): void {
    this.#answers.set(file, { asked: askedBy(question), answer });
  }

  of(
    file: string,
    question: ChainQueryDefinition,
  ): { readonly answer: ResultDigest; readonly judgement: ExpectationResult } | undefined {
    const kept = this.#answers.get(file);
    if (kept?.asked !== askedBy(question)) return undefined;
    return { answer: kept.answer, judgement: checkExpectation(kept.answer, question.expect) };
  }
}

/** All but what is expected. */
function askedBy(question: ChainQueryDefinition): string {
  return JSON.stringify(queryDefinitionToJson({ ...question, title: undefined, expect: undefined }));
}
