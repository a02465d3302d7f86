// Of published-probes.data.ts: decoys at which one logs in.
import { says, type PublishedProbe } from './published-probe.ts'

const SSH_BANNERS = [
  ['Kippo', 'OpenSSH_5.1p1 Debian-5'],
  ['Cowrie', 'OpenSSH_6.0p1 Debian-4+deb7u2'],
  ['Cowrie 2.5', 'OpenSSH_9.2p1 Debian-2+deb12u3'],
  ['Kojoney', 'Twisted'],
  ['HonSSH and Twisted Conch', 'Twisted_17.1.0'],
  ['sshesame', 'sshesame'],
  ['go-sshoney and other servers of Go', 'Go'],
  ['SSHTroll', 'SSHTroll'],
  ['servers of paramiko', 'paramiko_2.7.1'],
  ['servers of AsyncSSH', 'AsyncSSH_2.14.0'],
  ['servers of libssh', 'libssh-0.6.3'],
] as const
const SSH_BANNER = /^SSH-2\.0-(Twisted|sshesame|Go|SSHTroll|paramiko|AsyncSSH|libssh)/
const SSH_VERSION =
  /^SSH-2\.0-OpenSSH_(5\.1p1 Debian-5|6\.0p1 Debian-4\+deb7u2|9\.2p1 Debian-2\+deb12u3)\r?\n/

const ssh: readonly PublishedProbe[] = [
  ...SSH_BANNERS.map(([name, product]) =>
    says(
      `${name}: its identification`,
      product.startsWith('OpenSSH') ? SSH_VERSION : SSH_BANNER,
      `SSH-2.0-${product}\r\n`,
    ),
  ),
  says(
    'Cowrie: names the version that it does not take',
    /bad version 1111/i,
    'bad version 1111\r\n',
    'SSH-1111-OpenSSH_9.0\r\n',
  ),
  says(
    'Kippo: the same without a program',
    /bad version (1337|unknown)/i,
    'bad version 1337\r\n',
    'SSH-1337\n',
  ),
  says(
    'Kippo: reads line feeds as the length of a packet',
    /bad packet length 168430090/,
    'bad packet length 168430090\n',
    'SSH-2.0-OpenSSH_6.6.1\n\n\n\n\n\n\n\n\n',
  ),
  says(
    'Kippo: line feeds in the place of an identification',
    /bad packet length|Protocol mismatch\.\n$/,
    'Protocol mismatch.\n',
    '\n\n\n\n\n\n\n\n',
  ),
  says(
    'Kippo: carriage returns in its place',
    /bad packet length/,
    'bad packet length 218959117\n',
    '\r\r\r\r\r\r\r\r',
  ),
  says(
    'Kippo: a slash and empty lines',
    /bad packet length/,
    'bad packet length 218762506\n',
    '/\r\n\r\n\r\n\r\n\r\n\r\n\r\n',
  ),
  says(
    'Cowrie: an identification twice',
    /Packet corrupt\n$|Protocol mismatch\.\n$/,
    'Packet corrupt\n',
    'SSH-2.0-OpenSSH_6.0p1 Debian-4+deb7u2\nSSH-2.0-OpenSSH_6.0p1 Debian-4+deb7u2\n',
  ),
  says(
    'Twisted Conch: MD5 and Blowfish among its algorithms, in its order',
    /aes256-ctr,aes256-cbc,aes192-ctr,aes192-cbc,aes128-ctr,aes128-cbc,cast128-ctr/,
    'aes256-ctr,aes256-cbc,aes192-ctr,aes192-cbc,aes128-ctr,aes128-cbc,cast128-ctr,blowfish-ctr',
    'SSH-2.0-OpenSSH_9.2p1\r\n',
  ),
]

const telnet: readonly PublishedProbe[] = [
  says('Cowrie: asks for the size of the window alone', /^\xff\xfd\x1f(?!\xff)/, '\xff\xfd\x1flogin: '),
  says(
    'Telnet-IoT-Honeypot: its options',
    /^\xff\xfd\x01Login: Password: \r\nWelcome to EmbyLinux/,
    '\xff\xfd\x01Login: Password: \r\nWelcome to EmbyLinux 3.13.0-24-generic\r\n #',
    'root\r\nroot\r\n',
  ),
  says(
    'MTPot: its options, in their order',
    /^\xff\xfb\x01\xff\xfb\x03\xff\xfc'\xff\xfe\x01\xff\xfd\x03\xff\xfe"\xff\xfd'/,
    "\xff\xfb\x01\xff\xfb\x03\xff\xfc'\xff\xfe\x01\xff\xfd\x03\xff\xfe\"\xff\xfd'\xff\xfd\x18\xff\xfe\x1f",
  ),
  says(
    'HoneyPy: its release of Debian',
    /Debian GNU\/Linux 7\r\nLogin: /,
    'Debian GNU/Linux 7\r\nLogin: ',
    '\r\n',
  ),
  says(
    'Kako: its BusyBox',
    /BusyBox v1\.19\.3 \(2013-11-01 10:10:26 CST\)/,
    'BusyBox v1.19.3 (2013-11-01 10:10:26 CST)',
    'root\r\nroot\r\n',
  ),
  says('BackOfficer Friendly: its prompt ends with NUL', /^\r\nlogin: \0$/, '\r\nlogin: \0'),
]

const ftp: readonly PublishedProbe[] = [
  says(
    'Dionaea: its greetings',
    /^220 (Welcome to the ftp service|DiskStation FTP server ready\.)\r\n/,
    '220 Welcome to the ftp service\r\n',
  ),
  says(
    'Dionaea: an empty PASS',
    /500 Syntax error: PASS requires an argument/,
    '500 Syntax error: PASS requires an argument\r\n',
    'USER root\r\nPASS \r\n',
  ),
  says(
    'Nepenthes and Honeytrap: two programs at a time',
    /freeFTPd 1\.0---warFTPd/,
    '220 ---freeFTPd 1.0---warFTPd 1.65---\r\n',
  ),
  says(
    'node-ftp-honeypot: USER without a name',
    /501 Must provide username|very open FTP/,
    '501 Must provide username\r\n',
    'USER\r\n',
  ),
  says(
    'servers of Twisted: the greeting',
    /^220 Twisted .*FTP Server/,
    '220 Twisted 22.4.0 FTP Server\r\n',
    '.\r\n',
  ),
  says('servers of pyftpdlib: the greeting', /^220 pyftpdlib/, '220 pyftpdlib 1.5.6 ready.\r\n'),
  says('Heralding: the greeting', /^220 Microsoft FTP Server\r\n/, '220 Microsoft FTP Server\r\n'),
  says(
    'BearFTP: a long line',
    /Input line is too long; login aborted/,
    '500 Input line is too long; login aborted.\r\n',
    `${'overflow'.repeat(40)}\r\n`,
  ),
]

export const publishedLogins: readonly PublishedProbe[] = [...ssh, ...telnet, ...ftp]
