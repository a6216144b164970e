/** The words of questions that a connection attempt asks, in all languages; a missing one fails the build. */
interface PromptWords {
  readonly title: (name: string) => string;
  readonly machine: string;
  readonly passphrase: string;
  readonly passphraseFor: (file: string) => string;
  readonly password: string;
  readonly passwordFor: (machine: string) => string;
  readonly agent: string;
  readonly agentHint: string;
  readonly again: string;
  readonly said: (machine: string) => string;
  readonly kept: string;
  readonly remember: string;
  readonly keptEncrypted: string;
  readonly forget: string;
  readonly answer: string;
}

export const promptEn: PromptWords = {
  title: (name) => `${name} asks`,
  machine: 'Machine',
  passphrase: 'Passphrase',
  passphraseFor: (file) => `The key ${file} is protected.`,
  password: 'Password',
  passwordFor: (machine) => `${machine} wants a password.`,
  agent: 'Your SSH agent asks for your consent.',
  agentHint: 'Answer it where the agent asks, for instance by touching your key.',
  again: 'That was not right. Please try again.',
  said: (machine) => `In the words of ${machine}:`,
  kept: 'It is used for this attempt alone, and neither kept nor logged.',
  remember: 'Remember it on this computer',
  keptEncrypted: 'Once it has let you in, it is kept on this computer, encrypted by the operating system. It is never logged.',
  forget: 'Forget remembered secrets',
  answer: 'Answer',
};

export const promptFr: PromptWords = {
  title: (name) => `${name} demande`,
  machine: 'Machine',
  passphrase: 'Phrase secrète',
  passphraseFor: (file) => `La clé ${file} est protégée.`,
  password: 'Mot de passe',
  passwordFor: (machine) => `${machine} veut un mot de passe.`,
  agent: 'Votre agent SSH demande votre accord.',
  agentHint: 'Répondez là où l’agent demande, par exemple en touchant votre clé.',
  again: 'Ce n’était pas cela. Réessayez.',
  said: (machine) => `Dans les mots de ${machine} :`,
  kept: 'Sert à cette tentative seulement ; ni gardé ni consigné.',
  remember: 'Retenir sur cet ordinateur',
  keptEncrypted: 'Une fois accepté, il est gardé sur cet ordinateur, chiffré par le système. Il n’est jamais consigné.',
  forget: 'Oublier les secrets retenus',
  answer: 'Répondre',
};

export const promptPtBr: PromptWords = {
  title: (name) => `${name} pergunta`,
  machine: 'Máquina',
  passphrase: 'Frase secreta',
  passphraseFor: (file) => `A chave ${file} está protegida.`,
  password: 'Senha',
  passwordFor: (machine) => `${machine} quer uma senha.`,
  agent: 'Seu agente SSH pede a sua confirmação.',
  agentHint: 'Responda onde o agente pergunta, por exemplo tocando na chave.',
  again: 'Não era isso. Tente de novo.',
  said: (machine) => `Nas palavras de ${machine}:`,
  kept: 'Serve só para esta tentativa; não é guardado nem registrado.',
  remember: 'Lembrar neste computador',
  keptEncrypted: 'Depois de aceito, fica guardado neste computador, cifrado pelo sistema. Nunca é registrado.',
  forget: 'Esquecer os segredos lembrados',
  answer: 'Responder',
};

export const promptZhCn: PromptWords = {
  title: (name) => `${name} 询问`,
  machine: '机器',
  passphrase: '密码短语',
  passphraseFor: (file) => `密钥 ${file} 受保护。`,
  password: '密码',
  passwordFor: (machine) => `${machine} 需要密码。`,
  agent: 'SSH 代理请求您的同意。',
  agentHint: '请在代理询问的地方回答，例如触摸您的密钥。',
  again: '不正确，请重试。',
  said: (machine) => `${machine} 的原话：`,
  kept: '仅用于这一次尝试，不会保存也不会写入日志。',
  remember: '在此计算机上记住',
  keptEncrypted: '登录成功后由操作系统加密保存在此计算机上，绝不写入日志。',
  forget: '忘记已记住的密码',
  answer: '回答',
};
