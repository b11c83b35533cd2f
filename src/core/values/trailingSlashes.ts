/**
 * A URL or path without the slashes at its end, so that a further segment can follow.
 *
 * @example withoutTrailingSlashes('https://a.example/api/') // 'https://a.example/api'
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
