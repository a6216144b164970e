import { type PluralWord, pluralEn, pluralFr, pluralPtBr } from './plural';

/** The words of adding a connection, in all languages; a missing one fails the build. */
interface AddWords {
  readonly title: string;
  readonly intro: string;
  readonly found: string;
  readonly foundIn: (file: string) => string;
  readonly noneFound: string;
  readonly saved: (name: string) => string;
  readonly other: string;
  readonly address: string;
  readonly addressHint: string;
  readonly addressBad: string;
  readonly name: string;
  readonly nameHint: string;
  readonly more: string;
  readonly identity: string;
  readonly identityHint: string;
  readonly remoteHome: string;
  readonly remoteHomeHint: string;
  readonly profile: string;
  readonly profileHint: string;
  readonly newSkills: string;
  readonly bring: string;
  readonly review: string;
  readonly test: string;
  readonly safe: string;
  readonly looking: string;
  readonly goes: string;
  readonly willSend: PluralWord;
  readonly stays: PluralWord;
  readonly nothingStays: string;
  readonly nothingToSend: string;
  readonly ownWay: string;
  readonly nothingMoved: string;
  readonly showList: PluralWord;
  readonly start: string;
  readonly later: string;
  readonly laterHint: string;
  readonly again: string;
  readonly discard: string;
  readonly demo: string;
}

export const addEn: AddWords = {
  title: 'Add connection',
  intro: 'Choose the machine that Hermes works on. It is tested first, and you see what would be sent before anything moves.',
  found: 'Found on this computer',
  foundIn: (file) => `from ${file}`,
  noneFound: 'No machine is named in your SSH or Hermes configuration. Enter its address below.',
  saved: (name) => `already added as ${name}`,
  other: 'Another machine',
  address: 'Address',
  addressHint: 'user@host, user@host:port, or an alias of your SSH configuration',
  addressBad: 'It looks like user@host, user@host:port, or an alias without spaces.',
  name: 'Name',
  nameHint: 'How you call it; the alias or host when left empty',
  more: 'More',
  identity: 'Private key file',
  identityHint: 'The SSH agent and the usual keys when left empty',
  remoteHome: 'Hermes home there',
  remoteHomeHint: '~/.hermes when left empty',
  profile: 'Profile',
  profileHint: 'The default profile when left empty',
  newSkills: 'New skills made there',
  bring: 'Bring home',
  review: 'Review first',
  test: 'Test',
  safe: 'Testing sends no file and changes nothing there.',
  looking: 'Looking what would be sent…',
  goes: 'Goes out',
  willSend: (count, shown) => `${shown} ${pluralEn(count, 'file', 'files')} will be sent`,
  stays: (count, shown) => `${shown} ${pluralEn(count, 'file of bookkeeping stays', 'files of bookkeeping stay')} here`,
  nothingStays: 'There is no bookkeeping here.',
  nothingToSend: 'There is nothing to send yet. The first end brings home what is there.',
  ownWay: 'Already on both sides and different; both stay as they are until you decide.',
  nothingMoved: 'Nothing has been sent so far.',
  showList: (count, shown) => `Show the list (${shown} ${pluralEn(count, 'path', 'paths')})`,
  start: 'Start session',
  later: 'Not now',
  laterHint: 'The connection is kept.',
  again: 'Test again',
  discard: 'Discard',
  demo: 'Or look at it working first, with a made-up machine on this computer:',
};

export const addFr: AddWords = {
  title: 'Ajouter une connexion',
  intro:
    'Choisissez la machine sur laquelle Hermes travaille. Elle est d’abord testée, et vous voyez ce qui partirait avant que rien ne bouge.',
  found: 'Trouvées sur cet ordinateur',
  foundIn: (file) => `dans ${file}`,
  noneFound: 'Aucune machine n’est nommée dans vos configurations SSH ou Hermes. Donnez son adresse ci-dessous.',
  saved: (name) => `déjà ajoutée : ${name}`,
  other: 'Une autre machine',
  address: 'Adresse',
  addressHint: 'utilisateur@hôte, utilisateur@hôte:port, ou un alias de votre configuration SSH',
  addressBad: 'La forme est utilisateur@hôte, utilisateur@hôte:port, ou un alias sans espaces.',
  name: 'Nom',
  nameHint: 'Comme vous l’appelez ; l’alias ou l’hôte si ce champ reste vide',
  more: 'Plus',
  identity: 'Fichier de clé privée',
  identityHint: 'L’agent SSH et les clés habituelles si ce champ reste vide',
  remoteHome: 'Dossier Hermes là-bas',
  remoteHomeHint: '~/.hermes si ce champ reste vide',
  profile: 'Profil',
  profileHint: 'Le profil par défaut si ce champ reste vide',
  newSkills: 'Nouvelles compétences faites là-bas',
  bring: 'Les ramener',
  review: 'Les examiner d’abord',
  test: 'Tester',
  safe: 'Le test n’envoie aucun fichier et ne change rien là-bas.',
  looking: 'Lecture de ce qui partirait…',
  goes: 'Part',
  willSend: (count, shown) => `${shown} ${pluralFr(count, 'fichier partira', 'fichiers partiront')}`,
  stays: (count, shown) => `${shown} ${pluralFr(count, 'fichier de gestion reste', 'fichiers de gestion restent')} ici`,
  nothingStays: 'Il n’y a pas de fichiers de gestion ici.',
  nothingToSend: 'Il n’y a encore rien à envoyer. La première fin ramène ce qui est là-bas.',
  ownWay: 'Déjà des deux côtés et différents ; les deux restent en l’état jusqu’à votre décision.',
  nothingMoved: 'Rien n’a été envoyé jusqu’ici.',
  showList: (count, shown) => `Voir la liste (${shown} ${pluralFr(count, 'chemin', 'chemins')})`,
  start: 'Commencer la session',
  later: 'Pas maintenant',
  laterHint: 'La connexion est gardée.',
  again: 'Tester à nouveau',
  discard: 'Abandonner',
  demo: 'Ou regardez-le d’abord à l’œuvre, avec une machine imaginaire sur cet ordinateur :',
};

