import { describeService, PRINTABLE_LINES } from '../../settings/descriptor.ts'

const LOGIN_KEYS = [
  'USERNAME',
  'PASSWORD',
  'KEY',
  'LOCALVERSION',
  'REMOTEVERSION',
  'TERMSIZE',
  'TERMTYPE',
] as const

export const descriptor = describeService({
  service: 'ssh',
  title: 'SSH server',
  transport: 'tcp',
  judgedBy:
    'No real sshd but that of Debian 12 was there to compare it with: of the other releases the judges are public debug logs, release notes, and scans. As OpenSSH 9.2p1 it is compared with Debian’s.',
  settings: {
    'ssh.enabled': { type: 'boolean', default: false, title: 'Answer as an SSH server' },
    'ssh.port': { type: 'port', default: 22, title: 'Port' },
    'ssh.preauth_banner': {
      type: 'text',
      default: '',
      title: 'Text shown before the login; none when empty',
      maxLength: 4096,
      format: PRINTABLE_LINES,
    },
    'ssh.version': {
      type: 'choice',
      default: 'OpenSSH_9.2p1 Debian-2+deb12u10',
      title: 'The server that it claims to be',
      choices: [
        'OpenSSH_10.0p2 Debian-7+deb13u4',
        'OpenSSH_9.6p1 Ubuntu-3ubuntu13.18',
        'OpenSSH_9.2p1 Debian-2+deb12u10',
        'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10',
        'OpenSSH_8.4p1 Debian-5+deb11u3',
      ],
    },
  },
  example: 'ssh -p {port} root@{host}',
  scanLine: '{port}/tcp open ssh OpenSSH 9.2p1 Debian 2+deb12u10 (protocol 2.0)',
  logtypes: [
    {
      logtype: '4000',
      summary: 'SSH Connection',
      slug: 'sshconnection',
      keys: ['LOCALVERSION'],
      level: 'looked',
      evidence: ['LOCALVERSION'],
      meaning: 'Someone connected to the SSH port and sent nothing, as port scanners do.',
      next: [
        'Check whether a scan of your own runs from this address.',
        'If other decoys were touched too, find the machine.',
      ],
    },
    {
      logtype: '4001',
      summary: 'SSH Version',
      slug: 'sshversion',
      keys: ['LOCALVERSION', 'REMOTEVERSION'],
      level: 'looked',
      evidence: ['REMOTEVERSION', 'LOCALVERSION'],
      meaning:
        'An SSH client connected but tried no login, as scanners do that collect versions and host keys.',
      next: [
        'Check whether a scan of your own runs from this address.',
        'If other decoys were touched too, find the machine.',
      ],
    },
    {
      logtype: '4002',
      summary: 'SSH Login Attempt',
      slug: 'sshlogin',
      keys: LOGIN_KEYS,
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD', 'KEY', 'REMOTEVERSION'],
      meaning: 'Someone tried to log in over SSH to a machine that has no users.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password or key is in use anywhere, replace it there.',
      ],
    },
  ],
})
