import { describe, expect, it } from 'vitest';
import { en } from '../../../renderer/locales/en';
import { fr } from '../../../renderer/locales/fr';
import { ptBr } from '../../../renderer/locales/pt-br';
import { zhCn } from '../../../renderer/locales/zh-cn';

describe('the languages', () => {
  it('count as their speakers do', () => {
    const said = [0, 1, 2, 1_000_000].map((count) => [fr, ptBr, zhCn, en].map((words) => words.files(count, String(count))));
    expect(said).toEqual([
      ['0 fichier', '0 arquivo', '0 个文件', '0 files'],
      ['1 fichier', '1 arquivo', '1 个文件', '1 file'],
      ['2 fichiers', '2 arquivos', '2 个文件', '2 files'],
      ['1000000 de fichiers', '1000000 de arquivos', '1000000 个文件', '1000000 files'],
    ]);
  });

  it('leave no word empty', () => {
    const empty = (value: unknown): boolean =>
      value === '' || (typeof value === 'object' && value !== null && Object.values(value).some((part) => empty(part)));
    for (const words of [en, fr, ptBr, zhCn])
      expect({ language: words.locale, empty: empty(words) }).toEqual({ language: words.locale, empty: false });
  });
});
