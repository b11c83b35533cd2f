/** What is shown in documents that are open as text. */
export { documentLenses } from './documentLenses.ts';
export { registerDocumentProblems } from './documentProblems.ts';
