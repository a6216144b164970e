/** The words of the inspection of both sides and of the clean-up, in all languages; a missing one fails the build. */
interface InspectionWords {
  readonly open: string;
  readonly title: (name: string) => string;
  readonly looking: string;
  readonly again: string;
  readonly safe: string;
  readonly unreachable: string;
  readonly home: string;
  readonly hermes: string;
  readonly runsHere: string;
  readonly notFound: string;
  readonly cannotRead: string;
  readonly notThere: string;
  readonly trees: string;
  readonly tree: string;
  readonly noTrees: string;
  readonly ledgerBlobs: string;
  readonly profile: (name: string) => string;
  readonly hubLock: string;
  readonly verdicts: Readonly<Record<'same' | 'differs' | 'only-local' | 'only-remote' | 'none' | 'unknown', string>>;
  readonly changed: string;
  readonly differing: string;
  readonly points: string;
  readonly point: string;
  readonly noPoints: string;
  readonly good: string;
  readonly bad: string;
  readonly unchecked: string;
  readonly leftovers: string;
  readonly noLeftovers: string;
  readonly cleanTitle: string;
  readonly cleanHint: string;
  readonly cleanLook: string;
  readonly cleanNone: string;
  readonly cleanChoose: string;
}

export const inspectionEn: InspectionWords = {
  open: 'Inspect both sides',
  title: (name) => `This computer and ${name}`,
  looking: 'Looking at both sides…',
  again: 'Look again',
  safe: 'Inspecting writes nothing anywhere.',
  unreachable: 'Only this computer is shown.',
  home: 'Hermes home',
  hermes: 'Hermes',
  runsHere: 'runs here',
  notFound: 'not found',
  cannotRead: 'cannot be read',
  notThere: 'not there',
  trees: 'Bookkeeping',
  tree: 'Folder',
  noTrees: 'There is no bookkeeping on either side.',
  ledgerBlobs: 'Ledger store',
  profile: (name) => `Profile ${name}`,
  hubLock: 'Hub lock',
  verdicts: {
    same: 'Both sides have the same hub lock. It arrived over the wire.',
    differs: 'The sides have different hub locks. Each keeps its own.',
    'only-local': 'Only this computer has a hub lock. It is yours.',
    'only-remote': 'Only the remote has a hub lock.',
    none: 'Neither side has a hub lock.',
    unknown: 'The hub locks could not be compared.',
  },
  changed: 'Changed',
  differing: 'Skills that differ',
  points: 'Restore points',
  point: 'Restore point',
  noPoints: 'There are no restore points on either side.',
  good: 'can be restored',
  bad: 'cannot be restored',
  unchecked: 'not checked',
  leftovers: 'Left behind',
  noLeftovers: 'Nothing was left behind.',
  cleanTitle: 'Clean up',
  cleanHint:
    'Folders like node_modules that older pushes left on the remote, and what broken sync-backs of Hermes left here. Looking changes nothing; nothing is ticked for you.',
  cleanLook: 'Look what can go',
  cleanNone: 'Nothing can be cleaned up.',
  cleanChoose: 'Tick what should go. It is kept for 14 days and can be put back.',
};

export const inspectionFr: InspectionWords = {
  open: 'Inspecter les deux côtés',
  title: (name) => `Cet ordinateur et ${name}`,
  looking: 'Lecture des deux côtés…',
  again: 'Regarder à nouveau',
  safe: 'Inspecter n’écrit rien nulle part.',
  unreachable: 'Seul cet ordinateur est montré.',
  home: 'Dossier Hermes',
  hermes: 'Hermes',
  runsHere: 'tourne ici',
  notFound: 'introuvable',
  cannotRead: 'illisible',
  notThere: 'absent',
  trees: 'Fichiers de gestion',
  tree: 'Dossier',
  noTrees: 'Aucun fichier de gestion d’aucun côté.',
  ledgerBlobs: 'Contenus du registre',
  profile: (name) => `Profil ${name}`,
  hubLock: 'Verrou du hub',
  verdicts: {
    same: 'Les deux côtés ont le même verrou du hub. Il est arrivé par le réseau.',
    differs: 'Les côtés ont des verrous différents. Chacun garde le sien.',
    'only-local': 'Seul cet ordinateur a un verrou du hub. C’est le vôtre.',
    'only-remote': 'Seule la machine distante a un verrou du hub.',
    none: 'Aucun côté n’a de verrou du hub.',
    unknown: 'Les verrous du hub n’ont pas pu être comparés.',
  },
  changed: 'Modifié',
  differing: 'Compétences différentes',
  points: 'Points de restauration',
  point: 'Point de restauration',
  noPoints: 'Aucun point de restauration d’aucun côté.',
  good: 'restaurable',
  bad: 'non restaurable',
  unchecked: 'non vérifié',
  leftovers: 'Restes',
  noLeftovers: 'Rien n’est resté derrière.',
  cleanTitle: 'Nettoyer',
  cleanHint:
    'Des dossiers comme node_modules laissés sur la machine distante par d’anciens envois, et ce que des retours interrompus d’Hermes ont laissé ici. Regarder ne change rien ; rien n’est coché pour vous.',
  cleanLook: 'Voir ce qui peut partir',
  cleanNone: 'Rien ne peut être nettoyé.',
  cleanChoose: 'Cochez ce qui doit partir. C’est gardé 14 jours et peut être remis.',
};

