import { AppError, badInput, isAppError } from '../../base/errors.ts';
import type { FileFacts } from '../facts.ts';
import { labelsOf, parseFoundryToml } from '../layout/foundryToml.ts';
import type { ProjectLayout } from '../layout/projectLayout.ts';
import { readArtifact } from './artifact.ts';
import { readBroadcast } from './broadcast.ts';
import { emptyFacts } from './emptyFacts.ts';
import type { FactsFile } from './factsFile.ts';
import { readIgnitionAddresses, readIgnitionJournal } from './ignition.ts';
import { readJson, readJsonc } from './json.ts';
import { type FactsKind, mayTell } from './mayTell.ts';
import { readModule } from './modules.ts';
import { readTeamLabels } from './teamLabels.ts';

export type { FactsFile } from './factsFile.ts';
export { besideOf, type FactsKind, mayTell } from './mayTell.ts';

/** Characters. Artifacts have up to a few million; what is over is told and not looked at. */
const LONGEST_FACTS_FILE = 32 * 1_024 * 1_024;

const readers: Readonly<Record<FactsKind, (file: FactsFile, layout: ProjectLayout) => FileFacts>> = {
  foundryToml: ({ text }) => ({ ...emptyFacts, labels: labelsOf(parseFoundryToml(text)) }),
  teamLabels: ({ text }) => readTeamLabels(text),
  artifact: readArtifact,
  broadcast: readBroadcast,
  ignitionAddresses: readIgnitionAddresses,
  ignitionJournal: ({ text }) => readIgnitionJournal(text),
  json: readJson,
  jsonc: readJsonc,
  module: readModule,
};

/**
 * What a file of a project tells of contracts, deployments and names. Nothing is executed or resolved outside of it; names
 * are safe to show, addresses lower-case, wrong ones left out.
 *
 * @throws AppError `badInput` for a file that is broken or too large: its message is one line of plain text.
 * @example
 * const { contracts } = readFacts({ path: 'out/Token.sol/Token.json', text }, readLayout({}));
 */
export function readFacts(file: FactsFile, layout: ProjectLayout): FileFacts {
  const kind = mayTell(file.path, layout);
  if (kind === undefined) return emptyFacts;
  if (file.text.length > LONGEST_FACTS_FILE) throw badInput('file', 'It is larger than 32 MiB.');
  const text = file.text.startsWith('\ufeff') ? file.text.slice(1) : file.text;
  try {
    return readers[kind]({ ...file, text }, layout);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('badInput', 'It cannot be read.', { field: 'file', cause: error });
  }
}
