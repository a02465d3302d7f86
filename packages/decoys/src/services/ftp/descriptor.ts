import { describeService } from '../../descriptor.ts'

export const descriptor = describeService({
  service: 'ftp',
  title: 'FTP',
  transport: 'tcp',
  example: "lftp -e 'ls; bye' -u admin,letmein -p {port} {host}",
  settings: {
    'ftp.banner': {
      type: 'text',
      default: '(vsFTPd 3.0.3)',
      title: 'Greeting, behind its code 220',
      maxLength: 200,
    },
    'ftp.enabled': { type: 'boolean', default: false, title: 'FTP answers' },
    'ftp.port': { type: 'port', default: 21, title: 'Port of FTP' },
  },
  logtypes: [
    { logtype: '2000', summary: 'FTP Login Attempt', slug: 'ftplogin', keys: ['USERNAME', 'PASSWORD'] },
  ],
})
