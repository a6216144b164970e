import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderScript, type ScriptMode, type ScriptSettings, wantsPlain } from '../../../electron/endpoints/remote-script';
import { quoteWord } from '../../../shared/quote';
import { createRules, excludedNames } from '../../../shared/rules';

const rules = createRules({ platform: 'posix', folds: { case: false, unicode: false } });
const render = (settings: Partial<ScriptSettings> = {}, isPlain = true) =>
  renderScript(
    {
      ...{
        mode: 'list',
        remoteHome: null,
        profile: null,
        clientId: 'client',
        roots: ['skills'],
        rules,
        digest: null,
        counts: false,
        inlineBytes: 0,
      },
      proposedIdentity: 'me',
      ...settings,
    },
    isPlain,
  );
const modes: readonly ScriptMode[] = ['list', 'hash', 'pack', 'identify', 'probe'];

/** The values that a real shell takes from the head of the script. */
function valuesIn(input: Buffer): Readonly<Record<string, string>> {
  const text = input.toString();
  const head = text.slice(0, text.indexOf('\nprintf \'\\n%s\\n\' "$mark"'));
  const names = ['mark', 'mode', 'want', 'profile', 'roots', 'client', 'names', 'prune', 'filepat', 'digest', 'inline', 'proposed'];
  const print = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
  const values = execFileSync('/bin/sh', ['-c', `${head}\n${print}`], { env: {}, encoding: 'utf8' }).split('\0');
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

describe('the command', () => {
  it.each(modes)('for %s is read alike by every login shell, and takes in exactly the script', (mode) => {
    for (const isPlain of [true, false]) {
      const { command, input } = render({ mode, remoteHome: "/srv/it's ü/.hermes" }, isPlain);
      const [, inner, length] = /^exec \/bin\/sh -c '(eval "\$\(head -c (\d+).*\)")'$/.exec(command) ?? [];
      expect(Number(length)).toBe(input.length);
      expect(inner).not.toMatch(/['\\!]/);
    }
  });

  it('unpacks a compressed script, and says so where there is no gzip', () => {
    const { command, input, mark } = render({ mode: 'probe', remoteHome: '/tmp/not there' }, false);
    const run = (path: string) => execFileSync('/bin/sh', ['-c', command], { input, env: { PATH: path }, encoding: 'utf8' });
    expect(run(process.env.PATH ?? '')).toContain(mark);
    const without = mkdtempSync(join(tmpdir(), 'ebbgate-path-'));
    symlinkSync('/usr/bin/head', join(without, 'head'));
    expect(run(without)).toBe(`${wantsPlain}\n`);
    rmSync(without, { recursive: true });
  });

  it('is short enough for a first packet or two where gzip is', () => {
    expect(render({ counts: true }, false).input.length).toBeLessThan(3800);
    expect(render({}, false).input.length).toBeLessThan(4700);
  });
});

describe('the script', () => {
  it.each(modes)('for %s has no comment lines, and is one that a shell can parse', (mode) => {
    const { input } = render({ mode });
    expect(
      input
        .toString()
        .split('\n')
        .filter((line) => /^\s*#/.test(line)),
    ).toEqual([]);
    expect(() => execFileSync('/bin/sh', ['-n'], { input, stdio: ['pipe', 'ignore', 'pipe'] })).not.toThrow();
  });

  it('is shorter where nothing is listed', () => {
    expect(render({ mode: 'hash' }).input.length).toBeLessThan(render().input.length);
  });

  it('gives every value to the shell as it is, whatever it holds', () => {
    const hostile = `'; touch /x; echo "$(id)" \`id\` \\ $HOME !! \n # ü`;
    const { input, mark } = render({
      remoteHome: hostile,
      profile: hostile,
      clientId: hostile,
      digest: hostile,
      proposedIdentity: hostile,
      roots: ['skills', 'plugins/a'],
      inlineBytes: 42,
    });
    expect(valuesIn(input)).toMatchObject({
      ...{ mark, mode: 'list', want: hostile, profile: hostile, client: hostile, digest: hostile, proposed: hostile },
      ...{ roots: 'skills plugins/a', inline: '42', filepat: rules.remoteFilter.filePattern },
    });
    expect(mark).toMatch(/^ebbgate-[0-9a-f]{24}$/);
  });

  it('says nothing where there is nothing to say, with a mark of its own each time', () => {
    const { input, mark } = render({ mode: 'probe', rules: null, roots: [] });
    expect(valuesIn(input)).toMatchObject({
      want: '',
      profile: '',
      roots: '',
      names: '',
      prune: '',
      filepat: '',
      digest: '-',
      inline: '0',
    });
    expect(render().mark).not.toBe(mark);
  });

  it('names exactly the excluded directories, as an expression and as tests of find', () => {
    const { names, prune } = valuesIn(render().input);
    const expression = new RegExp(`^(${names})$`);
    expect(excludedNames.filter((name) => !expression.test(name))).toEqual([]);
    expect(['xgit', 'xvenv', 'venvx', 'site_packages', '-hub'].filter((name) => expression.test(name))).toEqual([]);
    expect(prune?.split(' -o ')).toEqual(excludedNames.map((name) => `-name ${name}`));
  });
});

describe('quoteWord', () => {
  it('makes one word of anything', () => {
    const words = ['', 'plain', "it's", "'", "''", 'a b', '$(id)', 'new\nline', '\\', '!!', '-n'];
    const out = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${words.map(quoteWord).join(' ')}`], { encoding: 'utf8' });
    expect(out.split('\0').slice(0, -1)).toEqual(words);
  });
});