export const inspectionPtBr: InspectionWords = {
  open: 'Inspecionar os dois lados',
  title: (name) => `Este computador e ${name}`,
  looking: 'Olhando os dois lados…',
  again: 'Olhar de novo',
  safe: 'Inspecionar não grava nada em lugar nenhum.',
  unreachable: 'Só este computador é mostrado.',
  home: 'Pasta do Hermes',
  hermes: 'Hermes',
  runsHere: 'roda aqui',
  notFound: 'não encontrado',
  cannotRead: 'não pode ser lido',
  notThere: 'não existe',
  trees: 'Arquivos de controle',
  tree: 'Pasta',
  noTrees: 'Não há arquivos de controle em nenhum dos lados.',
  ledgerBlobs: 'Conteúdos do registro',
  profile: (name) => `Perfil ${name}`,
  hubLock: 'Trava do hub',
  verdicts: {
    same: 'Os dois lados têm a mesma trava do hub. Ela chegou pela rede.',
    differs: 'Os lados têm travas diferentes. Cada um mantém a sua.',
    'only-local': 'Só este computador tem uma trava do hub. É a sua.',
    'only-remote': 'Só a máquina remota tem uma trava do hub.',
    none: 'Nenhum lado tem trava do hub.',
    unknown: 'As travas do hub não puderam ser comparadas.',
  },
  changed: 'Alterada',
  differing: 'Habilidades que diferem',
  points: 'Pontos de restauração',
  point: 'Ponto de restauração',
  noPoints: 'Não há pontos de restauração em nenhum dos lados.',
  good: 'pode ser restaurado',
  bad: 'não pode ser restaurado',
  unchecked: 'não verificado',
  leftovers: 'Sobras',
  noLeftovers: 'Nada ficou para trás.',
  cleanTitle: 'Limpar',
  cleanHint:
    'Pastas como node_modules que envios antigos deixaram na máquina remota, e o que retornos interrompidos do Hermes deixaram aqui. Olhar não muda nada; nada vem marcado.',
  cleanLook: 'Ver o que pode sair',
  cleanNone: 'Nada pode ser limpo.',
  cleanChoose: 'Marque o que deve sair. Fica guardado por 14 dias e pode voltar.',
};

export const inspectionZhCn: InspectionWords = {
  open: '检查两边',
  title: (name) => `本机与 ${name}`,
  looking: '正在查看两边…',
  again: '重新查看',
  safe: '检查不会在任何地方写入。',
  unreachable: '仅显示本机。',
  home: 'Hermes 目录',
  hermes: 'Hermes',
  runsHere: '在此运行',
  notFound: '未找到',
  cannotRead: '无法读取',
  notThere: '不存在',
  trees: '管理文件',
  tree: '文件夹',
  noTrees: '两边都没有管理文件。',
  ledgerBlobs: '账本内容',
  profile: (name) => `配置档 ${name}`,
  hubLock: 'Hub 锁文件',
  verdicts: {
    same: '两边的 Hub 锁文件相同，是经网络传来的。',
    differs: '两边的 Hub 锁文件不同，各自保留。',
    'only-local': '只有本机有 Hub 锁文件，是您的。',
    'only-remote': '只有远程端有 Hub 锁文件。',
    none: '两边都没有 Hub 锁文件。',
    unknown: '无法比较 Hub 锁文件。',
  },
  changed: '更改于',
  differing: '不同的技能',
  points: '还原点',
  point: '还原点',
  noPoints: '两边都没有还原点。',
  good: '可还原',
  bad: '无法还原',
  unchecked: '未检查',
  leftovers: '遗留内容',
  noLeftovers: '没有遗留内容。',
  cleanTitle: '清理',
  cleanHint: '以往推送遗留在远程端的 node_modules 等文件夹，以及 Hermes 中断的回传遗留在本机的内容。查看不会更改任何内容，也不会替您勾选。',
  cleanLook: '查看可以移除的内容',
  cleanNone: '没有可清理的内容。',
  cleanChoose: '勾选要移除的内容。它们会保留 14 天，可以放回。',
};
