import { exactly, type Case } from '../rig/case.ts'
import { runEveryTest } from './lib/every-test.ts'

const everyTest: Case = {
  id: 'G14',
  title:
    'every test whole: on both engines, with all of its cases, and the long ones that `npm test` leaves out',
  async run() {
    const { passed, failed, failures } = await runEveryTest()
    return {
      ok: passed > 0,
      rows: [exactly('tests that fail', failed, '', 0)],
      note: [`${passed} passed`, ...failures].join('; '),
    }
  },
}
export default everyTest
