import { formatBytes } from '../../../shared/bytes';
import type { ErrorSentences } from '../../../shared/errors';
import { formatNumber } from '../../format';

const bytes = (count: number) => formatBytes(count, 'zh-CN');
const place = (d: { readonly host: string; readonly port: number }) => `${d.host}（端口 ${d.port}）`;

const removals = { prune: '清减', clean: '清理' } as const;

/** What happened, what is safe, what to do next, in Simplified Chinese. */
export const errorsZhCn: ErrorSentences = {
  'usage.invalid': (d) => `请求无效：${d.what} 未做任何操作。`,
  'connection.unknown': (d) => `没有名为“${d.name}”的连接。未做任何操作。`,
  'connection.exists': (d) => `已有名为“${d.name}”的连接，它保持原样。请换一个名称，或先移除它。`,
  'connection.alias-unresolved': (d) =>
    `无法解析 SSH 别名“${d.alias}”：${d.reason}。没有发送任何内容。请用“ssh -G ${d.alias}”检查，或改用地址添加连接。`,
  'connection.unsupported-option': (d) =>
    `${d.host} 的 SSH 配置使用了 ${d.option}，Ebbgate 无法遵照执行：${d.reason}。没有发送任何内容。请更改该配置，或在命令行用 --address 和 --no-ssh-config 添加连接。`,
  'ssh.refused': (d) => `${d.host} 拒绝了端口 ${d.port} 上的连接。两端都没有任何更改。请检查它的 SSH 服务器是否在运行、端口是否正确。`,
  'ssh.timed-out': (d) => `${place(d)}在 ${d.seconds} 秒内没有应答。本机没有写到一半的文件。请检查网络，然后重试。`,
  'ssh.unreachable': (d) => `无法连到 ${place(d)}：${d.reason}。没有任何更改。请检查名称和网络。`,
  'ssh.lost': (d) => `与 ${place(d)}的连接断开了：${d.reason}。本机的每个文件不是旧的就是新的，没有写到一半的。连接恢复后请再运行一次。`,
  'ssh.protocol': (d) => `${place(d)}的 SSH 应答不符合预期：${d.reason}。没有任何更改。请检查该端口是否属于 SSH 服务器。`,
  'ssh.host-key-unknown': (d) =>
    `${place(d)}出示的 ${d.keyType} 主机密钥在这里还不认识：${d.fingerprint}。${d.authority === null ? '' : `虽然有证书颁发机构为它担保（${d.authority}），但 Ebbgate 无法请求主机证书，需要密钥本身。`}没有发送任何内容，也没有尝试登录。请与该机器自身的密钥核对（在那里运行“ssh-keygen -lf”），然后再接受。`,
  'ssh.host-key-changed': (d) =>
    `${place(d)}出示的主机密钥与已知的不同。出示的：${d.fingerprint}。已知的：${d.expected.join(', ')}（${d.file}，第 ${d.line} 行）。没有发送任何内容，也没有尝试登录。重装系统之后，或有人从中拦截时，会出现这种情况：请询问管理该机器的人。确认无误后，请自行删除旧密钥${d.forget === null ? '：该主机由一个模式指定，因此请编辑那一行' : `，命令为：${d.forget} 。然后重新连接`}。`,
  'ssh.host-key-revoked': (d) =>
    `${place(d)}出示的主机密钥已被标记为吊销（${d.file}，第 ${d.line} 行）：${d.fingerprint}。没有发送任何内容。在更换密钥之前，请勿使用这台机器。`,
  'ssh.host-key-not-kept': (d) =>
    `您已接受 ${place(d)}的主机密钥，但无法把它加入 ${d.file}：${d.reason}。没有发送任何内容，也没有尝试登录。请自行在其中加入这一行：“${d.line}”。`,
  'ssh.auth-rejected': (d) =>
    `${place(d)}没有让 ${d.user} 登录。已尝试：${d.tried.join(', ') || '没有，未找到任何密钥'}。没有任何更改。请检查用户名，以及公钥是否在那里的 authorized_keys 中。`,
  'ssh.passphrase-needed': (d) =>
    `密钥 ${d.file} 受密码短语保护，但没有人提供。没有任何更改。请重试并输入，或把密钥加入 SSH 代理（“ssh-add ${d.file}”）。`,
  'ssh.answer-needed': (d) =>
    `${place(d)}向 ${d.user} 要求密码或验证码，但没有人提供。已尝试：${d.tried.join(', ') || '没有其他方式'}。没有任何更改。请重试并输入，或让那里接受一个密钥。`,
  'ssh.agent-waiting': (d) =>
    `您的密钥代理没有为 ${d.keys.join(', ')} 应答，而 ${place(d)}正等着它。没有任何更改。请解锁代理或回答它的询问，然后重试。`,
  'ssh.key-unusable': (d) => `密钥 ${d.file} 无法使用：${d.reason}。没有发送任何内容。请换一个密钥，或使用 SSH 代理。`,
  'ssh.one-channel': (d) =>
    `${d.host} 一次只允许一个通道（MaxSessions 1），而这里同时需要多个。没有写到一半的文件。请在那里提高上限，或重试。`,
  'ssh.no-shell': (d) =>
    `${d.host} 允许登录，但既没有可用的 shell，也没有 SFTP：${d.detail}。没有任何更改。请检查该账户的登录 shell 及其启动文件。`,
  'remote.home-missing': (d) => `远程端没有文件夹 ${d.path}。没有任何更改。请检查此连接的 Hermes 目录，以及该账户的主目录。`,
  'remote.home-invalid': (d) => `${d.path} 不能作为远程端的 Hermes 目录：${d.reason}。没有任何更改。`,
  'remote.failed': (d) =>
    `远程端无法${d.operation}（${d.path}）。它的回答：${d.said || '无'}。已放好的文件是完整的，其余保持原样。请在那里排除原因，然后再运行一次。`,
  'remote.disk-full': (d) =>
    `远程端没有空间存放 ${d.path}。它的回答：${d.said}。那里已有的文件没有改变。请在那里腾出空间，然后再运行一次。`,
  'local.failed': (d) => `本机无法${d.operation} ${d.path}：${d.reason}。已有的文件没有改变。请排除原因，然后再运行一次。`,
  'local.no-space': (d) =>
    `本机需要 ${bytes(d.needed)}，可用 ${bytes(d.free)}（另留 ${bytes(1e9)} 备用）。没有下载任何内容。最大的：${d.largest.join(', ')}。请腾出空间，然后再运行一次。`,
  'sync.over-cap': (d) =>
    `${formatNumber(d.files, 'zh-CN')} 个文件共 ${bytes(d.bytes)}，超出一次运行可传输的量。没有传输任何内容。最大的：${d.largest.join(', ')}。请排除不该在那里的内容。`,
  'inbox.unknown': (d) => `没有编号为“${d.id}”的待处理项。未做任何操作。`,
  'inbox.not-allowed': (d) => `${d.path}（${d.kind}）不能用“${d.choice}”处理。未做任何操作。可选：${d.possible.join(', ')}。`,
  'inbox.not-stored': (d) => `${d.path} 的远程版本没有保存在本机。未做任何操作，此项仍在等待。结束一次会话会取得它。`,
  'inbox.several-connections': () => '这些待处理项属于多个连接。未做任何操作。请一次只处理一个连接的。',
  'decision.unknown': (d) => `没有编号为“${d.id}”的决定。未做任何操作。`,
  'prompt.closed': (d) => `询问“${d.id}”已经关闭，回答没有被使用。如果仍有等待的内容，请重新开始。`,
  'guard.unknown': (d) => `守护模式没有编号为“${d.id}”的发现在等待。未做任何操作。`,
  'guard.nothing-kept': (d) => `${d.home} 没有可放回的完好的 hub 锁定文件副本。没有任何更改。`,
  'history.unknown': (d) => `历史记录中没有运行“${d.id}”；历史保留 12 个月，最多 ${formatNumber(10_000, 'zh-CN')} 次运行。未做任何操作。`,
  'prune.nothing-kept': (d) =>
    `${d.kind === null ? '清减或清理' : removals[d.kind]}从 ${d.connection} 移除的内容已不再保留。未做任何操作。${d.other === null ? '历史记录会显示移除了什么、何时移除。' : `${removals[d.other]}移除的内容仍保留着。`}`,
  'undo.other-run': (d) =>
    `${d.connection} 接下来可以撤销的是 ${d.time} 的运行（${d.kind}），它不是这里最后做的事，或不是您指定的那次。未做任何操作。请再看一下该连接：“撤销”会指明将撤销哪一次运行。`,
  'run.busy': (d) => `${d.connection} 正忙：${d.holder}。未做任何操作。请等它结束后重试。`,
  'run.cancelled': () => '运行已取消。每个文件不是旧的就是新的，没有写到一半的。再运行一次即可继续。',
  'app.lost': (d) =>
    `正在运行的 Ebbgate 在应答之前退出了：${d.reason}。${d.started ? '每个文件不是旧的就是新的，没有写到一半的' : '未做任何操作'}。请再运行一次。`,
  'store.busy': (d) => `另一个 Ebbgate（进程 ${d.pid}）正在使用 ${d.dataDir}，且没有应答。未做任何操作。请关闭它，然后重试。`,
  'store.newer': (d) => `${d.file} 由更新版本的 Ebbgate 写入（格式 ${d.version}），保持原样。请更新此 Ebbgate。`,
  'store.failed': (d) => `Ebbgate 无法${d.operation} ${d.file}：${d.reason}。原有内容没有改变。请检查磁盘和文件夹的权限。`,
  'web.not-built': (d) => `缺少窗口的文件（${d.path}）。没有启动任何内容。请先运行“npm run build”。`,
  'web.port': (d) => `窗口无法使用端口 ${d.port}：${d.reason}。没有启动任何内容。请用 --port 换一个端口，或不指定端口。`,
  'web.signed-out': () => 'Ebbgate 不再认识此窗口，可能是因为它重新启动过。未做任何操作。请打开它最后显示的地址。',
  'web.unreachable': () =>
    '此窗口背后的 Ebbgate 没有应答。这里显示的是最后已知的情况；没有写到一半的文件。请重新启动它；此窗口会自行恢复，或用新地址打开。',
  'web.bad-request': (d) => `窗口提出了 Ebbgate 无法执行的请求：${d.what}。未做任何操作。请重新加载窗口。`,
  'internal.unexpected': (d) => `发生了意外：${d.what}。每个文件不是旧的就是新的，没有写到一半的。请报告此问题。`,
};
