/** A counted thing: the number decides the form, and stands in it as it is shown. */
export type PluralWord = (count: number, shown: string) => string;

const rulesFr = new Intl.PluralRules('fr');
const rulesPtBr = new Intl.PluralRules('pt-BR');

export function pluralEn(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

/** French counts 0 and 1 as one, and puts "de" after a round million. */
export function pluralFr(count: number, one: string, other: string): string {
  const rule = rulesFr.select(count);
  if (rule === 'one') return one;
  return rule === 'many' ? `de ${other}` : other;
}

/** Portuguese counts 0 and 1 as one, and puts "de" after a round million. */
export function pluralPtBr(count: number, one: string, other: string): string {
  const rule = rulesPtBr.select(count);
  if (rule === 'one') return one;
  return rule === 'many' ? `de ${other}` : other;
}
