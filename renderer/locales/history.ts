import type { PluralWord } from './plural';
import { pluralEn, pluralFr, pluralPtBr } from './plural';

/** The words of the history, of one run's report and of the chart, in all languages; a missing one fails the build. */
interface HistoryWords {
  readonly title: string;
  /** Of one connection. */
  readonly titleOf: (name: string) => string;
  readonly all: string;
  readonly search: string;
  readonly searchHint: string;
  readonly outcome: string;
  readonly anyOutcome: string;
  readonly runs: PluralWord;
  readonly none: string;
  readonly noneYet: string;
  readonly showAll: string;
  readonly loading: string;
  readonly export: string;
  readonly exporting: string;
  readonly exported: string;
  readonly ended: string;
  readonly took: string;
  readonly files: string;
  readonly noFiles: string;
  readonly chart: PluralWord;
  readonly chartLabel: string;
  readonly chartTable: string;
  readonly written: string;
  readonly refused: string;
  readonly restorePoints: string;
}

export const historyEn: HistoryWords = {
  title: 'History',
  titleOf: (name) => `History of ${name}`,
  all: 'All runs',
  search: 'Search',
  searchHint: 'Connection, file or message',
  outcome: 'Outcome',
  anyOutcome: 'Every outcome',
  runs: (count, shown) => `${shown} ${pluralEn(count, 'run', 'runs')}`,
  none: 'No run is like that.',
  noneYet: 'No run yet. Each start, teardown, undo and clean-up is listed here once it ended.',
  showAll: 'Show all runs',
  loading: 'Reading the history…',
  export: 'Save as',
  exporting: 'Saving…',
  exported: 'Saved among your downloads.',
  ended: 'Ended',
  took: 'Took',
  files: 'Files',
  noFiles: 'No file changed.',
  chart: (count, shown) => `Last ${shown} ${pluralEn(count, 'teardown', 'teardowns')}`,
  chartLabel: 'Bytes written and refused by each teardown, oldest first. The table below has the figures.',
  chartTable: 'Show the figures',
  written: 'Written',
  refused: 'Refused',
  restorePoints: 'of it restore points',
};

export const historyFr: HistoryWords = {
  title: 'Historique',
  titleOf: (name) => `Historique de ${name}`,
  all: 'Toutes les exécutions',
  search: 'Chercher',
  searchHint: 'Connexion, fichier ou message',
  outcome: 'Résultat',
  anyOutcome: 'Tous les résultats',
  runs: (count, shown) => `${shown} ${pluralFr(count, 'exécution', 'exécutions')}`,
  none: 'Aucune exécution ne correspond.',
  noneYet: 'Aucune exécution. Chaque début, retour, annulation et nettoyage apparaît ici une fois terminé.',
  showAll: 'Voir toutes les exécutions',
  loading: 'Lecture de l’historique…',
  export: 'Enregistrer en',
  exporting: 'Enregistrement…',
  exported: 'Enregistré dans vos téléchargements.',
  ended: 'Terminé',
  took: 'Durée',
  files: 'Fichiers',
  noFiles: 'Aucun fichier n’a changé.',
  chart: (count, shown) => (count < 2 ? 'Dernier retour' : `${shown} derniers retours`),
  chartLabel: 'Octets écrits et refusés à chaque retour, du plus ancien au plus récent. Le tableau dessous donne les chiffres.',
  chartTable: 'Voir les chiffres',
  written: 'Écrits',
  refused: 'Refusés',
  restorePoints: 'dont points de restauration',
};

export const historyPtBr: HistoryWords = {
  title: 'Histórico',
  titleOf: (name) => `Histórico de ${name}`,
  all: 'Todas as execuções',
  search: 'Buscar',
  searchHint: 'Conexão, arquivo ou mensagem',
  outcome: 'Resultado',
  anyOutcome: 'Todos os resultados',
  runs: (count, shown) => `${shown} ${pluralPtBr(count, 'execução', 'execuções')}`,
  none: 'Nenhuma execução é assim.',
  noneYet: 'Nenhuma execução ainda. Cada início, retorno, reversão e limpeza aparece aqui ao terminar.',
  showAll: 'Mostrar todas as execuções',
  loading: 'Lendo o histórico…',
  export: 'Salvar como',
  exporting: 'Salvando…',
  exported: 'Salvo nos seus downloads.',
  ended: 'Terminou',
  took: 'Duração',
  files: 'Arquivos',
  noFiles: 'Nenhum arquivo mudou.',
  chart: (count, shown) => (count === 1 ? 'Último retorno' : `Últimos ${shown} retornos`),
  chartLabel: 'Bytes gravados e recusados em cada retorno, do mais antigo ao mais novo. A tabela abaixo traz os números.',
  chartTable: 'Mostrar os números',
  written: 'Gravados',
  refused: 'Recusados',
  restorePoints: 'dos quais pontos de restauração',
};

export const historyZhCn: HistoryWords = {
  title: '历史',
  titleOf: (name) => `${name} 的历史`,
  all: '全部运行',
  search: '搜索',
  searchHint: '连接、文件或消息',
  outcome: '结果',
  anyOutcome: '全部结果',
  runs: (_count, shown) => `${shown} 次运行`,
  none: '没有符合条件的运行。',
  noneYet: '还没有运行。每次开始、回传、撤销和清理结束后都会列在这里。',
  showAll: '显示全部运行',
  loading: '正在读取历史…',
  export: '另存为',
  exporting: '正在保存…',
  exported: '已保存到下载文件夹。',
  ended: '结束于',
  took: '用时',
  files: '文件',
  noFiles: '没有文件变化。',
  chart: (_count, shown) => `最近 ${shown} 次回传`,
  chartLabel: '每次回传写入和拒绝的字节数，从旧到新。下方表格给出具体数字。',
  chartTable: '显示数字',
  written: '已写入',
  refused: '已拒绝',
  restorePoints: '其中还原点',
};
