import type { DecisionChoice } from '../../shared/decision';

/** What can be done about a waiting item, and which machine that changes, in all languages; a missing word fails the build. */
type Resolve = typeof resolveEn;
type ResolveHints = typeof resolveHintsEn;

export const resolveEn = {
  keepLocal: () => 'Keep mine',
  keepRemote: (name: string) => `Keep the one of ${name}`,
  keepBoth: () => 'Keep both',
  release: () => 'Let it come home',
  leave: () => 'Leave it there',
  expect: () => 'This is expected',
  discard: () => 'Discard',
  exclude: () => 'Always exclude',
  keepAlways: () => 'Always keep mine',
};

export const resolveHintsEn = {
  keepLocal: (name: string) => `Nothing changes on this computer; yours goes to ${name} at the next start.`,
  keepLocalRemoved: (name: string) => `It stays removed on this computer, and is removed on ${name} at the next start.`,
  keepRemote: (name: string) => `Changes this computer: the version of ${name} takes the place of yours, which is kept for undo.`,
  keepRemoteRemoved: (name: string) => `Changes this computer: the file is removed here as on ${name}, and kept for undo.`,
  keepBoth: (name: string) => `Changes this computer: the version of ${name} is put beside yours. The copy is never synced.`,
  release: (name: string) => `Changes this computer: the version of ${name} is put in place. What it replaces is kept for undo.`,
  releaseHeld: (name: string) => `Changes this computer at the next end: it then comes home from ${name}.`,
  leave: (name: string) => `Nothing changes on either machine; asked again only when it grows much on ${name}.`,
  expect: (name: string) => `It comes home at the next end, and as much from ${name} raises no question any more.`,
  discard: (name: string) => `Nothing changes on either machine; not offered again until it changes on ${name}.`,
  exclude: () => 'Nothing changes on either machine; a rule leaves it where it is from now on.',
  keepAlways: (name: string) => `Nothing changes on either machine; you are not asked about this file of ${name} again.`,
};

export const resolveFr: Resolve = {
  keepLocal: () => 'Garder la mienne',
  keepRemote: (name) => `Garder celle de ${name}`,
  keepBoth: () => 'Garder les deux',
  release: () => 'Laisser revenir',
  leave: () => 'Laisser là-bas',
  expect: () => 'C’est attendu',
  discard: () => 'Écarter',
  exclude: () => 'Toujours exclure',
  keepAlways: () => 'Toujours garder la mienne',
};

export const resolveHintsFr: ResolveHints = {
  keepLocal: (name) => `Rien ne change sur cet ordinateur ; la vôtre part vers ${name} au prochain début.`,
  keepLocalRemoved: (name) => `Le fichier reste supprimé sur cet ordinateur et sera supprimé sur ${name} au prochain début.`,
  keepRemote: (name) => `Change cet ordinateur : la version de ${name} remplace la vôtre, qui reste annulable.`,
  keepRemoteRemoved: (name) => `Change cet ordinateur : le fichier est supprimé ici comme sur ${name}, et reste annulable.`,
  keepBoth: (name) => `Change cet ordinateur : la version de ${name} est posée à côté de la vôtre. La copie n’est jamais synchronisée.`,
  release: (name) => `Change cet ordinateur : la version de ${name} est mise en place. Ce qu’elle remplace reste annulable.`,
  releaseHeld: (name) => `Change cet ordinateur à la prochaine fin : cela revient alors de ${name}.`,
  leave: (name) => `Rien ne change d’aucun côté ; redemandé seulement après une forte croissance sur ${name}.`,
  expect: (name) => `Cela revient à la prochaine fin, et autant depuis ${name} ne pose plus de question.`,
  discard: (name) => `Rien ne change d’aucun côté ; plus proposé avant un changement sur ${name}.`,
  exclude: () => 'Rien ne change d’aucun côté ; une règle le laisse désormais où il est.',
  keepAlways: (name) => `Rien ne change d’aucun côté ; ce fichier de ${name} ne sera plus demandé.`,
};

