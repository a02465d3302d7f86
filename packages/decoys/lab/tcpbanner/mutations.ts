// What clients of the services say that a banner may stand for, changed.
import { latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { tcpBannerSession } from '../../src/services/tcpbanner/session.ts'

const SAID = [
  ['EHLO a\r\n', 'MAIL FROM:<a@b>\r\n'],
  ['s3cret', 'status\r\n'],
  ['\x1b%-12345X@PJL INFO ID\r\n'],
  ['l\0\x0b\0\0\0\0\0\0\0\0\0'],
]

const texts = { id: 1, initBanner: latin1('220 a\r\n'), dataBanner: latin1('502 what?\r\n') }
const servers = [
  tcpBannerSession(texts),
  tcpBannerSession({ ...texts, alertString: latin1('PJL') }),
  tcpBannerSession({ ...texts, secret: latin1('s3cret') }),
]

export const mutations: MutationTargets = {
  tcpbanner: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: (draw) => draw.pick(SAID).map(latin1),
    change: changeText(['\r\n', '\0', '\xff', 'PJL', 's3cret', 'A'.repeat(20_000)]),
    mostAnswerBytes: 1_000,
    mostKeptBytes: 100_000,
    leastMeanAnswer: 8,
  }),
}
