// Runs in front of each test file: a worker keeps what it has imported, and with it the engines of the file before.
import { chooseEngines } from '@rookery/console/test/engines.ts'

const { __vitest_worker__: worker } = globalThis as unknown as { __vitest_worker__: { filepath: string } }
chooseEngines(worker.filepath)
