/** The words of how our rules compare with those of the installed Hermes, in all languages; a missing one fails the build. */
interface ParityWords {
  readonly title: string;
  readonly states: Readonly<Record<'in-step' | 'differs' | 'unreadable' | 'not-found', string>>;
  readonly added: string;
  readonly absent: string;
  readonly unusable: string;
  readonly file: string;
}

export const parityEn: ParityWords = {
  title: 'Rules',
  states: {
    'in-step': 'In step with the installed Hermes.',
    differs: 'The installed Hermes leaves out other names than Ebbgate.',
    unreadable: 'The list of the installed Hermes cannot be read; Ebbgate’s own is used.',
    'not-found': 'No Hermes is installed on this computer to compare the rules with.',
  },
  added: 'New there, and used here too',
  absent: 'No longer left out there, still left out here',
  unusable: 'Left out there, but no name that can be a rule here',
  file: 'Read from',
};

export const parityFr: ParityWords = {
  title: 'Règles',
  states: {
    'in-step': 'En accord avec le Hermes installé.',
    differs: 'Le Hermes installé écarte d’autres noms qu’Ebbgate.',
    unreadable: 'La liste du Hermes installé est illisible ; celle d’Ebbgate est utilisée.',
    'not-found': 'Aucun Hermes n’est installé sur cet ordinateur pour comparer les règles.',
  },
  added: 'Nouveaux là-bas, et écartés ici aussi',
  absent: 'Plus écartés là-bas, toujours écartés ici',
  unusable: 'Écartés là-bas, mais leur nom ne peut pas être une règle ici',
  file: 'Lu dans',
};

export const parityPtBr: ParityWords = {
  title: 'Regras',
  states: {
    'in-step': 'Em sintonia com o Hermes instalado.',
    differs: 'O Hermes instalado deixa de fora outros nomes que não os do Ebbgate.',
    unreadable: 'A lista do Hermes instalado não pode ser lida; a do Ebbgate é usada.',
    'not-found': 'Nenhum Hermes está instalado neste computador para comparar as regras.',
  },
  added: 'Novos lá, e usados aqui também',
  absent: 'Não mais deixados de fora lá, ainda deixados de fora aqui',
  unusable: 'Deixados de fora lá, mas com nome que não pode ser regra aqui',
  file: 'Lido de',
};

export const parityZhCn: ParityWords = {
  title: '规则',
  states: {
    'in-step': '与已安装的 Hermes 一致。',
    differs: '已安装的 Hermes 排除的名称与 Ebbgate 不同。',
    unreadable: '无法读取已安装的 Hermes 的列表，改用 Ebbgate 自己的列表。',
    'not-found': '本机没有安装可用来比较规则的 Hermes。',
  },
  added: '那边新增，这里也采用',
  absent: '那边不再排除，这里仍排除',
  unusable: '那边排除，但其名称不能作为这里的规则',
  file: '读取自',
};
