/** What the manifest says of a release. */
export interface ReleaseManifest {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  readonly main: string;
  readonly icon: string;
  readonly browser?: string;
  readonly repository: { readonly url: string };
}

/**
 * @throws Error if the manifest's version is none that the Marketplace takes, is not that of `tag`, or has no section
 * with a date in the changelog.
 */
export function checkVersions(
  { version }: ReleaseManifest,
  changelog: string,
  tag: string | undefined,
): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`package.json has the version ${version}. Write MAJOR.MINOR.PATCH.`);
  }
  if (tag !== undefined && tag !== `v${version}`) {
    throw new Error(`The tag is ${tag}, but package.json has the version ${version}. Tag v${version}.`);
  }
  cutNotes(changelog, version);
}

/** The changelog's section of a version, without its heading. @throws Error if it is missing or empty. */
export function cutNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const heading = `## [${version}] - `;
  const section = sections.find((text) => text.startsWith(heading));
  if (section === undefined || !/^\d{4}-\d\d-\d\d\n/.test(section.slice(heading.length))) {
    throw new Error(
      `CHANGELOG.md has no section "${heading}YYYY-MM-DD". Give [Unreleased] the version and date.`,
    );
  }
  const notes = section.slice(section.indexOf('\n')).trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${notes}\n`;
}
