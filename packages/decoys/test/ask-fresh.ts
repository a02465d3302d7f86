// Asks the real server and ours, in a namespace of its own:
// `unshare --net node test/ask-fresh.ts <service> [count] [seed]` fresh probes, `… <service> endurance` what takes patience.
// A service may have its settings behind it: `'http http.skin=basic-auth'`. With `--json` the last line is the result.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { EnduranceResult } from './endurance.ts'
import type { FreshResult } from './fresh.ts'
import { judgeEndurance, judgeService } from './judge-service.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const [service = '', count = '300', seed = String(Date.now())] = positionals
execFileSync('ip', ['link', 'set', 'lo', 'up'])
const folder = mkdtempSync(join(tmpdir(), 'rookery-fresh-'))
try {
  const result =
    count === 'endurance'
      ? await judgeEndurance(service, folder)
      : await judgeService(service, Number(count), seed, folder)
  if (values.json) process.stdout.write(`\n${JSON.stringify(result)}`)
  else show(result)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function show(result: EnduranceResult | FreshResult): void {
  const { total, differences } = result
  for (const { probe, real, ours } of differences) console.log(`${probe}\n  real: ${real}\n  ours: ${ours}`)
  if (!('equal' in result)) {
    console.log(`${service}: ${total - differences.length} of ${total} equal`)
    return
  }
  const { equal, masks, crashes } = result
  for (const crash of crashes) console.log(`crashed at ${crash}`)
  console.log(
    `${service}: ${equal} of ${total} equal, ${crashes.length} crashes, seed ${seed}; masked: ${masks.join(', ') || 'nothing'}`,
  )
}
