import type { GuardEvent, ReplacedLock } from '../../shared/guard';

/** The words of the guard mode card, in all languages; a missing one fails the build. */
interface GuardWords {
  /** What happened, by who brought it. */
  readonly sources: Readonly<Record<GuardEvent['source'], string>>;
  /** "24 MB in 4 files appeared here." */
  readonly arrived: (bytes: string, files: string) => string;
  readonly locks: Readonly<Record<ReplacedLock['state'], string>>;
  readonly differing: string;
  /** What stays as it is until the user decides. */
  readonly safe: string;
  readonly putBack: string;
  readonly dismiss: string;
  /** Only a slow rescan finds what appears. */
  readonly rescanOnly: string;
}

export const guardEn: GuardWords = {
  sources: { hermes: 'A sync-back of Hermes brought something here', other: 'Something appeared here without a run' },
  arrived: (bytes, files) => `${bytes} in ${files} appeared on this computer.`,
  locks: {
    replaced: 'The hub’s lock file was replaced. The last good one is kept.',
    removed: 'The hub’s lock file was removed. The last good one is kept.',
    unreadable: 'The hub’s lock file can no longer be read. The last good one is kept.',
  },
  differing: 'Skills whose entries differ',
  safe: 'Nothing was deleted or put back. To dismiss this is to accept what is there now.',
  putBack: 'Put back the lock file',
  dismiss: 'Dismiss',
  rescanOnly: 'This system reports no changes of the skills folder right now. Guard mode only looks every 10 minutes.',
};

export const guardFr: GuardWords = {
  sources: { hermes: 'Un retour d’Hermes a apporté quelque chose ici', other: 'Quelque chose est apparu ici sans opération' },
  arrived: (bytes, files) => `${bytes} dans ${files} sont apparus sur cet ordinateur.`,
  locks: {
    replaced: 'Le fichier de verrouillage du hub a été remplacé. Le dernier bon est conservé.',
    removed: 'Le fichier de verrouillage du hub a été supprimé. Le dernier bon est conservé.',
    unreadable: 'Le fichier de verrouillage du hub ne peut plus être lu. Le dernier bon est conservé.',
  },
  differing: 'Compétences dont l’entrée diffère',
  safe: 'Rien n’a été supprimé ni remis en place. Ignorer, c’est accepter ce qui s’y trouve maintenant.',
  putBack: 'Remettre le fichier de verrouillage',
  dismiss: 'Ignorer',
  rescanOnly:
    'Ce système ne signale pas les changements du dossier des compétences en ce moment. Le mode garde ne regarde que toutes les 10 minutes.',
};

export const guardPtBr: GuardWords = {
  sources: { hermes: 'Um retorno do Hermes trouxe algo para cá', other: 'Algo apareceu aqui sem uma execução' },
  arrived: (bytes, files) => `${bytes} em ${files} apareceram neste computador.`,
  locks: {
    replaced: 'O arquivo de trava do hub foi substituído. O último bom está guardado.',
    removed: 'O arquivo de trava do hub foi removido. O último bom está guardado.',
    unreadable: 'O arquivo de trava do hub não pode mais ser lido. O último bom está guardado.',
  },
  differing: 'Habilidades com registros diferentes',
  safe: 'Nada foi apagado nem devolvido. Dispensar é aceitar o que está aí agora.',
  putBack: 'Devolver o arquivo de trava',
  dismiss: 'Dispensar',
  rescanOnly: 'Este sistema não informa mudanças na pasta de habilidades agora. O modo guarda só olha a cada 10 minutos.',
};

export const guardZhCn: GuardWords = {
  sources: { hermes: 'Hermes 的回传带来了内容', other: '这里出现了并非由运行带来的内容' },
  arrived: (bytes, files) => `这台电脑上出现了${files}，共 ${bytes}。`,
  locks: {
    replaced: 'hub 的锁定文件已被替换。最后一份完好的仍保留着。',
    removed: 'hub 的锁定文件已被移除。最后一份完好的仍保留着。',
    unreadable: 'hub 的锁定文件已无法读取。最后一份完好的仍保留着。',
  },
  differing: '条目不同的技能',
  safe: '没有删除或放回任何内容。忽略即表示接受现状。',
  putBack: '放回锁定文件',
  dismiss: '忽略',
  rescanOnly: '系统目前不报告技能文件夹的变化。守护模式只会每 10 分钟查看一次。',
};