export const resolvePtBr: Resolve = {
  keepLocal: () => 'Manter a minha',
  keepRemote: (name) => `Manter a de ${name}`,
  keepBoth: () => 'Manter as duas',
  release: () => 'Deixar voltar',
  leave: () => 'Deixar lá',
  expect: () => 'Isto é esperado',
  discard: () => 'Descartar',
  exclude: () => 'Sempre excluir',
  keepAlways: () => 'Sempre manter a minha',
};

export const resolveHintsPtBr: ResolveHints = {
  keepLocal: (name) => `Nada muda neste computador; a sua vai para ${name} no próximo início.`,
  keepLocalRemoved: (name) => `Continua removido neste computador e será removido em ${name} no próximo início.`,
  keepRemote: (name) => `Muda este computador: a versão de ${name} toma o lugar da sua, que fica guardada para desfazer.`,
  keepRemoteRemoved: (name) => `Muda este computador: o arquivo é removido aqui como em ${name}, e fica guardado para desfazer.`,
  keepBoth: (name) => `Muda este computador: a versão de ${name} fica ao lado da sua. A cópia nunca é sincronizada.`,
  release: (name) => `Muda este computador: a versão de ${name} é colocada no lugar. O que ela substitui fica guardado para desfazer.`,
  releaseHeld: (name) => `Muda este computador no próximo encerramento: então volta de ${name}.`,
  leave: (name) => `Nada muda em nenhuma das máquinas; só pergunta de novo se crescer muito em ${name}.`,
  expect: (name) => `Volta no próximo encerramento, e essa quantidade de ${name} não gera mais perguntas.`,
  discard: (name) => `Nada muda em nenhuma das máquinas; não será oferecido de novo até mudar em ${name}.`,
  exclude: () => 'Nada muda em nenhuma das máquinas; uma regra o deixa onde está a partir de agora.',
  keepAlways: (name) => `Nada muda em nenhuma das máquinas; este arquivo de ${name} não será mais perguntado.`,
};

export const resolveZhCn: Resolve = {
  keepLocal: () => '保留我的',
  keepRemote: (name) => `保留 ${name} 的`,
  keepBoth: () => '两个都保留',
  release: () => '允许带回',
  leave: () => '留在那边',
  expect: () => '这属于正常',
  discard: () => '放弃',
  exclude: () => '始终排除',
  keepAlways: () => '始终保留我的',
};

export const resolveHintsZhCn: ResolveHints = {
  keepLocal: (name) => `本机不变；下次开始时，您的版本会送到 ${name}。`,
  keepLocalRemoved: (name) => `本机保持删除；下次开始时也会从 ${name} 删除。`,
  keepRemote: (name) => `更改本机：${name} 的版本取代您的版本，后者可撤销恢复。`,
  keepRemoteRemoved: (name) => `更改本机：与 ${name} 一样删除此文件，可撤销恢复。`,
  keepBoth: (name) => `更改本机：${name} 的版本放在您的版本旁边。此副本永不同步。`,
  release: (name) => `更改本机：放入 ${name} 的版本。被取代的内容可撤销恢复。`,
  releaseHeld: (name) => `下次结束时更改本机：从 ${name} 带回。`,
  leave: (name) => `两台机器都不变；在 ${name} 上大幅增长后才再询问。`,
  expect: (name) => `下次结束时带回；今后来自 ${name} 的这样的量不再询问。`,
  discard: (name) => `两台机器都不变；在 ${name} 上再次改动之前不再提示。`,
  exclude: () => '两台机器都不变；从现在起由一条规则让它留在原处。',
  keepAlways: (name) => `两台机器都不变；不再询问 ${name} 的这个文件。`,
};

/** What was decided for good. */
export const decisionKindsEn: Readonly<Record<DecisionChoice, string>> = {
  undone: 'Taken back here; waits until it changes there',
  declined: 'Declined until it changes there',
  'keep-local': 'Always keep mine',
  exclude: 'Excluded',
  'growth-release': 'Comes home next time',
  'growth-declined': 'Stays there until it grows much',
  'growth-expected': 'So much is expected',
};
