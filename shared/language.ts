import type { Language } from './settings';

export interface ChosenLanguage {
  readonly language: Language;
  /** The tag for numbers and times: the user's own region where it belongs to the language. */
  readonly locale: string;
}

/** The language for one tag of a user's list; null when we do not speak it. Traditional Chinese is not simplified Chinese. */
function languageOf(tag: string): Language | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'en' || language === 'fr') return language;
    if (language === 'pt') return 'pt-BR';
    return language === 'zh' && script === 'Hans' ? 'zh-CN' : null;
  } catch {
    return null; // not a language tag
  }
}

/**
 * The wanted language; without one the first of the user's list that we speak, else English. Numbers and times keep the user's
 * region where it belongs to that language; Portuguese and Chinese are written for one region each.
 */
export function chooseLanguage(preferred: readonly string[], wanted: Language | null = null): ChosenLanguage {
  for (const tag of preferred) {
    const language = languageOf(tag);
    if (language === null || (wanted !== null && language !== wanted)) continue;
    return { language, locale: language === 'en' || language === 'fr' ? tag : language };
  }
  return { language: wanted ?? 'en', locale: wanted ?? 'en' };
}
