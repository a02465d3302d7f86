// Measures the promises of speed and memory. Run: npm run bench -- [ids, such as B1 B10] [--json]
import { join } from 'node:path'
import { report } from './report.ts'

try {
  const folder = join(import.meta.dirname, 'cases')
  process.exitCode = await report(folder, process.argv.slice(2), (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
