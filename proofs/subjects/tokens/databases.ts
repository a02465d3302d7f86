// Kinds by which database servers log in.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SYSTEM_PATH, withResolver } from '../../lib/with-resolver.ts'
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

const insertsIn = (dump: string): readonly string[] =>
  dump.match(/^INSERT INTO `\w+` VALUES\n(?:\(.*\)[,;]\n)+/gm) ?? []

export const databases: readonly TokenProof[] = [
  {
    kind: 'dbdump',
    program: 'mariadbd',
    needs: ['mariadbd', 'mariadb-install-db', 'mariadb', 'mariadb-dump', 'gzip', 'unshare', 'unbound'],
    logtype: '17029',
    async fire(planted, ground) {
      const dump = await download(planted, ground, 'dump.sql.gz')
      const text = gunzipSync(readFileSync(dump)).toString()
      const database = /^USE `(\w+)`;$/m.exec(text)?.[1] ?? ''
      const folder = join(ground.folder, 'mariadb')
      mkdirSync(folder)
      const command = ['sh', '-c', RESTORE, 'sh', folder, dump, database]
      const { code, stdout, stderr } = await withResolver(ground.folder, command, SYSTEM_PATH)
      assert.deepEqual([code, stderr], [0, ''], 'the restore had errors')
      assert.match(stdout, /Last_IO_Error: .*Access denied for user '/)
      const rows = insertsIn(text)
      assert.equal(rows.length, 4)
      assert.deepEqual(insertsIn(stdout), rows, 'every row is restored')
      return { locale: 'de_DE', hostname: hostname(), username: new RegExp(`^${planted.id}\\.de_DE\\.`) }
    },
  },
]
