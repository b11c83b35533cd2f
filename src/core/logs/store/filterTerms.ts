/** A field with what is asked of it, words in quotes, or a word. */
const TERMS = /([A-Za-z_$][\w$]{0,63})(>=|<=|[:<>=])(?:"([^"]*)"|([^\s"]+))|"([^"]*)"|\S+/g;

/** The terms of a filter: each as it stands there, then name, operator and value of a field, or the words in quotes. */
export function filterTerms(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(TERMS)];
}
