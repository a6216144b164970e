import type { PlanReason } from '../../shared/plan';

/** The words of the restore points' card, in all languages; a missing one fails the build. */
interface RestoreWords {
  readonly title: string;
  readonly hint: string;
  readonly look: string;
  readonly looking: string;
  /** The remote is away. */
  readonly onlyHere: string;
  readonly here: string;
  /** "hetzner-1: 5 restore points, 412 MB. 4 of them, 331 MB, can go." */
  readonly holds: (where: string, count: number, shown: string, bytes: string) => string;
  readonly canGo: (count: number, shown: string, bytes: string) => string;
  readonly noneCanGo: string;
  readonly keepNewest: string;
  readonly hermesKeeps: string;
  readonly keep: string;
  readonly remove: string;
  readonly plan: string;
  readonly removeButton: (shown: string, bytes: string) => string;
  readonly removing: string;
  readonly stays: string;
  readonly removed: (count: number, shown: string, bytes: string) => string;
  readonly keptUntil: (date: string) => string;
  readonly undo: string;
  readonly undone: string;
  readonly free: string;
  readonly freed: string;
  readonly confirm: (where: string, count: number, shown: string, bytes: string) => string;
  readonly confirmFree: string;
  readonly reasons: Readonly<Record<PlanReason, string>>;
}

export const restoreEn: RestoreWords = {
  title: 'Restore points',
  hint: 'Looking changes nothing. It shows what Hermes keeps on both sides, and what of it can go.',
  look: 'Show restore points',
  looking: 'Looking…',
  onlyHere: 'The remote could not be reached. These are the ones on this computer.',
  here: 'This computer',
  holds: (where, count, shown, bytes) => `${where}: ${shown} restore ${count === 1 ? 'point' : 'points'}, ${bytes}.`,
  canGo: (_count, shown, bytes) => `${shown} of them, ${bytes}, can go.`,
  noneCanGo: 'None can go.',
  keepNewest: 'Keep the newest',
  hermesKeeps: 'Hermes keeps 5',
  keep: 'Keep',
  remove: 'Remove',
  plan: 'What stays and what goes',
  removeButton: (shown, bytes) => `Remove ${shown} (${bytes})`,
  removing: 'Removing…',
  stays: 'Removed ones are kept for 14 days, where they were, and can be put back.',
  removed: (count, shown, bytes) => `${shown} ${count === 1 ? 'item was' : 'items were'} removed, ${bytes}.`,
  keptUntil: (date) => `The space comes free on ${date}.`,
  undo: 'Put back',
  undone: 'Everything is back.',
  free: 'Free space now',
  freed: 'The space is free.',
  confirm: (where, count, shown, bytes) =>
    `Delete ${shown} ${count === 1 ? 'item' : 'items'} (${bytes}) on ${where} for good? This cannot be undone.`,
  confirmFree: 'Delete for good',
  reasons: {
    newest: 'Newest that can be restored, checked to the end',
    newer: 'Newer than the newest that can be restored',
    number: 'One of the newest that you keep',
    recent: 'Younger than 7 days',
    future: 'Dated in the future',
    own: 'Belongs to the remote, which runs Hermes',
    unchecked: 'None here was checked and found restorable',
    foreign: 'Not a restore point of Hermes, never touched',
    link: 'A link, never touched',
    staging: 'Left by a rollback, never touched',
    unreadable: 'Cannot be read, left alone',
    older: 'Older',
    copy: 'A copy of one on this computer',
    broken: 'Older, and cannot be restored',
    'not-chosen': 'Not chosen',
    'not-rebuildable': 'May hold what cannot be made again, never touched',
    chosen: 'Never synced, can be made again',
    'sync-back': 'Left on this computer by a sync-back of Hermes whose process is gone',
  },
};

