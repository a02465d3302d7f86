import { describeService, PRINTABLE_ASCII } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'ftp',
  title: 'FTP',
  transport: 'tcp',
  example: "lftp -e 'ls; bye' -u admin,letmein -p {port} {host}",
  scanLine: '{port}/tcp open ftp vsftpd 3.0.3',
  settings: {
    'ftp.banner': {
      type: 'text',
      default: '(vsFTPd 3.0.3)',
      title: 'Greeting after its code 220',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
    'ftp.enabled': { type: 'boolean', default: false, title: 'FTP answers' },
    'ftp.port': { type: 'port', default: 21, title: 'Port of FTP' },
  },
  logtypes: [
    {
      logtype: '2000',
      summary: 'FTP Login Attempt',
      slug: 'ftplogin',
      keys: ['USERNAME', 'PASSWORD'],
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD'],
      meaning: 'Someone tried to log in over FTP to a machine that has no users.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password is in use anywhere, change it there.',
      ],
    },
  ],
})
