import { describeService, PRINTABLE_ASCII } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'dbsrv_b',
  title: 'Database server (MySQL protocol)',
  transport: 'tcp',
  example: 'mariadb -h {host} -P {port} -u root -pletmein',
  scanLine: '{port}/tcp open mysql MySQL 5.5.5-10.11.19-MariaDB-0+deb12u1',
  judgedBy:
    'No real MySQL 5.7 or 8.0 was there to compare it with: their judges are MySQL’s documents, published captures, and the tools of intruders. As MariaDB 10.11 it is compared with Debian’s.',
  settings: {
    'dbsrv_b.banner': {
      type: 'text',
      default: '',
      title:
        'Version that the server names in its greeting, in place of that of the release; nothing else changes with it',
      maxLength: 60,
      format: PRINTABLE_ASCII,
    },
    'dbsrv_b.enabled': { type: 'boolean', default: false, title: 'The database server answers' },
    'dbsrv_b.port': { type: 'port', default: 3306, title: 'Port of the database server' },
    'dbsrv_b.version': {
      type: 'choice',
      default: 'mariadb-10.11',
      title: 'The product and release that it claims to be',
      choices: ['mariadb-10.11', 'mysql-5.7', 'mysql-8.0'],
      mayBeMissing: true,
    },
  },
  logtypes: [
    {
      logtype: '8001',
      summary: 'SQL Server B (MySQL protocol) Login Attempt',
      slug: 'dbsrvblogin',
      keys: ['USERNAME', 'CLIENT_HASH', 'SALT', 'PASSWORD'],
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD'],
      meaning: 'Someone tried to log in to a database that nobody uses.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password is in use anywhere, change it there.',
      ],
    },
  ],
})
