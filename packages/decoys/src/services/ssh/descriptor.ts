import { describeService } from '../../descriptor.ts'

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
  settings: {
    'ssh.enabled': { type: 'boolean', default: false, title: 'Answer as an SSH server' },
    'ssh.port': { type: 'port', default: 22, title: 'Port' },
    'ssh.preauth_banner': {
      type: 'text',
      default: '',
      title: 'Text shown before the login; none when empty',
      maxLength: 4096,
    },
    'ssh.version': {
      type: 'choice',
      default: 'OpenSSH_9.2p1 Debian-2+deb12u10',
      title: 'The server that it claims to be',
      choices: [
        'OpenSSH_9.2p1 Debian-2+deb12u10',
        'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10',
        'OpenSSH_8.4p1 Debian-5+deb11u3',
      ],
    },
  },
  example: 'ssh -p {port} root@{host}',
  logtypes: [
    { logtype: '4000', summary: 'SSH Connection', slug: 'sshconnection', keys: ['LOCALVERSION'] },
    { logtype: '4001', summary: 'SSH Version', slug: 'sshversion', keys: ['LOCALVERSION', 'REMOTEVERSION'] },
    { logtype: '4002', summary: 'SSH Login Attempt', slug: 'sshlogin', keys: LOGIN_KEYS },
  ],
})
