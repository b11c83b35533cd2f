/** The kind of panel, by which the editor brings it back after a reload; a file of its own, as the start needs it. */
export const panelType = 'chainside.logs';
