import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd, type TestSshd } from '../support/sshd';
import { type LinkName, openLink } from './link';
import { chosen, readOptions } from './options';
import { type Cell, type Row, writeReport } from './report';
import { type ScenarioName, scenarios } from './scenarios';
import { type Place, productTool, rsyncTool, sftpTool, type Tool, unisonTool, wholeTarTool } from './tools';
import { listFiles, type Size, sizes, writeTree } from './trees';

/** `npm run bench`; `options.ts` has the flags. */
const values = readOptions(process.argv.slice(2));

export type ToolName = 'ebbgate' | 'ebbgate-cold' | 'ebbgate-sftp' | 'rsync' | 'rsync-z' | 'rsync-c' | 'unison' | 'whole-tar' | 'sftp-walk';

const makers: Readonly<Record<ToolName, (place: Place) => Tool | Promise<Tool>>> = {
  ebbgate: (place) => productTool(place, true, values.profile),
  'ebbgate-cold': (place) => productTool(place, false, values.profile),
  'ebbgate-sftp': (place) => productTool(place, true),
  rsync: (place) => rsyncTool(place),
  'rsync-z': (place) => rsyncTool(place, '-z'),
  'rsync-c': (place) => rsyncTool(place, '--checksum'),
  unison: (place) => unisonTool(place),
  'whole-tar': (place) => wholeTarTool(place),
  'sftp-walk': (place) => sftpTool(place),
};

/** Tools that a scenario says nothing about. */
const without: Readonly<Partial<Record<ScenarioName, readonly ToolName[]>>> = {
  'push-nothing': ['whole-tar'],
  'push-changed': ['whole-tar'],
  'first-push': ['ebbgate-cold', 'rsync-c', 'ebbgate-sftp'],
  touched: ['sftp-walk', 'ebbgate-sftp'],
  stale: ['sftp-walk', 'ebbgate-sftp', 'unison', 'rsync-c'],
};

const allTools = Object.keys(makers) as ToolName[];
const allScenarios = Object.keys(scenarios) as ScenarioName[];
const { quick } = values;
const plan = {
  sizes: chosen(values.sizes, Object.keys(sizes) as Size[], quick ? ['S'] : ['S', 'M']),
  links: chosen<LinkName>(values.links, ['loopback', 'slow'], ['loopback', 'slow']),
  scenarios: chosen(values.scenarios, allScenarios, quick ? ['nothing', 'push-nothing', 'changed', 'first-push'] : allScenarios),
  tools: chosen(values.tools, allTools, quick ? ['ebbgate', 'ebbgate-cold', 'rsync', 'rsync-z', 'unison'] : allTools),
  rounds: values.rounds,
  seed: values.seed,
};

/** Peers that are not on this machine. */
const missing = new Set(
  (['rsync', 'unison'] as const).filter(
    (program) => spawnSync(program, [program === 'unison' ? '-version' : '--version']).error !== undefined,
  ),
);
const isMissing = (tool: ToolName) => [...missing].some((program) => tool.startsWith(program));

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

interface Pair {
  readonly name: ToolName;
  readonly tool: Tool;
  readonly local: string;
  readonly remote: string;
}

interface Ground {
  readonly folder: string;
  readonly master: string;
  readonly servers: { readonly shell: TestSshd; readonly sftp: TestSshd };
}

async function makePair(ground: Ground, name: ToolName, linkName: LinkName): Promise<Pair & { end(): Promise<void> }> {
  const home = join(ground.folder, `${name}-${linkName}`);
  const place = { localHome: join(home, 'local'), remoteHome: join(home, 'remote'), stateDir: join(home, 'state') };
  for (const folder of Object.values(place)) mkdirSync(folder, { recursive: true });
  for (const side of [place.localHome, place.remoteHome]) spawnSync('cp', ['-a', ground.master, join(side, 'skills')]);
  const sshd = name === 'ebbgate-sftp' ? ground.servers.sftp : ground.servers.shell;
  const link = await openLink(linkName, sshd);
  const tool = await makers[name]({ ...place, link, sshd });
  await tool.settle();
  const end = async () => {
    await tool.end();
    await link.close();
    rmSync(home, { recursive: true, force: true });
  };
  return { name, tool, local: join(place.localHome, 'skills'), remote: join(place.remoteHome, 'skills'), end };
}

