import { en, type Words } from './locales/en';
import { fr } from './locales/fr';
import { ptBr } from './locales/pt-br';
import { zhCn } from './locales/zh-cn';

/** The words for one tag of the user's list; null when we do not speak it. Traditional Chinese is not simplified Chinese. */
function speak(tag: string): Words | null {
  const { language, script } = new Intl.Locale(tag).maximize();
  if (language === 'en') return en;
  if (language === 'fr') return fr;
  if (language === 'pt') return ptBr;
  return language === 'zh' && script === 'Hans' ? zhCn : null;
}

/**
 * The first language of the user's list that we speak, else English. Numbers and times keep the user's region
 * where it belongs to that language; Portuguese and Chinese are written for one region each.
 */
export function chooseLanguage(preferred: readonly string[]): { readonly words: Words; readonly locale: string } {
  for (const tag of preferred) {
    let words: Words | null;
    try {
      words = speak(tag);
    } catch {
      continue; // not a language tag
    }
    if (words !== null) return { words, locale: words === en || words === fr ? tag : words.locale };
  }
  return { words: en, locale: en.locale };
}
