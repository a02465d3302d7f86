// Judges a service in a network of its own, and prints the result as JSON:
// `unshare --net node test/judge-apart.ts <folder> <service> endurance`, or `… <folder> <service> <count> <seed>` for fresh probes.
import { execFileSync } from 'node:child_process'
import { judgeEndurance, judgeService } from './judge-service.ts'

const [folder = '', service = '', what = '', seed = ''] = process.argv.slice(2)
execFileSync('ip', ['link', 'set', 'lo', 'up'])
const result =
  what === 'endurance'
    ? await judgeEndurance(service, folder)
    : await judgeService(service, Number(what), seed, folder)
process.stdout.write(`\n${JSON.stringify(result)}`, () => process.exit())
