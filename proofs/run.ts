// Shows with real tools that the product does what it says. Run: npm run proof -- [names, such as tools nmap]
import { runProofs } from './runner.ts'

try {
  process.exitCode = await runProofs(process.argv.slice(2), (line) => console.log(line))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
