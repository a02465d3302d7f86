// Asks the real server and ours, in a namespace of its own:
// `unshare --net node test/ask-fresh.ts <service> [count] [seed]` fresh probes, `… <service> endurance` what takes patience.
// A service may have its settings behind it: `'http http.skin=basic-auth'`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FreshDifference } from './fresh.ts'
import { judgeEndurance, judgeService } from './judge-service.ts'

const [service = '', count = '300', seed = String(Date.now())] = process.argv.slice(2)
execFileSync('ip', ['link', 'set', 'lo', 'up'])
const folder = mkdtempSync(join(tmpdir(), 'rookery-fresh-'))
try {
  if (count === 'endurance') {
    const { total, differences } = await judgeEndurance(service, folder)
    showAll(differences)
    console.log(`${service}: ${total - differences.length} of ${total} equal`)
  } else {
    const { total, equal, differences, masks, crashes } = await judgeService(
      service,
      Number(count),
      seed,
      folder,
    )
    showAll(differences)
    for (const crash of crashes) console.log(`crashed at ${crash}`)
    console.log(
      `${service}: ${equal} of ${total} equal, ${crashes.length} crashes, seed ${seed}; masked: ${masks.join(', ') || 'nothing'}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function showAll(differences: readonly FreshDifference[]): void {
  for (const { probe, real, ours } of differences) console.log(`${probe}\n  real: ${real}\n  ours: ${ours}`)
}
