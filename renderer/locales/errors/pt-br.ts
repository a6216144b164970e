import { formatBytes } from '../../../shared/bytes';
import type { ErrorSentences } from '../../../shared/errors';
import { formatNumber } from '../../format';
import { pluralPtBr } from '../plural';

const bytes = (count: number) => formatBytes(count, 'pt-BR');
const place = (d: { readonly host: string; readonly port: number }) => `${d.host} (porta ${d.port})`;

const removals = { prune: 'poda', clean: 'limpeza' } as const;

/** What happened, what is safe, what to do next, in Brazilian Portuguese. */
export const errorsPtBr: ErrorSentences = {
  'usage.invalid': (d) => `O pedido não é válido: ${d.what} Nada foi feito.`,
  'connection.unknown': (d) => `Não há conexão com o nome “${d.name}”. Nada foi feito.`,
  'connection.exists': (d) =>
    `Já existe uma conexão com o nome “${d.name}”, e ela ficou como estava. Escolha outro nome ou remova-a antes.`,
  'connection.alias-unresolved': (d) =>
    `O alias SSH “${d.alias}” não pôde ser resolvido: ${d.reason}. Nada foi enviado. Confira com “ssh -G ${d.alias}” ou adicione a conexão pelo endereço.`,
  'connection.unsupported-option': (d) =>
    `A configuração SSH de ${d.host} usa ${d.option}, que o Ebbgate não consegue respeitar: ${d.reason}. Nada foi enviado. Mude isso na configuração ou adicione a conexão pela linha de comando com --address e --no-ssh-config.`,
  'ssh.refused': (d) =>
    `${d.host} recusou a conexão na porta ${d.port}. Nada mudou em nenhum dos lados. Confira se o servidor SSH está rodando e se a porta está certa.`,
  'ssh.timed-out': (d) =>
    `${place(d)} não respondeu em ${d.seconds} s. Nenhum arquivo neste computador ficou pela metade. Confira a rede e tente de novo.`,
  'ssh.unreachable': (d) => `Não foi possível alcançar ${place(d)}: ${d.reason}. Nada mudou. Confira o nome e a rede.`,
  'ssh.lost': (d) =>
    `A conexão com ${place(d)} caiu: ${d.reason}. Cada arquivo aqui é o antigo ou o novo, nenhum ficou pela metade. Repita quando ela voltar.`,
  'ssh.protocol': (d) => `${place(d)} não fala SSH como esperado: ${d.reason}. Nada mudou. Confira se a porta é mesmo de um servidor SSH.`,
  'ssh.host-key-unknown': (d) =>
    `${place(d)} mostra uma chave ${d.keyType} que não é conhecida aqui: ${d.fingerprint}. ${d.authority === null ? '' : `Uma autoridade certificadora é aceita para ela (${d.authority}), mas o Ebbgate não sabe pedir certificados e precisa da própria chave. `}Nada foi enviado, nenhum acesso foi tentado. Compare com a da própria máquina (“ssh-keygen -lf” lá) e só então aceite.`,
  'ssh.host-key-changed': (d) =>
    `${place(d)} mostra uma chave diferente da conhecida. Mostrada: ${d.fingerprint}. Conhecida: ${d.expected.join(', ')} (${d.file}, linha ${d.line}). Nada foi enviado, nenhum acesso foi tentado. Isso acontece depois de uma reinstalação, ou quando há alguém no meio do caminho: pergunte a quem cuida da máquina. Quando tiver certeza, remova você mesmo a chave antiga${d.forget === null ? ': um padrão indica a máquina, então edite essa linha' : ` com este comando: ${d.forget} . Depois conecte de novo`}.`,
  'ssh.host-key-revoked': (d) =>
    `${place(d)} mostra uma chave marcada como revogada (${d.file}, linha ${d.line}): ${d.fingerprint}. Nada foi enviado. Não use esta máquina até a chave ser trocada.`,
  'ssh.host-key-not-kept': (d) =>
    `Você aceitou a chave de ${place(d)}, mas ela não pôde ser acrescentada a ${d.file}: ${d.reason}. Nada foi enviado, nenhum acesso foi tentado. Acrescente você mesmo esta linha: “${d.line}”.`,
  'ssh.auth-rejected': (d) =>
    `${place(d)} não deixou ${d.user} entrar. Tentado: ${d.tried.join(', ') || 'nada, nenhuma chave foi encontrada'}. Nada mudou. Confira o nome de usuário e se a chave pública está em authorized_keys lá.`,
  'ssh.passphrase-needed': (d) =>
    `A chave ${d.file} é protegida por uma frase secreta, e ninguém a informou. Nada mudou. Tente de novo e digite-a, ou adicione a chave ao seu agente SSH (“ssh-add ${d.file}”).`,
  'ssh.answer-needed': (d) =>
    `${place(d)} pede a ${d.user} uma senha ou um código, e ninguém informou. Tentado: ${d.tried.join(', ') || 'nada mais'}. Nada mudou. Tente de novo e digite, ou faça uma chave ser aceita lá.`,
  'ssh.agent-waiting': (d) =>
    `O seu agente de chaves não respondeu por ${d.keys.join(', ')}, que ${place(d)} espera. Nada mudou. Desbloqueie o agente ou responda à pergunta dele e tente de novo.`,
  'ssh.key-unusable': (d) => `A chave ${d.file} não pode ser usada: ${d.reason}. Nada foi enviado. Escolha outra ou use o agente SSH.`,
  'ssh.one-channel': (d) =>
    `${d.host} permite um canal por vez (MaxSessions 1), e são precisos vários ao mesmo tempo. Nenhum arquivo ficou pela metade. Aumente o limite lá ou tente de novo.`,
  'ssh.no-shell': (d) =>
    `${d.host} nos deixou entrar, mas não oferece nem um shell utilizável nem SFTP: ${d.detail}. Nada mudou. Confira o shell da conta e os arquivos de inicialização dela.`,
  'remote.home-missing': (d) =>
    `A pasta ${d.path} não existe na máquina remota. Nada mudou. Confira a pasta do Hermes desta conexão e a pasta pessoal da conta.`,
  'remote.home-invalid': (d) => `${d.path} não pode ser a pasta do Hermes na máquina remota: ${d.reason}. Nada mudou.`,
  'remote.failed': (d) =>
    `A máquina remota não conseguiu ${d.operation} (${d.path}). Ela disse: ${d.said || 'nada'}. Os arquivos já colocados estão completos; o resto está como antes. Corrija a causa lá e repita.`,
  'remote.disk-full': (d) =>
    `A máquina remota não tem mais espaço para ${d.path}. Ela disse: ${d.said}. Os arquivos que já estão lá não mudaram. Libere espaço lá e repita.`,
  'local.failed': (d) =>
    `Este computador não conseguiu ${d.operation} ${d.path}: ${d.reason}. Os arquivos existentes não mudaram. Corrija a causa e repita.`,
  'local.no-space': (d) =>
    `São precisos ${bytes(d.needed)} aqui, e há ${bytes(d.free)} livres (${bytes(1e9)} ficam de reserva). Nada foi baixado. Os maiores: ${d.largest.join(', ')}. Libere espaço e repita.`,
  'sync.over-cap': (d) =>
    `${formatNumber(d.files, 'pt-BR')} ${pluralPtBr(d.files, 'arquivo', 'arquivos')} (${bytes(d.bytes)}) são mais do que uma execução pode levar. Nada foi transferido. Os maiores: ${d.largest.join(', ')}. Exclua o que não deveria estar aí.`,
  'inbox.unknown': (d) => `Nada espera com o número “${d.id}”. Nada foi feito.`,
  'inbox.not-allowed': (d) =>
    `${d.path} (${d.kind}) não pode ser resolvido com “${d.choice}”. Nada foi feito. Possível: ${d.possible.join(', ')}.`,
  'inbox.not-stored': (d) =>
    `A versão remota de ${d.path} não está guardada neste computador. Nada foi feito, e o item continua à espera. Encerrar uma sessão vai buscá-la.`,
  'inbox.several-connections': () => 'Estes itens são de mais de uma conexão. Nada foi feito. Decida por uma conexão de cada vez.',
  'decision.unknown': (d) => `Não há decisão com o número “${d.id}”. Nada foi feito.`,
  'prompt.closed': (d) => `A pergunta “${d.id}” não está mais aberta. A resposta não foi usada. Comece de novo se algo ainda espera.`,
  'guard.unknown': (d) => `Nada do que a vigilância encontrou espera com o número “${d.id}”. Nada foi feito.`,
  'guard.nothing-kept': (d) => `Não há uma cópia boa do arquivo de trava do hub para devolver em ${d.home}. Nada mudou.`,
  'history.unknown': (d) =>
    `A execução “${d.id}” não está no histórico; ele guarda 12 meses e no máximo ${formatNumber(10_000, 'pt-BR')} execuções. Nada foi feito.`,
  'prune.nothing-kept': (d) =>
    `Nada do que uma ${d.kind === null ? 'poda ou limpeza' : removals[d.kind]} tirou de ${d.connection} continua guardado. Nada foi feito. ${d.other === null ? 'O histórico mostra o que saiu e quando.' : `O que uma ${removals[d.other]} tirou continua guardado.`}`,
  'undo.other-run': (d) =>
    `O que pode ser desfeito a seguir em ${d.connection} é a execução de ${d.time} (${d.kind}), que não foi a última coisa feita aqui, ou não é a pedida. Nada foi feito. Veja a conexão de novo: “Desfazer” diz ali o que será desfeito.`,
  'run.busy': (d) => `${d.connection} está em uso: ${d.holder}. Nada foi feito. Espere terminar e tente de novo.`,
  'run.cancelled': () => 'A execução foi cancelada. Cada arquivo é o antigo ou o novo, nenhum ficou pela metade. Repita para continuar.',
  'app.lost': (d) =>
    `O Ebbgate em execução saiu antes de responder: ${d.reason}. ${d.started ? 'Cada arquivo é o antigo ou o novo, nenhum ficou pela metade' : 'Nada foi feito'}. Repita.`,
  'store.busy': (d) => `Outro Ebbgate (processo ${d.pid}) usa ${d.dataDir} e não responde. Nada foi feito. Feche-o e tente de novo.`,
  'store.newer': (d) => `${d.file} foi gravado por um Ebbgate mais novo (formato ${d.version}). Ficou como estava. Atualize este Ebbgate.`,
  'store.failed': (d) =>
    `O Ebbgate não conseguiu ${d.operation} ${d.file}: ${d.reason}. O conteúdo anterior não mudou. Confira o disco e as permissões da pasta.`,
  'web.not-built': (d) => `Faltam os arquivos da janela (${d.path}). Nada foi iniciado. Execute antes “npm run build”.`,
  'web.port': (d) =>
    `A janela não pode usar a porta ${d.port}: ${d.reason}. Nada foi iniciado. Escolha outra com --port, ou não informe nenhuma.`,
  'web.signed-out': () =>
    'O Ebbgate não conhece mais esta janela, provavelmente porque foi reiniciado. Nada foi feito. Abra o endereço que ele mostrou por último.',
  'web.unreachable': () =>
    'O Ebbgate por trás desta janela não responde. Aqui está o que se sabia por último; nenhum arquivo ficou pela metade. Inicie-o de novo; esta janela volta sozinha ou com o novo endereço.',
  'web.bad-request': (d) => `A janela pediu algo que o Ebbgate não sabe fazer: ${d.what}. Nada foi feito. Recarregue a janela.`,
  'internal.unexpected': (d) =>
    `Aconteceu algo inesperado: ${d.what}. Cada arquivo é o antigo ou o novo, nenhum ficou pela metade. Por favor, avise-nos.`,
};