export const restoreFr: RestoreWords = {
  title: 'Points de restauration',
  hint: 'Regarder ne change rien. On voit ce que Hermes garde des deux côtés et ce qui peut partir.',
  look: 'Voir les points de restauration',
  looking: 'Lecture…',
  onlyHere: 'La machine distante n’a pas pu être jointe. Voici ceux de cet ordinateur.',
  here: 'Cet ordinateur',
  holds: (where, count, shown, bytes) => `${where} : ${shown} ${count < 2 ? 'point' : 'points'} de restauration, ${bytes}.`,
  canGo: (count, shown, bytes) => `${shown} d’entre eux, ${bytes}, ${count < 2 ? 'peut' : 'peuvent'} partir.`,
  noneCanGo: 'Aucun ne peut partir.',
  keepNewest: 'Garder les plus récents',
  hermesKeeps: 'Hermes en garde 5',
  keep: 'Garder',
  remove: 'Retirer',
  plan: 'Ce qui reste et ce qui part',
  removeButton: (shown, bytes) => `Retirer ${shown} (${bytes})`,
  removing: 'Retrait…',
  stays: 'Les points retirés sont gardés 14 jours, là où ils étaient, et peuvent être remis.',
  removed: (count, shown, bytes) => `${shown} ${count < 2 ? 'élément retiré' : 'éléments retirés'}, ${bytes}.`,
  keptUntil: (date) => `L’espace sera libéré le ${date}.`,
  undo: 'Remettre',
  undone: 'Tout est remis en place.',
  free: 'Libérer l’espace maintenant',
  freed: 'L’espace est libéré.',
  confirm: (where, count, shown, bytes) =>
    `Supprimer définitivement ${shown} ${count < 2 ? 'élément' : 'éléments'} (${bytes}) sur ${where} ? C’est irréversible.`,
  confirmFree: 'Supprimer définitivement',
  reasons: {
    newest: 'Le plus récent qui peut être restauré, vérifié jusqu’au bout',
    newer: 'Plus récent que le dernier qui peut être restauré',
    number: 'Parmi les plus récents que vous gardez',
    recent: 'Moins de 7 jours',
    future: 'Daté dans le futur',
    own: 'Appartient à la machine distante, où Hermes tourne',
    unchecked: 'Aucun ici n’a été vérifié comme restaurable',
    foreign: 'Pas un point de restauration de Hermes, jamais touché',
    link: 'Un lien, jamais touché',
    staging: 'Laissé par un retour en arrière, jamais touché',
    unreadable: 'Illisible, laissé en place',
    older: 'Plus ancien',
    copy: 'Copie d’un point de cet ordinateur',
    broken: 'Plus ancien, et ne peut pas être restauré',
    'not-chosen': 'Pas choisi',
    'not-rebuildable': 'Peut contenir ce qui ne peut être refait, jamais touché',
    chosen: 'Jamais synchronisé, peut être refait',
    'sync-back': 'Laissé sur cet ordinateur par un retour d’Hermes dont le processus a disparu',
  },
};

