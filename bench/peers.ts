import type { DialectName } from '../localnet/explorer/dialects.ts';
import { type Client, createClients } from './peers/clients.ts';
import { installPeers } from './peers/install.ts';
import { answerOf, type NodeLog, type Question, questionsOf } from './peers/question.ts';
import { type Score, scoreOf } from './peers/score.ts';
import type { Benchmark, Budget, Row, Section } from './support/benchmark.ts';
import type { Recorded } from './support/countingServer.ts';
import { replay, takeRecorded } from './support/rawRequests.ts';
import { serveDemo } from './support/serverProcess.ts';
import { type Sample, sampleOf, timed } from './support/stats.ts';
import { milliseconds } from './support/timings.ts';

const DIALECTS: readonly DialectName[] = ['v5.1.4', 'v6.3', 'v9.1', 'v11.2', 'v12'];
const ROUNDS = 5;

/** The same questions to Chainside and to other tools, on the demo chain behind explorers of several releases. */
export const peers: Benchmark = {
  name: 'peers',
  isSlow: true,
  async run(resources) {
    const [installed, demo] = await Promise.all([installPeers(), serveDemo(resources, DIALECTS)]);
    const clients = createClients(installed, demo.chain.chainId);
    const sections: Section[] = [];
    for (const question of questionsOf(demo.chain)) {
      const truth = await answerOf(demo.anvilUrl, question);
      const rows: Row[] = [];
      for (const [profile, url] of demo.profiles) {
        for (const client of clients) rows.push(await measure({ client, profile, url, question, truth }));
      }
      sections.push({
        title: `Peers: ${question.what}, ${truth.length} logs`,
        how:
          `The right answer is the node's own. Each client asks in the way its documents show, ${ROUNDS} times anew; its\n` +
          'time is next to fetch + JSON.parse of the requests that it sent, as many at once as it had. The time of cast\n' +
          'holds the start of its process.',
        columns: ['server', 'client', 'recall', 'wrong rows', 'requests', 'p50', 'to raw', 'says'],
        rows,
      });
    }
    return sections;
  },
};

interface Case {
  readonly client: Client;
  readonly profile: string;
  readonly url: string;
  readonly question: Question;
  readonly truth: readonly NodeLog[];
}

async function measure(tested: Case): Promise<Row> {
  const { client, profile, url, question, truth } = tested;
  await takeRecorded(url);
  try {
    const { logs, verdict = 'nothing' } = await client.ask(url, question);
    const recorded = await takeRecorded(url);
    const times = await timeBesideRaw(tested, recorded);
    return answered(tested, scoreOf(logs, truth), recorded.requests, times, verdict);
  } catch (error) {
    const { requests } = await takeRecorded(url);
    return failed(client, profile, requests, error);
  }
}

async function timeBesideRaw({ client, url, question }: Case, { bodies, mostAtOnce }: Recorded) {
  const own: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ownMs = await timed(() => client.ask(url, question));
    const rawMs = await timed(() => replay(url, bodies, mostAtOnce));
    // The first round is a warm-up.
    if (round === 0) continue;
    own.push(ownMs);
    raw.push(rawMs);
  }
  return { own: sampleOf(own), raw: sampleOf(raw) };
}

function answered(
  { client, profile }: Case,
  { recall, wrong, rows }: Score,
  requests: number,
  { own, raw }: { readonly own: Sample; readonly raw: Sample },
  verdict: string,
): Row {
  const ratio = own.p50 / raw.p50;
  return {
    cells: [
      ...[profile, client.name, percent(recall), String(wrong), String(requests)],
      ...[milliseconds(own.p50), `${ratio.toFixed(2)}×`, verdict],
    ],
    figures: {
      ...{ profile, client: client.name, recall, wrong, rows, requests, verdict },
      ...{ p50Ms: own.p50, p95Ms: own.p95, rawP50Ms: raw.p50, ratio },
    },
    ...(client.name === 'Chainside' && { budget: wholeAndRight(recall, wrong) }),
  };
}

function failed({ name }: Client, profile: string, requests: number, error: unknown): Row {
  const lines = String(error instanceof Error ? error.message : error).split('\n');
  // A program that fails is named in a line before its own words.
  const words = lines.find((line) => !line.endsWith(':')) ?? '';
  const says = words.length > 60 ? `${words.slice(0, 59)}…` : words;
  return {
    cells: [profile, name, percent(0), '0', String(requests), '', '', `fails: ${says}`],
    figures: { profile, client: name, recall: 0, wrong: 0, rows: 0, requests, error: words },
    ...(name === 'Chainside' && { budget: wholeAndRight(0, 0) }),
  };
}

function wholeAndRight(recall: number, wrong: number): Budget {
  return { words: '100 %, 0 wrong', held: recall === 1 && wrong === 0, exact: true };
}

function percent(share: number): string {
  const value = share * 100;
  // A missing row must never be rounded away.
  return `${value === 100 ? '100' : (Math.floor(value * 10) / 10).toFixed(1)} %`;
}
