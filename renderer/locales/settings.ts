/** The words of the settings, in all languages; a missing one fails the build. */
interface SettingsWords {
  readonly title: string;
  readonly loading: string;
  readonly language: string;
  /** "As the computer (Français)". */
  readonly systemLanguage: string;
  readonly notifications: string;
  readonly notificationsHint: string;
  readonly notificationsNone: string;
  readonly launchAtLogin: string;
  readonly closing: string;
  readonly closingAsk: string;
  readonly closingTray: string;
  readonly closingQuit: string;
  readonly idle: string;
  readonly idleNever: string;
  readonly idleAfter: (time: string) => string;
  readonly idleHint: string;
  readonly updates: string;
  readonly updatesHint: string;
  readonly pause: string;
  readonly pauseHint: string;
  readonly kept: string;
  readonly onlyDesktop: string;
}

export const settingsEn: SettingsWords = {
  title: 'Settings',
  loading: 'Reading the settings…',
  language: 'Language',
  systemLanguage: 'As this computer',
  notifications: 'Notify me',
  notificationsHint: 'Only when something is held, a failure wants you, or a host key changed. Tray and window tell everything either way.',
  notificationsNone: 'Notifications are not available here. Tray and window tell everything.',
  launchAtLogin: 'Start Ebbgate when I log in',
  closing: 'When the window is closed',
  closingAsk: 'Ask the first time',
  closingTray: 'Stay in the tray',
  closingQuit: 'Quit',
  idle: 'End a session by itself',
  idleNever: 'Never',
  idleAfter: (time) => `After ${time} away`,
  idleHint: 'Once nobody used this computer for that long.',
  updates: 'Look for newer versions',
  updatesHint: 'It only tells you; it never installs by itself. Nothing else leaves this computer but SSH.',
  pause: 'Pause Ebbgate',
  pauseHint: 'It then keeps no link, watches nothing and ends nothing by itself. What you start yourself still runs.',
  kept: 'Changes are kept at once.',
  onlyDesktop: 'Notifications, start at login, tray and updates belong to the desktop app and are set there.',
};

export const settingsFr: SettingsWords = {
  title: 'Réglages',
  loading: 'Lecture des réglages…',
  language: 'Langue',
  systemLanguage: 'Comme cet ordinateur',
  notifications: 'Me prévenir',
  notificationsHint:
    'Seulement si quelque chose est en attente, si un échec vous concerne ou si une clé de machine a changé. La zone de notification et la fenêtre disent tout dans tous les cas.',
  notificationsNone: 'Les notifications ne sont pas disponibles ici. La zone de notification et la fenêtre disent tout.',
  launchAtLogin: 'Lancer Ebbgate à l’ouverture de session',
  closing: 'À la fermeture de la fenêtre',
  closingAsk: 'Demander la première fois',
  closingTray: 'Rester dans la zone de notification',
  closingQuit: 'Quitter',
  idle: 'Terminer une session toute seule',
  idleNever: 'Jamais',
  idleAfter: (time) => `Après ${time} d’absence`,
  idleHint: 'Quand personne n’a utilisé cet ordinateur pendant ce temps.',
  updates: 'Chercher de nouvelles versions',
  updatesHint: 'Vous êtes seulement prévenu ; rien ne s’installe tout seul. Hors SSH, rien d’autre ne quitte cet ordinateur.',
  pause: 'Mettre Ebbgate en pause',
  pauseHint:
    'Il ne garde alors aucune connexion, ne surveille rien et ne termine rien tout seul. Ce que vous lancez vous-même fonctionne toujours.',
  kept: 'Les changements sont gardés aussitôt.',
  onlyDesktop:
    'Les notifications, le lancement à l’ouverture de session, la zone de notification et les mises à jour se règlent dans l’application de bureau.',
};

export const settingsPtBr: SettingsWords = {
  title: 'Ajustes',
  loading: 'Lendo os ajustes…',
  language: 'Idioma',
  systemLanguage: 'Como este computador',
  notifications: 'Avisar-me',
  notificationsHint:
    'Só quando algo está retido, uma falha precisa de você ou a chave de uma máquina mudou. A bandeja e a janela contam tudo de qualquer forma.',
  notificationsNone: 'Os avisos não estão disponíveis aqui. A bandeja e a janela contam tudo.',
  launchAtLogin: 'Abrir o Ebbgate ao entrar no sistema',
  closing: 'Ao fechar a janela',
  closingAsk: 'Perguntar na primeira vez',
  closingTray: 'Ficar na bandeja',
  closingQuit: 'Sair',
  idle: 'Encerrar uma sessão sozinho',
  idleNever: 'Nunca',
  idleAfter: (time) => `Após ${time} de ausência`,
  idleHint: 'Quando ninguém usou este computador por esse tempo.',
  updates: 'Procurar versões novas',
  updatesHint: 'Apenas avisa; nunca instala sozinho. Além do SSH, nada mais sai deste computador.',
  pause: 'Pausar o Ebbgate',
  pauseHint: 'Ele então não mantém conexões, não vigia nada e não encerra nada sozinho. O que você mesmo iniciar continua funcionando.',
  kept: 'As mudanças são guardadas na hora.',
  onlyDesktop: 'Avisos, abertura ao entrar, bandeja e atualizações pertencem ao aplicativo e são ajustados nele.',
};

export const settingsZhCn: SettingsWords = {
  title: '设置',
  loading: '正在读取设置…',
  language: '语言',
  systemLanguage: '与本机相同',
  notifications: '通知我',
  notificationsHint: '仅在有内容待定、失败需要您处理或主机密钥更改时通知。无论如何，托盘和窗口都会显示全部内容。',
  notificationsNone: '此处无法使用通知。托盘和窗口会显示全部内容。',
  launchAtLogin: '登录时启动 Ebbgate',
  closing: '关闭窗口时',
  closingAsk: '首次询问',
  closingTray: '留在托盘',
  closingQuit: '退出',
  idle: '自动结束会话',
  idleNever: '从不',
  idleAfter: (time) => `离开 ${time} 后`,
  idleHint: '当本机在这段时间内无人使用时。',
  updates: '检查新版本',
  updatesHint: '只会告知，从不自行安装。除 SSH 外，没有其他数据离开本机。',
  pause: '暂停 Ebbgate',
  pauseHint: '暂停后不保持连接、不监视、也不自行结束任何会话。您自己启动的操作照常进行。',
  kept: '更改会立即保存。',
  onlyDesktop: '通知、登录启动、托盘和更新属于桌面应用，请在那里设置。',
};
