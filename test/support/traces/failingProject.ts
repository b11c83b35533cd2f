import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { removeFolder } from '../../../scripts/support/script.ts';
import { type Corpus, compileCorpus, writeProject } from './buildCorpus.ts';
import { type SentCorpus, sendFailures } from './sendFailures.ts';

/** A node on which the corpus failed, and a project with its sources and artifacts. */
export interface FailingProject {
  readonly rpcUrl: string;
  readonly folder: string;
  readonly corpus: Corpus;
  readonly sent: SentCorpus;
  /** The hash of a failed transaction. */
  findFailure(label: string): string;
  stop(): Promise<void>;
}

export async function startFailingProject(): Promise<FailingProject> {
  const corpus = await compileCorpus('plain');
  const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const sent = await sendFailures(createNodeRpc(anvil.url), corpus);
  const folder = await mkdtemp(join(tmpdir(), 'chainside-trace-'));
  await writeProject(folder, corpus, 'foundry');
  return {
    ...{ rpcUrl: anvil.url, folder, corpus, sent },
    findFailure(label) {
      const failure = sent.failures.find((candidate) => candidate.label === label);
      if (!failure) throw new Error(`There is no failure “${label}”.`);
      return failure.hash;
    },
    async stop() {
      await anvil.stop();
      await removeFolder(folder);
    },
  };
}
