import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../../shared/language';

describe('chooseLanguage', () => {
  it.each([
    [['fr-CA', 'en'], 'fr', 'fr-CA'],
    [['pt-PT'], 'pt-BR', 'pt-BR'],
    [['zh-Hans-SG'], 'zh-CN', 'zh-CN'],
    [['zh'], 'zh-CN', 'zh-CN'],
    [['zh-TW', 'fr'], 'fr', 'fr'],
    [['de-DE', 'en-GB'], 'en', 'en-GB'],
    [['de-DE'], 'en', 'en'],
    [['_broken', 'pt'], 'pt-BR', 'pt-BR'],
    [[], 'en', 'en'],
  ])('speaks to %j in %s', (preferred, language, locale) => {
    expect(chooseLanguage(preferred)).toEqual({ language, locale });
  });

  it.each([
    [['fr-CA', 'en-GB'], 'en', 'en-GB'],
    [['fr-CA'], 'zh-CN', 'zh-CN'],
    [['pt-PT'], 'pt-BR', 'pt-BR'],
    [[], 'fr', 'fr'],
  ] as const)('speaks to %j in %s where that is wanted, with their own region', (preferred, wanted, locale) => {
    expect(chooseLanguage(preferred, wanted)).toEqual({ language: wanted, locale });
  });
});
