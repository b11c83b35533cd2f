import type { AppError } from '../../core/index.ts';

/** Whether the JSON schema of questions says the same of the place in question, so that it need not be said twice. */
export function isOfSchema({ details, cause }: AppError): boolean {
  return details.field !== 'topics' || cause !== undefined;
}
