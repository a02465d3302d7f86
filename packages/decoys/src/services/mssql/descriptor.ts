import { describeService } from '../../settings/descriptor.ts'

const KEYS = ['USERNAME', 'PASSWORD', 'HOSTNAME', 'DOMAINNAME', 'APPNAME', 'SERVERNAME'] as const
const FIND = 'Find the machine behind the source address and ask its owner.'

export const descriptor = describeService({
  service: 'dbsrv_a',
  title: 'Database server (TDS protocol)',
  transport: 'tcp',
  portsBesides: [{ transport: 'udp', port: 1434, answerBytes: 128 }],
  example: 'tsql -H {host} -p {port} -U sa -P letmein',
  scanLine: '{port}/tcp open ms-sql-s Microsoft SQL Server 2019 15.00.2000',
  judgedBy:
    'No real SQL Server was there to compare it with: its judges are Microsoft’s documents, published captures, and the tools of intruders.',
  settings: {
    'dbsrv_a.enabled': { type: 'boolean', default: false, title: 'The database server answers' },
    'dbsrv_a.port': { type: 'port', default: 1433, title: 'Port of the database server' },
    'dbsrv_a.version': {
      type: 'choice',
      default: '2019',
      title: 'The release of SQL Server that it claims to be',
      choices: ['2012', '2014', '2016', '2017', '2019', '2022'],
    },
  },
  logtypes: [
    {
      logtype: '9001',
      summary: 'SQL Server A (TDS protocol) Login Attempt: SQL',
      slug: 'dbsrvasqllogin',
      keys: [...KEYS],
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD', 'HOSTNAME', 'APPNAME'],
      meaning: 'Someone tried to log in to a database that nobody uses, with a user and a password.',
      next: [FIND, 'If the password is in use anywhere, change it there.'],
    },
    {
      logtype: '9002',
      summary: 'SQL Server A (TDS protocol) Login Attempt: Windows',
      slug: 'dbsrvawindowslogin',
      keys: [...KEYS, 'RESPONSE'],
      level: 'tried',
      evidence: ['USERNAME', 'DOMAINNAME', 'HOSTNAME', 'APPNAME'],
      meaning: 'Someone tried to log in to a database that nobody uses, as a user of Windows.',
      next: [FIND, 'If the user exists, change the password: the response can be tried against word lists.'],
    },
  ],
})
