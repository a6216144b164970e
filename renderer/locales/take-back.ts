/** The words of the undo card, in all languages; a missing one fails the build. */
interface TakeBackWords {
  readonly title: string;
  /** "12 files (3.2 MB) that runs replaced or removed here are kept for 14 days." */
  readonly kept: (files: string, bytes: string) => string;
  readonly undo: string;
  readonly done: string;
  readonly free: string;
  readonly confirm: string;
}

export const takeBackEn: TakeBackWords = {
  title: 'Undo',
  kept: (files, bytes) => `Kept for 14 days: ${files} (${bytes}) that runs replaced or removed on this computer.`,
  undo: 'Undo the last run here',
  done: 'The last run was taken back on this computer. Undo again to take that back.',
  free: 'Free space',
  confirm: 'Delete what is kept for good? No run so far can be undone then.',
};

export const takeBackFr: TakeBackWords = {
  title: 'Annuler',
  kept: (files, bytes) => `Conservé 14 jours : ${files} (${bytes}) remplacés ou retirés par des opérations sur cet ordinateur.`,
  undo: 'Annuler la dernière opération ici',
  done: 'La dernière opération a été annulée sur cet ordinateur. Annulez encore pour revenir en arrière.',
  free: 'Libérer l’espace',
  confirm: 'Supprimer définitivement ce qui est conservé ? Aucune opération passée ne pourra alors être annulée.',
};

export const takeBackPtBr: TakeBackWords = {
  title: 'Desfazer',
  kept: (files, bytes) => `Guardado por 14 dias: ${files} (${bytes}) que execuções substituíram ou removeram neste computador.`,
  undo: 'Desfazer a última execução aqui',
  done: 'A última execução foi desfeita neste computador. Desfaça de novo para voltar atrás.',
  free: 'Liberar espaço',
  confirm: 'Apagar de vez o que está guardado? Nenhuma execução até agora poderá ser desfeita.',
};

export const takeBackZhCn: TakeBackWords = {
  title: '撤销',
  kept: (files, bytes) => `保留 14 天：运行在这台电脑上替换或移除的${files}（${bytes}）。`,
  undo: '撤销这里的上一次运行',
  done: '这台电脑上的上一次运行已撤销。再次撤销即可恢复。',
  free: '释放空间',
  confirm: '永久删除保留的内容？之后将无法撤销至今的任何运行。',
};
