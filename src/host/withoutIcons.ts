/** A text for a place where the editor draws `$(name)` as an icon: what looks like one stays text. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
