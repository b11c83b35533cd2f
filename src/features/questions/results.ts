import {
  type AnswerDigest,
  type FiledQuestion,
  type Judgement,
  judgeAnswer,
  questionToJson,
} from '../../core/index.ts';

/** The last answers to the questions of files, as long as these ask the same. */
export class QuestionResults {
  readonly #answers = new Map<string, { readonly asked: string; readonly answer: AnswerDigest }>();

  /** `file` is a URI. */
  put(file: string, question: FiledQuestion, answer: AnswerDigest): void {
    this.#answers.set(file, { asked: askedBy(question), answer });
  }

  of(
    file: string,
    question: FiledQuestion,
  ): { readonly answer: AnswerDigest; readonly judgement: Judgement } | undefined {
    const kept = this.#answers.get(file);
    if (kept?.asked !== askedBy(question)) return undefined;
    return { answer: kept.answer, judgement: judgeAnswer(kept.answer, question.expect) };
  }
}

/** All but what is expected. */
function askedBy(question: FiledQuestion): string {
  return JSON.stringify(questionToJson({ ...question, title: undefined, expect: undefined }));
}
