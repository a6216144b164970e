/** The words of the undo card, in all languages; a missing one fails the build. */
interface TakeBackWords {
  readonly title: string;
  /** "12 files (3.2 MB) that runs replaced or removed here are kept for 14 days." */
  readonly kept: (files: string, bytes: string) => string;
  /** "Undo: Teardown (5 minutes ago)" */
  readonly undo: (run: string, when: string) => string;
  /** "Take back what was undone (5 minutes ago)" */
  readonly redo: (when: string) => string;
  readonly done: string;
  readonly free: string;
  readonly confirm: string;
}

export const takeBackEn: TakeBackWords = {
  title: 'Undo',
  kept: (files, bytes) => `Kept for 14 days: ${files} (${bytes}) that runs replaced or removed on this computer.`,
  undo: (run, when) => `Undo: ${run} (${when})`,
  redo: (when) => `Take the undo back (${when})`,
  done: 'That run was undone.',
  free: 'Free space',
  confirm: 'Delete what is kept for good? No run so far can be undone then.',
};

export const takeBackFr: TakeBackWords = {
  title: 'Annuler',
  kept: (files, bytes) => `Conservé 14 jours : ${files} (${bytes}) remplacés ou retirés par des opérations sur cet ordinateur.`,
  undo: (run, when) => `Annuler : ${run} (${when})`,
  redo: (when) => `Revenir sur l’annulation (${when})`,
  done: 'Cette opération a été annulée.',
  free: 'Libérer l’espace',
  confirm: 'Supprimer définitivement ce qui est conservé ? Aucune opération passée ne pourra alors être annulée.',
};

export const takeBackPtBr: TakeBackWords = {
  title: 'Desfazer',
  kept: (files, bytes) => `Guardado por 14 dias: ${files} (${bytes}) que execuções substituíram ou removeram neste computador.`,
  undo: (run, when) => `Desfazer: ${run} (${when})`,
  redo: (when) => `Voltar atrás no que foi desfeito (${when})`,
  done: 'Essa execução foi desfeita.',
  free: 'Liberar espaço',
  confirm: 'Apagar de vez o que está guardado? Nenhuma execução até agora poderá ser desfeita.',
};

export const takeBackZhCn: TakeBackWords = {
  title: '撤销',
  kept: (files, bytes) => `保留 14 天：运行在这台电脑上替换或移除的${files}（${bytes}）。`,
  undo: (run, when) => `撤销：${run}（${when}）`,
  redo: (when) => `恢复已撤销的内容（${when}）`,
  done: '该运行已撤销。',
  free: '释放空间',
  confirm: '永久删除保留的内容？之后将无法撤销至今的任何运行。',
};
