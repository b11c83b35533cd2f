/** The type of a Markdown document as a notebook; a file of its own, as the start needs it. */
export const notebookType = 'chainside.chain';
