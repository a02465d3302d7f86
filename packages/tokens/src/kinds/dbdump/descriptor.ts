import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'dbdump',
  name: 'Database dump',
  shelf: 'Databases',
  keywords: ['mysql', 'mariadb', 'mysqldump', 'sql', 'database', 'dump', 'backup', 'sql.gz'],
  firedBy:
    'Somebody restores the dump: the server that takes it looks the token up and logs in to it as a replica, with its locale and host name in the user name.',
  silencedBy:
    'It stays silent where the dump is only read, or restored by a user without the rights of a replication administrator, and where the server neither resolves nor reaches the token host.',
  placement: [
    'Put it where backups of databases lie: a share, a bucket, the home of an administrator.',
    'Leave it next to the scripts that make dumps, under a name such as theirs.',
  ],
  logtype: '17029',
  keys: ['username', 'locale', 'hostname', 'client_version', 'os', ...LOOK_UP_KEYS],
  evidence: ['hostname', 'locale', 'client_version', 'os'],
  meaning:
    'Somebody restored the dump on the database server that the event names. The source address is that of the server; of a look-up, that of its resolver.',
  next: [
    'Find out who runs the named server, and how the dump came there.',
    'Treat the place that the memo names as read by an intruder, and look at what else was copied from it.',
    'If the server is yours, end its replication as the README of the kind says.',
  ],
  downloads: true,
  example: {
    needs: ['mariadb'],
    touch: 'mariadb -h 127.0.0.1 -P {mysql} -u "$(field decoytoken)" -px',
  },
})