async function measure(pair: Pair, scenario: ScenarioName, round: number): Promise<Cell> {
  try {
    return { ...(await scenarios[scenario].round(pair.tool, pair, round, pair.name !== 'whole-tar')), failed: null };
  } catch (error) {
    return { wallMs: Number.NaN, wire: null, noticed: false, failed: error instanceof Error ? error.message : String(error) };
  }
}

async function runSize(ground: Ground, size: Size, link: LinkName, rows: Row[]): Promise<void> {
  const pairs: (Pair & { end(): Promise<void> })[] = [];
  for (const name of plan.tools.filter((tool) => !isMissing(tool))) pairs.push(await makePair(ground, name, link));
  for (const scenario of plan.scenarios) {
    const taking = pairs.filter(({ name }) => !without[scenario]?.includes(name));
    for (const pair of taking) scenarios[scenario].arrange?.(pair, plan.seed);
    const cells = new Map<ToolName, Cell[]>(taking.map(({ name }) => [name, []]));
    for (let round = 1; round <= plan.rounds; round += 1) {
      for (const pair of taking) {
        if (scenario === 'first-push') rmSync(join(pair.remote, '..'), { recursive: true, force: true });
        cells.get(pair.name)?.push(await measure(pair, scenario, round));
      }
    }
    for (const [tool, measured] of cells) {
      rows.push({ size, link, scenario, tool, cells: measured });
      const { wallMs, wire, failed } = measured.at(-1) ?? { wallMs: 0, wire: 0, failed: null };
      say(`${size} ${link} ${scenario} ${tool}: ${failed ?? `${wallMs.toFixed(0)} ms, ${wire ?? '-'} B`}`);
    }
    write(rows);
  }
  for (const pair of pairs) await pair.end();
}

/** The tree of a size, which is made once. */
function treeOf(size: Size): string {
  const tree = join('out/bench-trees', `${size}-${plan.seed}`);
  if (!existsSync(tree)) {
    rmSync(`${tree}.part`, { recursive: true, force: true });
    writeTree(`${tree}.part`, size, plan.seed);
    renameSync(`${tree}.part`, tree);
  }
  say(`${size}: ${listFiles(tree).length} files`);
  return tree;
}

/** Many sessions in one process: what it holds must not grow with them. */
async function runSessions(ground: Ground, count: number): Promise<void> {
  const pair = await makePair(ground, 'ebbgate', 'loopback');
  for (let session = 1; session <= count; session += 1) {
    await pair.tool.settle();
    const { product } = await pair.tool.pull();
    if (session % 10 === 0) say(`${session} sessions: ${product?.rssMb.toFixed(0)} MB, at most ${product?.peakRssMb.toFixed(0)} MB`);
  }
  await pair.end();
}

const kept = 'out/bench-rows.json';
const earlier = values.add && existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Row[]) : [];
const facts = { rounds: plan.rounds, seed: plan.seed, missing: [...missing] };

/** After each scenario, so that a run that is cut short leaves what it measured. */
function write(rows: readonly Row[]): void {
  const isNew = ({ size, link, scenario }: Row) => rows.some((row) => row.size === size && row.link === link && row.scenario === scenario);
  const all = [...earlier.filter((row) => !isNew(row)), ...rows];
  writeFileSync(kept, JSON.stringify(all));
  const page = existsSync(values.out) ? readFileSync(values.out, 'utf8') : '';
  writeFileSync(values.out, writeReport(page, all, facts));
}

const folder = mkdtempSync(join(tmpdir(), 'ebbgate-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const servers = { shell: await startSshd({ extraConfig: ['MaxSessions 64'] }), sftp: await startSshd({ sftpOnly: true }) };
const rows: Row[] = [];
try {
  if (values.sessions > 0) await runSessions({ folder, master: treeOf('S'), servers }, values.sessions);
  else
    for (const size of plan.sizes)
      for (const link of plan.links) await runSize({ folder, master: treeOf(size), servers }, size, link, rows);
} finally {
  await servers.shell.stop();
  await servers.sftp.stop();
}
if (rows.length > 0) say(`written to ${values.out}`);
process.exit(0);
