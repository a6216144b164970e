import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseExcludedNames, readParity } from '../../../electron/hermes/parity';
import { createRules, excludedNames } from '../../../shared/rules';
import { makeTempFolder, removeTempFolder, writeTree } from '../../support/tree';

const literal = (names: readonly string[]) => `EXCLUDED_SKILL_DIRS = frozenset((\n${names.map((name) => `    "${name}",\n`).join('')}))\n`;

describe('parseExcludedNames', () => {
  it.each<readonly [string, string, readonly string[] | null]>([
    ['a frozenset of a tuple', `import os\nX = 1\n${literal(['.git', 'venv'])}\nY = 2\n`, ['.git', 'venv']],
    ['a set with a type and comments', "EXCLUDED_SKILL_DIRS: set[str] = {\n  '.git',  # ours, \"really\"\n  'venv'\n}\n", ['.git', 'venv']],
    ['a union over several lines', 'EXCLUDED_SKILL_DIRS = frozenset({".git"}) | \\\n  {"venv"}\n', ['.git', 'venv']],
    ['a list at the end of the file', 'EXCLUDED_SKILL_DIRS = ["a"]', ['a']],
    ['the first of two lines that look alike', 'NO_EXCLUDED_SKILL_DIRS = {"x"}\nEXCLUDED_SKILL_DIRS = {"a"}\n', ['a']],
    ['nothing of that name', 'x = 1\n', null],
    ['a comparison', 'EXCLUDED_SKILL_DIRS == {"a"}\n', null],
    ['another name in it', 'EXCLUDED_SKILL_DIRS = frozenset((".git", EXTRA))\n', null],
    ['a call', 'EXCLUDED_SKILL_DIRS = frozenset(load("x"))\n', null],
    ['a comprehension', 'EXCLUDED_SKILL_DIRS = {x for x in ("a",)}\n', null],
    ['strings side by side, which Python joins', 'EXCLUDED_SKILL_DIRS = {"a" "b"}\n', null],
    ['an escape', 'EXCLUDED_SKILL_DIRS = {"a\\x00"}\n', null],
    ['a prefixed string', 'EXCLUDED_SKILL_DIRS = {f"a"}\n', null],
    ['a bracket that does not match', 'EXCLUDED_SKILL_DIRS = ("a"}\n', null],
    ['a cut file', 'EXCLUDED_SKILL_DIRS = frozenset((\n  "a",\n', null],
    ['more after the literal', 'EXCLUDED_SKILL_DIRS = {"a"} - {"b"}\n', null],
    ['a bare string', 'EXCLUDED_SKILL_DIRS = "a"\n', null],
  ])('reads %s', (_title, source, names) => {
    expect(parseExcludedNames(source)).toEqual(names);
  });
});

describe('readParity', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeTempFolder('parity');
  });
  afterEach(() => removeTempFolder(folder));
  const parity = (path = '') => readParity({ home: join(folder, '.hermes'), path });
  const installed = '.hermes/hermes-agent/agent/skill_utils.py';

  it('says that there is no Hermes here', async () => {
    expect(await parity()).toEqual({ state: 'not-found', file: null, added: [], absent: [], unusable: [] });
  });

  it('says in step, in whatever order', async () => {
    await writeTree(folder, { [installed]: literal(excludedNames.toReversed()) });
    expect(await parity()).toEqual({ state: 'in-step', file: join(folder, installed), added: [], absent: [], unusable: [] });
  });

  it('lists new names and those that are gone there, and uses none that could be no rule', async () => {
    await writeTree(folder, {
      [installed]: literal([...excludedNames.filter((name) => name !== '.locks'), '.restore-backups', 'a b', '-x', '..', 'x/y']),
    });
    expect(await parity()).toMatchObject({
      ...{ state: 'differs', added: ['.restore-backups'], absent: ['.locks'], unusable: ['a b', '-x', '..', 'x/y'] },
    });
  });

  it('finds the module through a hermes on the path, in its virtualenv', async () => {
    const module = 'opt/venv/lib/python3.12/site-packages/agent/skill_utils.py';
    await writeTree(folder, { [module]: literal(excludedNames), 'opt/venv/bin/hermes': '#!/bin/sh\n' });
    await mkdir(join(folder, 'bin'));
    await symlink(join(folder, 'opt/venv/bin/hermes'), join(folder, 'bin/hermes'));
    expect(await parity(`/nowhere:${join(folder, 'bin')}`)).toMatchObject({ state: 'in-step', file: join(folder, module) });
  });

  it('is a difference that cannot be read, not one of names, when the constant is no plain literal', async () => {
    await writeTree(folder, { [installed]: 'EXCLUDED_SKILL_DIRS = load()\n' });
    expect(await parity()).toMatchObject({ state: 'unreadable', added: [], absent: [] });
  });
});

describe('a name that Hermes added', () => {
  const options = { platform: 'posix', folds: { case: false, unicode: false } } as const;

  it('is a rule of Hermes on both sides, and none changes nothing', () => {
    const rules = createRules({ ...options, hermesNames: ['.restore-backups'] });
    expect(rules.judge('skills/a/.restore-backups/x', 'file')).toEqual({
      ...{ kind: 'refused', rule: 'excluded-name', owner: 'hermes', match: '.restore-backups' },
    });
    expect(rules.remoteFilter.names).toEqual([...excludedNames, '.restore-backups']);
    const plain = createRules(options);
    expect(createRules({ ...options, hermesNames: [] }).fingerprint).toBe(plain.fingerprint);
    expect(rules.fingerprint).not.toBe(plain.fingerprint);
  });
});
