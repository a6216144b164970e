import { formatBytes } from '../../../shared/bytes';
import type { ErrorSentences } from '../../../shared/errors';
import { formatNumber } from '../../format';
import { pluralFr } from '../plural';

const bytes = (count: number) => formatBytes(count, 'fr');
const place = (d: { readonly host: string; readonly port: number }) => `${d.host} (port ${d.port})`;

const removals = { prune: 'élagage', clean: 'nettoyage' } as const;

/** What happened, what is safe, what to do next, in French. */
export const errorsFr: ErrorSentences = {
  'usage.invalid': (d) => `La demande n’est pas valable : ${d.what} Rien n’a été fait.`,
  'connection.unknown': (d) => `Il n’y a pas de connexion nommée « ${d.name} ». Rien n’a été fait.`,
  'connection.exists': (d) =>
    `Une connexion nommée « ${d.name} » existe déjà et n’a pas été changée. Choisissez un autre nom, ou supprimez-la d’abord.`,
  'connection.alias-unresolved': (d) =>
    `L’alias SSH « ${d.alias} » n’a pas pu être résolu : ${d.reason}. Rien n’a été envoyé. Vérifiez-le avec « ssh -G ${d.alias} », ou ajoutez la connexion avec son adresse.`,
  'connection.unsupported-option': (d) =>
    `La configuration SSH de ${d.host} utilise ${d.option}, qu’Ebbgate ne peut pas respecter : ${d.reason}. Rien n’a été envoyé. Changez cela dans la configuration, ou ajoutez la connexion en ligne de commande avec --address et --no-ssh-config.`,
  'ssh.refused': (d) =>
    `${d.host} a refusé la connexion sur le port ${d.port}. Rien n’a été changé d’aucun côté. Vérifiez que son serveur SSH tourne et que le port est le bon.`,
  'ssh.timed-out': (d) =>
    `${place(d)} n’a pas répondu en ${d.seconds} s. Aucun fichier de cet ordinateur n’est écrit à moitié. Vérifiez le réseau, puis réessayez.`,
  'ssh.unreachable': (d) => `${place(d)} n’a pas pu être jointe : ${d.reason}. Rien n’a été changé. Vérifiez le nom et le réseau.`,
  'ssh.lost': (d) =>
    `La connexion à ${place(d)} a été perdue : ${d.reason}. Chaque fichier d’ici est l’ancien ou le nouveau, aucun n’est écrit à moitié. Recommencez quand elle sera revenue.`,
  'ssh.protocol': (d) =>
    `${place(d)} ne parle pas SSH comme attendu : ${d.reason}. Rien n’a été changé. Vérifiez que ce port est celui d’un serveur SSH.`,
  'ssh.host-key-unknown': (d) =>
    `${place(d)} montre une clé ${d.keyType} qui n’est pas connue ici : ${d.fingerprint}. ${d.authority === null ? '' : `Une autorité de certification est reconnue pour elle (${d.authority}), mais Ebbgate ne peut pas demander de certificat et a besoin de la clé elle-même. `}Rien n’a été envoyé, aucun accès n’a été tenté. Comparez-la avec celle de la machine (« ssh-keygen -lf » là-bas), puis acceptez-la.`,
  'ssh.host-key-changed': (d) =>
    `${place(d)} montre une autre clé que celle qui est connue. Montrée : ${d.fingerprint}. Connue : ${d.expected.join(', ')} (${d.file}, ligne ${d.line}). Rien n’a été envoyé, aucun accès n’a été tenté. Cela arrive après une réinstallation, ou quand quelqu’un s’est mis entre les deux : demandez à qui gère la machine. Une fois sûr, retirez vous-même l’ancienne clé${d.forget === null ? ' : un motif désigne la machine, modifiez donc cette ligne' : ` avec cette commande : ${d.forget} . Puis reconnectez-vous`}.`,
  'ssh.host-key-revoked': (d) =>
    `${place(d)} montre une clé marquée comme révoquée (${d.file}, ligne ${d.line}) : ${d.fingerprint}. Rien n’a été envoyé. N’utilisez pas cette machine avant que sa clé soit remplacée.`,
  'ssh.host-key-not-kept': (d) =>
    `Vous avez accepté la clé de ${place(d)}, mais elle n’a pas pu être ajoutée à ${d.file} : ${d.reason}. Rien n’a été envoyé, aucun accès n’a été tenté. Ajoutez-y vous-même cette ligne : « ${d.line} ».`,
  'ssh.auth-rejected': (d) =>
    `${place(d)} n’a pas laissé entrer ${d.user}. Essayé : ${d.tried.join(', ') || 'rien, aucune clé n’a été trouvée'}. Rien n’a été changé. Vérifiez le nom d’utilisateur, et que la clé publique est dans authorized_keys là-bas.`,
  'ssh.passphrase-needed': (d) =>
    `La clé ${d.file} est protégée par une phrase secrète, et personne ne l’a donnée. Rien n’a été changé. Réessayez et tapez-la, ou ajoutez la clé à votre agent SSH (« ssh-add ${d.file} »).`,
  'ssh.answer-needed': (d) =>
    `${place(d)} demande à ${d.user} un mot de passe ou un code, et personne ne l’a donné. Essayé : ${d.tried.join(', ') || 'rien d’autre'}. Rien n’a été changé. Réessayez et tapez-le, ou faites accepter une clé là-bas.`,
  'ssh.agent-waiting': (d) =>
    `Votre agent de clés n’a pas répondu pour ${d.keys.join(', ')}, que ${place(d)} attend. Rien n’a été changé. Déverrouillez l’agent ou répondez à sa question, puis réessayez.`,
  'ssh.key-unusable': (d) =>
    `La clé ${d.file} ne peut pas être utilisée : ${d.reason}. Rien n’a été envoyé. Choisissez-en une autre, ou utilisez l’agent SSH.`,
  'ssh.one-channel': (d) =>
    `${d.host} n’autorise qu’un canal à la fois (MaxSessions 1), et il en faut plusieurs ensemble. Aucun fichier n’est écrit à moitié. Relevez cette limite là-bas, ou réessayez.`,
  'ssh.no-shell': (d) =>
    `${d.host} nous a laissés entrer mais n’offre ni shell utilisable ni SFTP : ${d.detail}. Rien n’a été changé. Vérifiez le shell du compte et ses fichiers de démarrage.`,
  'remote.home-missing': (d) =>
    `Le dossier ${d.path} n’existe pas sur la machine distante. Rien n’a été changé. Vérifiez le dossier Hermes de la connexion et le dossier personnel du compte.`,
  'remote.home-invalid': (d) => `${d.path} ne peut pas être le dossier Hermes de la machine distante : ${d.reason}. Rien n’a été changé.`,
  'remote.failed': (d) =>
    `La machine distante n’a pas pu ${d.operation} (${d.path}). Elle a dit : ${d.said || 'rien'}. Les fichiers déjà en place sont complets ; le reste est comme avant. Corrigez la cause là-bas et recommencez.`,
  'remote.disk-full': (d) =>
    `La machine distante n’a plus de place pour ${d.path}. Elle a dit : ${d.said}. Les fichiers qui y sont n’ont pas changé. Libérez de la place là-bas et recommencez.`,
  'local.failed': (d) =>
    `Cet ordinateur n’a pas pu ${d.operation} ${d.path} : ${d.reason}. Les fichiers existants n’ont pas changé. Corrigez la cause et recommencez.`,
  'local.no-space': (d) =>
    `Il faut ici ${bytes(d.needed)}, et ${bytes(d.free)} sont libres (${bytes(1e9)} restent en réserve). Rien n’a été téléchargé. Les plus gros : ${d.largest.join(', ')}. Libérez de la place et recommencez.`,
  'sync.over-cap': (d) =>
    `${formatNumber(d.files, 'fr')} ${pluralFr(d.files, 'fichier', 'fichiers')} (${bytes(d.bytes)}), c’est plus que ce qu’une exécution peut porter. Rien n’a été transféré. Les plus gros : ${d.largest.join(', ')}. Excluez ce qui n’a rien à faire là.`,
  'inbox.unknown': (d) => `Rien n’attend sous le numéro « ${d.id} ». Rien n’a été fait.`,
  'inbox.not-allowed': (d) =>
    `${d.path} (${d.kind}) ne peut pas être réglé par « ${d.choice} ». Rien n’a été fait. Possible : ${d.possible.join(', ')}.`,
  'inbox.not-stored': (d) =>
    `La version distante de ${d.path} n’est pas gardée sur cet ordinateur. Rien n’a été fait, et l’élément attend toujours. Terminer une session va la chercher.`,
  'inbox.several-connections': () =>
    'Ces éléments appartiennent à plusieurs connexions. Rien n’a été fait. Décidez pour une connexion à la fois.',
  'decision.unknown': (d) => `Il n’y a pas de décision sous le numéro « ${d.id} ». Rien n’a été fait.`,
  'prompt.closed': (d) =>
    `La question « ${d.id} » n’est plus ouverte. La réponse n’a pas servi. Recommencez si quelque chose attend encore.`,
  'guard.unknown': (d) => `Rien de ce que la surveillance a trouvé n’attend sous le numéro « ${d.id} ». Rien n’a été fait.`,
  'guard.nothing-kept': (d) =>
    `Il n’y a pas de bonne copie du fichier de verrouillage du hub à remettre pour ${d.home}. Rien n’a été changé.`,
  'history.unknown': (d) =>
    `L’exécution « ${d.id} » n’est pas dans l’historique ; il garde 12 mois, et ${formatNumber(10_000, 'fr')} exécutions au plus. Rien n’a été fait.`,
  'prune.nothing-kept': (d) =>
    `Plus rien n’est gardé de ce qu’un ${d.kind === null ? 'élagage ou un nettoyage' : removals[d.kind]} a pris à ${d.connection}. Rien n’a été fait. ${d.other === null ? 'L’historique montre ce qui est parti et quand.' : `Ce qu’un ${removals[d.other]} a pris est toujours gardé.`}`,
  'undo.other-run': (d) =>
    `Ce qui peut être annulé ensuite pour ${d.connection} est l’opération du ${d.time} (${d.kind}), qui n’est pas la dernière chose faite ici, ou pas celle demandée. Rien n’a été fait. Regardez de nouveau la connexion : « Annuler » y nomme ce qui sera repris.`,
  'run.busy': (d) => `${d.connection} est occupé : ${d.holder}. Rien n’a été fait. Attendez la fin et réessayez.`,
  'run.cancelled': () =>
    'L’exécution a été annulée. Chaque fichier est l’ancien ou le nouveau, aucun n’est écrit à moitié. Recommencez pour continuer.',
  'app.lost': (d) =>
    `L’Ebbgate en marche est parti avant de répondre : ${d.reason}. ${d.started ? 'Chaque fichier est l’ancien ou le nouveau, aucun n’est écrit à moitié' : 'Rien n’a été fait'}. Recommencez.`,
  'store.busy': (d) =>
    `Un autre Ebbgate (processus ${d.pid}) utilise ${d.dataDir} et ne répond pas. Rien n’a été fait. Fermez-le, puis réessayez.`,
  'store.newer': (d) =>
    `${d.file} a été écrit par un Ebbgate plus récent (format ${d.version}). Il n’a pas été touché. Mettez cet Ebbgate à jour.`,
  'store.failed': (d) =>
    `Ebbgate n’a pas pu ${d.operation} ${d.file} : ${d.reason}. L’ancien contenu n’a pas changé. Vérifiez le disque et les droits du dossier.`,
  'web.not-built': (d) => `Les fichiers de la fenêtre manquent (${d.path}). Rien n’a été lancé. Exécutez d’abord « npm run build ».`,
  'web.port': (d) =>
    `La fenêtre ne peut pas utiliser le port ${d.port} : ${d.reason}. Rien n’a été lancé. Choisissez-en un autre avec --port, ou n’en donnez pas.`,
  'web.signed-out': () =>
    'Ebbgate ne connaît plus cette fenêtre, sans doute parce qu’il a été relancé. Rien n’a été fait. Ouvrez l’adresse qu’il a affichée en dernier.',
  'web.unreachable': () =>
    'L’Ebbgate derrière cette fenêtre ne répond pas. Vous voyez ce qui était connu en dernier ; aucun fichier n’est écrit à moitié. Relancez-le ; cette fenêtre revient d’elle-même ou avec la nouvelle adresse.',
  'web.bad-request': (d) =>
    `La fenêtre a demandé une chose qu’Ebbgate ne peut pas faire : ${d.what}. Rien n’a été fait. Rechargez la fenêtre.`,
  'internal.unexpected': (d) =>
    `Quelque chose d’inattendu s’est passé : ${d.what}. Chaque fichier est l’ancien ou le nouveau, aucun n’est écrit à moitié. Merci de le signaler.`,
};
