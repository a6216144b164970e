import { afterEach, describe, expect, it } from 'vitest';
import { growthReason } from '../../../electron/engine/growth-words';
import { checkPlan, firstSession, hermesUnfinished, sameFolder } from '../../../electron/engine/guards';
import { phrasesEn } from '../../../renderer/locales/phrases/en';
import { translate } from '../../../renderer/translate';
import { speak } from '../../../renderer/words';
import { fill, phrases } from '../../../shared/phrase';
import { planReasons } from '../../../shared/plan';
import { languages } from '../../../shared/settings';
import { lengthen } from '../../support/pseudo-locale';

/** Something believable for each hole; what must show in every language is the same in all. */
const filled: Readonly<Record<string, string>> = {
  ...{ size: '60 MB', before: '2 kB', part: '55 MB', files: '12 files', parts: '11 files' },
  ...{ amount: '7 files (66 bytes)', refused: '1 file (5 bytes)', bytes: '66', count: '23', total: '45', known: '67', times: '8' },
  ...{ time: '2026-11-30T14:05:00.000Z', day: '2026-12-14', run: 'push', pid: '4711', port: '2222', version: '9' },
};
const exampleOf = (hole: string) => filled[hole] ?? `‹${hole}›`;
const all = Object.entries(phrases).flatMap(([topic, texts]) =>
  Object.entries(texts).map(([name, text]) => ({ topic: topic as keyof typeof phrases, name, text: text as string })),
);
const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, hole = '']) => hole);
const fillAll = (text: string) => fill(text, Object.fromEntries(holesOf(text).map((hole) => [hole, exampleOf(hole)])) as never);

/** Rules whose match says nothing more than their name. */
const withoutMatch: ReadonlySet<string> = new Set(['symbolic-link', 'special-file']);

describe('translate', () => {
  afterEach(() => speak('en'));

  describe.each(languages.filter((language) => language !== 'en'))('in %s', (language) => {
    it.each(all)('says $topic $name with all that is in it', ({ name, text }) => {
      speak(language);
      const english = fillAll(text);
      const said = translate(english);
      expect(said).not.toBe(english);
      expect(said).not.toMatch(/undefined|NaN|\[object|[{}]| {2}|Invalid/);
      const shown = withoutMatch.has(name)
        ? []
        : holesOf(text)
            .map(exampleOf)
            .filter((value) => value.startsWith('‹'));
      expect(shown.filter((value) => !said.includes(value))).toEqual([]);
    });

    it.each(Object.values(planReasons))('says why a line of a plan stays or goes: %s', (reason) => {
      speak(language);
      expect(translate(reason)).not.toBe(reason);
    });
  });

  it('says each sentence of several, and each part of one', () => {
    speak('fr');
    expect(translate('Nothing was removed. Try again when it is over.')).toBe('Rien n’a été retiré. Réessayez quand ce sera fini.');
    expect(translate('it changed here since; left alone')).toBe('il a changé ici depuis\u00a0; laissé tel quel');
    speak('zh-CN');
    expect(translate('Nothing was removed. Try again when it is over.')).toBe('没有移除任何内容。请等它结束后重试。');
  });

  it('says what is inside another phrase, amounts and times as this language has them', () => {
    speak('fr');
    expect(translate('another file of this skill failed: skills/a.md: the disk is full')).toBe(
      'un autre fichier de cette compétence a échoué : skills/a.md : le disque est plein',
    );
    expect(translate('new file of 60 MB at skills/web; a session usually brings 1.2 kB in 1 file; nothing of it was downloaded')).toBe(
      'nouveau fichier de 60\u202fMo : skills/web\u00a0; une session ramène d’habitude 1,2\u202fko dans 1 fichier\u00a0; rien n’en a été téléchargé',
    );
  });

  it('leaves what it does not know as it came, beside what it knows', () => {
    speak('fr');
    expect(translate('Something else. And more; of it')).toBe('Something else. And more; of it');
    expect(translate('EWEIRD; left alone')).toBe('EWEIRD\u00a0; laissé tel quel');
  });

  it('says the English phrases in English as they came', () => {
    for (const { topic, text } of all)
      if (topic !== 'notes' && topic !== 'checks' && !/\{(size|amount|time)\}/.test(text))
        expect(translate(fillAll(text))).toBe(fillAll(text));
  });

  it('knows what the guards and the watch on growth really say', () => {
    speak('zh-CN');
    const refused = { files: 1, bytes: 5 };
    const first = { decisions: [], sender: new Map(), refused, remoteHomeExists: false };
    const agreed = new Map(Array.from({ length: 10 }, (_, index) => [`skills/${index}.md`, { hash: 'a', size: 1, executable: false }]));
    const baseline = { identity: { marker: 'm', hostKey: 'k', home: '/h' }, rules: 'r', entries: agreed, pending: null };
    const removals = [...agreed.keys()].map((path) => ({ kind: 'remove', path, size: 1 }) as const);
    const amount = { files: 3, bytes: 60_000_000 };
    const growth = { path: 'skills/web', amount, actual: amount, usual: null, before: null };
    const texts = [
      ...(['push', 'sync-back'] as const).flatMap((direction) => [
        firstSession({ ...first, direction }).message,
        ...checkPlan(removals, baseline, direction).map(({ message }) => message),
      ]),
      ...[sameFolder('/a', '/b').message, hermesUnfinished('.hermes-sync').message],
      ...(['file', 'folder', 'total', 'undecided'] as const).flatMap((rule) => [
        growthReason({ ...growth, rule }),
        growthReason({ ...growth, rule, before: 1200, usual: { files: 1, bytes: 4_000_000 } }),
      ]),
    ];
    expect(texts).toHaveLength(14);
    expect(texts.filter((text) => /\b(the|of|is|are|was|to|in|would|home)\b/i.test(translate(text)))).toEqual([]);
  });

  it('fills the holes of the longest words that a layout is tried with, too', () => {
    const long = lengthen(phrasesEn);
    expect(long.checks.answers).not.toBe(phrases.checks.answers);
    expect(holesOf(long.checks.answers)).toEqual(holesOf(phrases.checks.answers));
  });
});
