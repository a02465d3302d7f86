// Kinds by which database servers log in.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dig } from '../lib/dig.ts'
import { SYSTEM_PATH, asSystem } from '../lib/as-system.ts'
import { download, type TokenProof } from './token-proof.ts'

/** Restores a dump into a new MariaDB, waits until its replica was refused, and writes the database out again. */
const RESTORE = `
set -e
folder=$1; dump=$2; database=$3
client="mariadb --no-defaults --socket=$folder/socket"
mariadb-install-db --no-defaults --user=root --datadir="$folder/data" --auth-root-authentication-method=normal >"$folder/install.log" 2>&1
mariadbd --no-defaults --user=root --datadir="$folder/data" --socket="$folder/socket" --pid-file="$folder/pid" \
  --skip-networking --lc-time-names=de_DE 2>"$folder/server.log" &
trap 'kill $!; wait $!' EXIT
for n in $(seq 100); do mariadb-admin --no-defaults --socket="$folder/socket" ping >/dev/null 2>&1 && break; sleep 0.1; done
gzip -dc "$dump" | $client
for n in $(seq 100); do $client -e 'SHOW ALL SLAVES STATUS\\G' >"$folder/status"; grep -q 'Last_IO_Errno: 1045' "$folder/status" && break; sleep 0.1; done
cat "$folder/status"
mariadb-dump --no-defaults --socket="$folder/socket" --databases "$database"
`

/** Runs a script in a new PostgreSQL, and reads the table as a user who has nothing but the right to log in. */
const READ_TABLE = `
set -e
folder=$1; table=$2
as="setpriv --reuid=postgres --regid=postgres --clear-groups"
chown postgres "$folder"; cd "$folder"
$as initdb -D data -U postgres --auth=trust --locale=C --encoding=UTF8 --no-sync >install.log 2>&1
$as postgres -D data -c listen_addresses= -c unix_socket_directories="$folder" 2>server.log &
trap 'kill -INT $!; wait $!' EXIT
for n in $(seq 100); do pg_isready -q -h "$folder" && break; sleep 0.1; done
psql="psql -X -q -h $folder -d postgres -v ON_ERROR_STOP=1"
$psql -U postgres -f script.sql
$psql -U postgres -c 'CREATE ROLE alice LOGIN'
$psql -U alice -c "SELECT * FROM $table"
`
const POSTGRES = '/usr/lib/postgresql'
/** Not on the PATH, for there may be several. */
const postgresFolders = (): readonly string[] =>
  (existsSync(POSTGRES) ? readdirSync(POSTGRES) : [])
    .toSorted()
    .map((version) => join(POSTGRES, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')))
const postgresNeeds = postgresFolders().length > 0 ? [] : ['postgresql']

const insertsIn = (dump: string): readonly string[] =>
  dump.match(/^INSERT INTO `\w+` VALUES\n(?:\(.*\)[,;]\n)+/gm) ?? []

export const databases: readonly TokenProof[] = [
  {
    kind: 'dbdump',
    program: 'mariadbd',
    needs: ['mariadbd', 'mariadb-install-db', 'mariadb', 'mariadb-dump', 'gzip', 'unbound'],
    logtype: '17029',
    async fire(planted, deps) {
      const dump = await download(planted, deps, 'dump.sql.gz')
      const text = gunzipSync(readFileSync(dump)).toString()
      const database = /^USE `(\w+)`;$/m.exec(text)?.[1] ?? ''
      const folder = join(deps.folder, 'mariadb')
      mkdirSync(folder)
      const command = ['sh', '-c', RESTORE, 'sh', folder, dump, database]
      const { code, stdout, stderr } = await asSystem(command)
      assert.deepEqual([code, stderr], [0, ''], 'the restore had errors')
      assert.match(stdout, /Last_IO_Error: .*Access denied for user '/)
      const rows = insertsIn(text)
      assert.equal(rows.length, 4)
      assert.deepEqual(insertsIn(stdout), rows, 'every row is restored')
      return { locale: 'de_DE', hostname: hostname(), username: new RegExp(`^${planted.id}\\.de_DE\\.`) }
    },
  },
  {
    kind: 'sql',
    program: 'psql',
    needs: [...postgresNeeds, 'psql', 'pg_isready', 'setpriv', 'unbound'],
    logtype: '17011',
    async fire({ id, renders }, deps) {
      const script = renders['postgresql'] ?? ''
      const table = /^CREATE FOREIGN TABLE (\S+)/m.exec(script)?.[1] ?? ''
      const folder = join(deps.folder, 'postgres')
      mkdirSync(folder)
      chmodSync(deps.folder, 0o755)
      writeFileSync(join(folder, 'script.sql'), script)
      const command = ['sh', '-c', READ_TABLE, 'sh', folder, table]
      const path = `${SYSTEM_PATH}:${postgresFolders().join(':')}`
      const { stdout, stderr } = await asSystem(command, { path })
      assert.equal(stdout, '')
      assert.match(stderr, new RegExp(`^ERROR:.*\\n.*no pg_hba\\.conf entry for host .*, user "${id}"`))
      return { sql_user: 'alice', database: table.split('"')[3] }
    },
  },
  {
    kind: 'sql',
    program: 'structure only (T-SQL); dig through unbound',
    needs: ['dig', 'unbound'],
    settings: { sql_table: 'staff' },
    logtype: '17011',
    async fire({ hostname }, { resolverPort }) {
      // "uCORP\\alice" in base32: what the trigger makes of an UPDATE. No SQL Server runs it here.
      for (const type of ['A', 'AAAA']) await dig(resolverPort, `ovbu6usqlrqwy2ldmu.07.${hostname}`, type)
      return { sql_user: 'CORP\\alice', sql_action: 'UPDATE' }
    },
  },
]