export const addPtBr: AddWords = {
  title: 'Adicionar conexão',
  intro: 'Escolha a máquina em que o Hermes trabalha. Ela é testada antes, e você vê o que seria enviado antes de qualquer coisa sair.',
  found: 'Encontradas neste computador',
  foundIn: (file) => `de ${file}`,
  noneFound: 'Nenhuma máquina aparece na sua configuração do SSH ou do Hermes. Digite o endereço abaixo.',
  saved: (name) => `já adicionada como ${name}`,
  other: 'Outra máquina',
  address: 'Endereço',
  addressHint: 'usuário@host, usuário@host:porta, ou um alias da sua configuração do SSH',
  addressBad: 'A forma é usuário@host, usuário@host:porta, ou um alias sem espaços.',
  name: 'Nome',
  nameHint: 'Como você a chama; o alias ou o host se ficar vazio',
  more: 'Mais',
  identity: 'Arquivo de chave privada',
  identityHint: 'O agente SSH e as chaves de costume se ficar vazio',
  remoteHome: 'Pasta do Hermes lá',
  remoteHomeHint: '~/.hermes se ficar vazio',
  profile: 'Perfil',
  profileHint: 'O perfil padrão se ficar vazio',
  newSkills: 'Habilidades novas feitas lá',
  bring: 'Trazer de volta',
  review: 'Revisar antes',
  test: 'Testar',
  safe: 'O teste não envia arquivos e não muda nada lá.',
  looking: 'Vendo o que seria enviado…',
  goes: 'Sai',
  willSend: (count, shown) => `${shown} ${pluralPtBr(count, 'arquivo será enviado', 'arquivos serão enviados')}`,
  stays: (count, shown) => `${shown} ${pluralPtBr(count, 'arquivo de controle fica', 'arquivos de controle ficam')} aqui`,
  nothingStays: 'Não há arquivos de controle aqui.',
  nothingToSend: 'Ainda não há nada a enviar. O primeiro fim traz o que está lá.',
  ownWay: 'Já existem dos dois lados e diferem; ambos ficam como estão até você decidir.',
  nothingMoved: 'Nada foi enviado até agora.',
  showList: (count, shown) => `Mostrar a lista (${shown} ${pluralPtBr(count, 'caminho', 'caminhos')})`,
  start: 'Iniciar sessão',
  later: 'Agora não',
  laterHint: 'A conexão é mantida.',
  again: 'Testar de novo',
  discard: 'Descartar',
  demo: 'Ou veja antes como funciona, com uma máquina fictícia neste computador:',
};

export const addZhCn: AddWords = {
  title: '添加连接',
  intro: '选择 Hermes 工作的机器。先测试，并在任何内容移动之前让您看到将发送什么。',
  found: '在本机上找到',
  foundIn: (file) => `来自 ${file}`,
  noneFound: '您的 SSH 或 Hermes 配置中没有机器。请在下面输入地址。',
  saved: (name) => `已添加为 ${name}`,
  other: '其他机器',
  address: '地址',
  addressHint: '用户@主机、用户@主机:端口，或 SSH 配置中的别名',
  addressBad: '格式为 用户@主机、用户@主机:端口，或不含空格的别名。',
  name: '名称',
  nameHint: '您对它的称呼；留空则用别名或主机名',
  more: '更多',
  identity: '私钥文件',
  identityHint: '留空则使用 SSH 代理和常用密钥',
  remoteHome: '那边的 Hermes 目录',
  remoteHomeHint: '留空则为 ~/.hermes',
  profile: '配置档',
  profileHint: '留空则为默认配置档',
  newSkills: '在那边新建的技能',
  bring: '带回',
  review: '先审阅',
  test: '测试',
  safe: '测试不发送文件，也不更改那边的任何内容。',
  looking: '正在查看将发送什么…',
  goes: '发送',
  willSend: (_count, shown) => `将发送 ${shown} 个文件`,
  stays: (_count, shown) => `${shown} 个管理文件留在本机`,
  nothingStays: '这里没有管理文件。',
  nothingToSend: '还没有可发送的内容。首次结束会带回那边的内容。',
  ownWay: '两边都有且不同；在您决定之前都保持不变。',
  nothingMoved: '到目前为止没有发送任何内容。',
  showList: (_count, shown) => `显示列表（${shown} 个路径）`,
  start: '开始会话',
  later: '以后再说',
  laterHint: '连接会保留。',
  again: '重新测试',
  discard: '放弃',
  demo: '或先看看它如何工作（使用本机上的虚构机器）：',
};