export const restorePtBr: RestoreWords = {
  title: 'Pontos de restauração',
  hint: 'Olhar não muda nada. Mostra o que o Hermes guarda nos dois lados e o que pode sair.',
  look: 'Ver os pontos de restauração',
  looking: 'Lendo…',
  onlyHere: 'A máquina remota não respondeu. Estes são os deste computador.',
  here: 'Este computador',
  holds: (where, count, shown, bytes) => `${where}: ${shown} ${count === 1 ? 'ponto' : 'pontos'} de restauração, ${bytes}.`,
  canGo: (count, shown, bytes) => `${shown} deles, ${bytes}, ${count === 1 ? 'pode' : 'podem'} sair.`,
  noneCanGo: 'Nenhum pode sair.',
  keepNewest: 'Manter os mais novos',
  hermesKeeps: 'O Hermes mantém 5',
  keep: 'Manter',
  remove: 'Remover',
  plan: 'O que fica e o que sai',
  removeButton: (shown, bytes) => `Remover ${shown} (${bytes})`,
  removing: 'Removendo…',
  stays: 'Os removidos são guardados por 14 dias, onde estavam, e podem voltar.',
  removed: (count, shown, bytes) => `${shown} ${count === 1 ? 'item removido' : 'itens removidos'}, ${bytes}.`,
  keptUntil: (date) => `O espaço fica livre em ${date}.`,
  undo: 'Devolver',
  undone: 'Tudo está de volta.',
  free: 'Liberar espaço agora',
  freed: 'O espaço está livre.',
  confirm: (where, count, shown, bytes) =>
    `Apagar de vez ${shown} ${count === 1 ? 'item' : 'itens'} (${bytes}) em ${where}? Isso não pode ser desfeito.`,
  confirmFree: 'Apagar de vez',
  reasons: {
    newest: 'O mais novo que pode ser restaurado, verificado até o fim',
    newer: 'Mais novo que o último que pode ser restaurado',
    number: 'Um dos mais novos que você mantém',
    recent: 'Menos de 7 dias',
    future: 'Com data no futuro',
    own: 'Pertence à máquina remota, que roda o Hermes',
    unchecked: 'Nenhum aqui foi verificado como restaurável',
    foreign: 'Não é um ponto de restauração do Hermes, nunca tocado',
    link: 'Um link, nunca tocado',
    staging: 'Deixado por uma reversão, nunca tocado',
    unreadable: 'Não pode ser lido, deixado como está',
    older: 'Mais antigo',
    copy: 'Cópia de um deste computador',
    broken: 'Mais antigo, e não pode ser restaurado',
    'not-chosen': 'Não escolhido',
    'not-rebuildable': 'Pode conter o que não se refaz, nunca tocado',
    chosen: 'Nunca sincronizado, pode ser refeito',
    'sync-back': 'Deixado neste computador por um retorno do Hermes cujo processo já não existe',
  },
};

export const restoreZhCn: RestoreWords = {
  title: '还原点',
  hint: '查看不会更改任何内容，只显示 Hermes 在两边保留了什么、哪些可以移除。',
  look: '查看还原点',
  looking: '正在查看…',
  onlyHere: '无法连接远程端。这里是本机上的。',
  here: '本机',
  holds: (where, _count, shown, bytes) => `${where}：${shown} 个还原点，${bytes}。`,
  canGo: (_count, shown, bytes) => `其中 ${shown} 个（${bytes}）可以移除。`,
  noneCanGo: '没有可以移除的。',
  keepNewest: '保留最新的',
  hermesKeeps: 'Hermes 保留 5 个',
  keep: '保留',
  remove: '移除',
  plan: '保留与移除',
  removeButton: (shown, bytes) => `移除 ${shown} 个（${bytes}）`,
  removing: '正在移除…',
  stays: '移除的内容会在原机器上保留 14 天，可以放回。',
  removed: (_count, shown, bytes) => `已移除 ${shown} 项，${bytes}。`,
  keptUntil: (date) => `空间将在 ${date} 释放。`,
  undo: '放回',
  undone: '已全部放回。',
  free: '立即释放空间',
  freed: '空间已释放。',
  confirm: (where, _count, shown, bytes) => `要永久删除 ${where} 上的 ${shown} 项（${bytes}）吗？此操作无法撤销。`,
  confirmFree: '永久删除',
  reasons: {
    newest: '可还原的最新一个，已完整检查',
    newer: '比可还原的最新一个还新',
    number: '您要保留的最新几个之一',
    recent: '不满 7 天',
    future: '日期在未来',
    own: '属于运行 Hermes 的远程机器',
    unchecked: '这里没有经过检查且可还原的',
    foreign: '不是 Hermes 的还原点，从不改动',
    link: '链接，从不改动',
    staging: '回滚留下的，从不改动',
    unreadable: '无法读取，保持原样',
    older: '较旧',
    copy: '与本机上的相同',
    broken: '较旧，且无法还原',
    'not-chosen': '未选择',
    'not-rebuildable': '可能含有无法重建的内容，从不改动',
    chosen: '从不同步，可以重建',
    'sync-back': 'Hermes 的回传遗留在本机，其进程已不存在',
  },
};
