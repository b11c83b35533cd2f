/**
 * What a person still does for a release, by the page for maintainers: its numbered steps, and its table of what is set
 * up once.
 *
 * @throws Error if the page has no such steps.
 */
export function formatManualSteps(page: string): string {
  const steps = cutSection(page, 'Make a release').match(/^\d+\. .+(?:\n {3}.+)*$/gm) ?? [];
  const rows = cutSection(page, 'Set up once').matchAll(/^\| (?!Where \|)(\S[^|]*?) \| ([^|]+?) \|$/gm);
  const once = [...rows].map(([, where, what]) => `- ${where}: ${what}`);
  if (steps.length === 0 || once.length === 0) throw new Error('docs/releasing.md has no steps.');
  return ['By hand, once:', ...once, 'By hand, for each release:', ...steps].join('\n');
}

function cutSection(page: string, title: string): string {
  return page.split(/^(?=## )/m).find((section) => section.startsWith(`## ${title}\n`)) ?? '';
}
