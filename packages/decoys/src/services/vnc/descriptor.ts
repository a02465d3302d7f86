import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'vnc',
  title: 'VNC',
  transport: 'tcp',
  example: 'vncsnapshot -quiet {host}::{port} screen.jpg',
  scanLine: '{port}/tcp open vnc VNC (protocol 3.8)',
  judgedBy:
    'No real VNC server of a Windows was there to compare it with: on a Windows machine it is judged by TigerVNC’s sources alone. TigerVNC and TightVNC of Linux are compared with Debian’s.',
  settings: {
    'vnc.enabled': { type: 'boolean', default: false, title: 'VNC answers' },
    'vnc.port': { type: 'port', default: 5900, title: 'Port of VNC' },
    'vnc.version': {
      type: 'choice',
      default: 'tigervnc-1.12',
      title: 'The server that it claims to be',
      choices: ['tigervnc-1.12', 'tightvnc-1.3.10'],
      mayBeMissing: true,
    },
  },
  logtypes: [
    {
      logtype: '12001',
      summary: 'VNC Login Attempt',
      slug: 'vnclogin',
      keys: ['PASSWORD', 'SERVER_CHALLENGE', 'CLIENT_RESPONSE'],
      level: 'tried',
      evidence: ['PASSWORD'],
      meaning: 'Someone tried to see and control the screen of a machine that nobody uses.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password is in use anywhere, change it there: VNC reads its first eight characters.',
      ],
    },
  ],
})
