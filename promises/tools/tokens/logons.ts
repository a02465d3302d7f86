// Kinds that are accounts of a directory.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROLLER, PASSWORD, startDirectory, untilItAnswers } from '../lib/directory.ts'
import { run } from '../lib/command.ts'
import { unacknowledged } from '../lib/incidents.ts'
import { until } from '../lib/until.ts'
import { SYSTEM_PATH } from '../lib/as-system.ts'
import { download, type TokenProof } from './token-proof.ts'

/** An account that the token does not name. */
const OTHER = 'carol'
const TOKENED = 'svc_backup'

const kinit = (program: string, password: string, event: Readonly<Record<string, unknown>>): TokenProof => ({
  kind: 'directory-login',
  program,
  needs: ['samba', 'samba-tool', 'kinit', 'curl', 'ip'],
  settings: { tokened_usernames: TOKENED },
  logtype: '16012',
  async fire({ id, renders }, { console, folder }) {
    const directory = await startDirectory(folder, [OTHER, TOKENED])
    const script = join(folder, 'follow-logons.sh')
    writeFileSync(script, renders['samba'] ?? '')
    // A group of its own: the script is a pipeline.
    const follower = spawn('sh', [script, directory.log], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: SYSTEM_PATH },
    })
    try {
      await untilItAnswers(directory, OTHER)
      assert.equal(await directory.logOn('nobody', PASSWORD), false)
      assert.equal(await directory.logOn(TOKENED, password), password === PASSWORD)
      const touches = await until('the logon is reported', async () => {
        const ofToken = (await unacknowledged(console)).filter(
          ({ description }) => description.node_id === id,
        )
        return ofToken.length > 0 ? ofToken : undefined
      })
      assert.deepEqual(
        touches.flatMap(({ description }) => description.events.map((it) => it['username'])),
        [TOKENED],
      )
    } finally {
      if (follower.pid !== undefined) process.kill(-follower.pid, 'SIGTERM')
      directory.stop()
    }
    return { ...event, username: TOKENED, src_host: CONTROLLER, reported_by: '127.0.0.1', logon_type: '3' }
  },
})

/** What the task of the PowerShell script posts: no program here runs that script. */
const postedByTask: TokenProof = {
  kind: 'directory-login',
  program: 'structure only (PowerShell); curl',
  needs: ['curl'],
  settings: { tokened_usernames: TOKENED },
  logtype: '16012',
  async fire(planted, deps) {
    const { renders } = planted
    const file = await download(planted, deps, 'report-logons.ps1')
    const script = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n')
    assert.equal(script, renders['powershell'])
    assert.match(script, new RegExp(`\\$names = @\\('${TOKENED}'\\)`))
    const [url = ''] = /(?<=^\$url = ')[^']+/m.exec(script) ?? []
    const logon = {
      EventID: 4776,
      Computer: 'DC1.corp.example',
      TargetUserName: TOKENED,
      Workstation: 'PC-17',
      Status: '0xc000006a',
    }
    const { code } = await run('curl', ['-sf', '-o', '/dev/null', '--json', JSON.stringify(logon), url])
    assert.equal(code, 0)
    return { event_name: '4776', username: TOKENED, workstation: 'PC-17', reported_by: '127.0.0.1' }
  },
}

export const logons: readonly TokenProof[] = [
  postedByTask,
  kinit('Samba AD, kinit (wrong)', 'Wrong-pass-1', {
    event_name: '4625',
    outcome: 'failed',
    status: 'NT_STATUS_WRONG_PASSWORD',
  }),
  kinit('Samba AD, kinit (right)', PASSWORD, {
    event_name: '4624',
    outcome: 'succeeded',
    status: 'NT_STATUS_OK',
  }),
]
