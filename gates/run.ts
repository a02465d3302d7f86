// Measures the promises of nothing lost, whatever fails. Run: npm run gate -- [ids, such as G1 G12] [--json]
import { join } from 'node:path'
import { report } from '../bench/report.ts'

try {
  const folder = join(import.meta.dirname, 'cases')
  process.exitCode = await report(folder, process.argv.slice(2), (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
